//! A small instance of any configuration, with a few decoding steps in the middle of things.

use radar_kernel::isa::Isa;
use radar_kernel::random::Stream;
use radar_net::input::{Draw, Input};
use radar_net::network::Step;
use radar_net::reference::{self, Case, Trips};
use radar_net::{Config, Ends, Init, Mix, Normalisation, Scaling, Signs, Sketch, Task, Term, Weights};
use radar_problem::Instance;
use radar_sample::Distribution;

/// A small network.
pub fn small(task: Task) -> Config {
    Config {
        task,
        width: 16,
        heads: 2,
        layers: 2,
        hidden: 24,
        mix_hidden: 5,
        rank: 3,
        neighbours: 4,
        ..Config::default()
    }
}

/// Every part at least once.
pub fn family() -> Vec<(String, Config)> {
    let mut all = Vec::new();
    for &task in Task::ALL {
        all.push((format!("{task}"), small(task)));
        for &init in Init::ALL {
            if init != Init::Demand || task != Task::Atsp {
                all.push((format!("{task}, init {init}"), Config { init, ..small(task) }));
            }
        }
        let terms = Term::ALL.to_vec();
        all.push((format!("{task}, all terms"), Config { terms, ..small(task) }));
    }
    let base = small(Task::Atsp);
    for &scaling in Scaling::ALL {
        all.push((format!("scaling {scaling}"), Config { scaling, ..base.clone() }));
    }
    for &normalisation in Normalisation::ALL {
        all.push((format!("normalisation {normalisation}"), Config { normalisation, ..base.clone() }));
    }
    all.push((
        "ends on rows".to_owned(),
        Config { ends_on: Ends::Rows, sinkhorn_iterations: 3, ..base.clone() },
    ));
    let exact = Config { sketch: Sketch::Exact, signs: Signs::Fixed, ..base.clone() };
    all.push(("exact".to_owned(), exact));
    for mix in [vec![], vec![Mix::DistanceBack], Mix::ALL.to_vec()] {
        all.push((format!("mix {mix:?}"), Config { mix, ..small(Task::Vrp) }));
    }
    all
}

/// An instance that the task can take.
pub fn instance(task: Task, stops: usize, seed: u64) -> Instance {
    let variant = match task {
        Task::Atsp => "ATSP",
        Task::Acvrp => "ACVRP",
        Task::Vrp => "AOVRPBLTW",
    };
    let count = stops.to_string();
    let named = Distribution::named("multitask", &[("n", &count), ("variant", variant)], None)
        .or_else(|_| Distribution::named("tmat", &[("n", &count), ("variant", variant)], None));
    named.expect("a distribution").sample(seed, 0).problem.validate().instance.expect("sound")
}

/// What the decoder is asked in the tests.
pub struct Scene {
    pub weights: Weights,
    pub input: Input,
    trips: Option<Trips>,
    pub current: Vec<usize>,
    pub home: Vec<usize>,
    pub context: Vec<f32>,
    pub surprises: Vec<f32>,
    /// A bit for every node that may come next, in words of 64 per row.
    pub open: Vec<u64>,
    pub chosen: Vec<usize>,
}

/// One row of a scene in the naive network's terms.
pub struct NaiveStep {
    feasible: Vec<bool>,
    context: Vec<f64>,
    surprises: Vec<f64>,
    current: usize,
    home: usize,
}

impl NaiveStep {
    pub fn step(&self) -> reference::Step<'_> {
        let Self { feasible, context, surprises, current, home } = self;
        reference::Step { feasible, context, surprises, current: *current, home: *home }
    }
}

impl Scene {
    /// Rows with random places, contexts and masks: the network has no opinion on what is possible.
    pub fn new(config: &Config, stops: usize, rows: usize) -> Self {
        Self::of(config, &instance(config.task, stops, 5), rows)
    }

    /// The same, of an instance.
    pub fn of(config: &Config, instance: &Instance, rows: usize) -> Self {
        let input = Input::of(config, instance, Draw { seed: 2, index: 0 }, Isa::Portable).expect("it fits");
        let nodes = instance.nodes();
        let mut stream = Stream::new(4, "scene", 0);
        let chosen: Vec<usize> = (0..rows).map(|_| stream.index(nodes)).collect();
        let words = nodes.div_ceil(64);
        let mut open = vec![0_u64; rows * words];
        for (row, &chosen) in chosen.iter().enumerate() {
            for node in (0..nodes).filter(|&node| node == chosen || stream.chance(0.6)) {
                open[row * words + node / 64] |= 1 << (node % 64);
            }
        }
        let mut weights = Weights::random(config, 1);
        // Terms that begin at 0 would hide what they do.
        for term in &config.terms {
            for name in [format!("decoder.terms.{term}"), format!("decoder.terms.{term}.context")] {
                let all = weights.tensor_mut(&name).into_iter().flatten();
                all.for_each(|weight| *weight = stream.uniform(-0.5, 0.5) as f32);
            }
        }
        Self {
            weights,
            input,
            trips: Trips::of(instance),
            current: (0..rows).map(|_| stream.index(nodes)).collect(),
            home: (0..rows)
                .map(|_| if config.task == Task::Atsp { stream.index(nodes) } else { 0 })
                .collect(),
            context: (0..rows * config.context()).map(|_| stream.unit() as f32).collect(),
            surprises: (0..rows * nodes).map(|_| 3.0 * stream.unit() as f32).collect(),
            open,
            chosen,
        }
    }

    pub fn rows(&self) -> usize {
        self.chosen.len()
    }

    pub fn step(&self) -> Step<'_> {
        let Self { current, home, context, surprises, open, .. } = self;
        Step { current, home, context, surprises, open }
    }

    pub fn naive_step(&self, row: usize) -> NaiveStep {
        let (nodes, numbers) = (self.input.nodes(), self.weights.config().context());
        let words = &self.open[row * nodes.div_ceil(64)..];
        NaiveStep {
            feasible: (0..nodes).map(|node| words[node / 64] >> (node % 64) & 1 == 1).collect(),
            context: wide(&self.context[row * numbers..(row + 1) * numbers]),
            surprises: wide(&self.surprises[row * nodes..(row + 1) * nodes]),
            current: self.current[row],
            home: self.home[row],
        }
    }

    /// The input for the naive network.
    pub fn case(&self) -> Case {
        let config = self.weights.config();
        Case {
            nodes: self.input.nodes(),
            distance: wide(self.input.distance()),
            has_depot: self.input.has_depot(),
            trips: self.trips.clone().filter(|_| config.task == Task::Vrp),
            wanted: Case::wanted(config, &wide(self.input.distance()), self.trips.as_ref()),
            scores: self.input.mixed(config).into_iter().map(wide).collect(),
            features: wide(self.input.features()),
            depot: wide(self.input.depot().unwrap_or_default()),
            places: self.input.units().to_vec(),
        }
    }
}

pub fn wide(values: &[f32]) -> Vec<f64> {
    values.iter().map(|&value| f64::from(value)).collect()
}
