//! The gradient of a batch against differences of its loss: the losses written down a second time, on the naive
//! network in f64, over the trajectories that the batch must have drawn.

use radar_kernel::isa::Isa;
use radar_kernel::random::Stream;
use radar_net::context::Context;
use radar_net::input::{Draw, Input};
use radar_net::network::{EncoderTape, Network, Use};
use radar_net::policy::{Decode, Pointer};
use radar_net::reference::{Case, Decoder, Step, Trips, encode};
use radar_net::{Config, Task, Term, Weights};
use radar_problem::{Instance, Routes};
use radar_rollout::{Batch, Policy, Rules, run};
use radar_sample::Distribution;
use radar_train::label::solve;
use radar_train::lesson::{FirstNodes, Item, Lesson, Method, Moment, teach};
use radar_train::loss::Loss;

const SEED: u64 = 5;
const STEP: u64 = 7;
const BATCH: usize = 4;
const LOSSES: [Loss; 5] = [
    Loss::Reinforce,
    Loss::Leader { extra: 1.5, leaders: 1, rest: 1.0 },
    Loss::Leader { extra: 0.0, leaders: 2, rest: 0.0 },
    Loss::Preference { alpha: 0.3 },
    Loss::Imitation { astray: 0.0, steps: 100 },
];

fn tiny(task: Task) -> Config {
    let terms = vec![Term::Edge, Term::Room];
    Config {
        task,
        width: 16,
        heads: 2,
        layers: 1,
        hidden: 16,
        mix_hidden: 4,
        rank: 3,
        terms,
        ..Config::default()
    }
}

/// Instances with a plan of one route each (the order of several would be drawn), compared in units of their own.
fn items(task: Task) -> Vec<Item> {
    let (name, variant) = match task {
        Task::Atsp => ("tmat", "ATSP"),
        Task::Acvrp => ("multitask", "ACVRP"),
        Task::Vrp => ("multitask", "AOVRPBLTW"),
    };
    let parameters = [("n", "6"), ("variant", variant)];
    let distribution = Distribution::named(name, &parameters, None).expect("ours");
    let item = |index: u64| {
        let instance = distribution.sample(3, index).problem.validate().instance.expect("sound");
        let routes = solve(&instance, 100, &|| false).expect("a plan").routes;
        let scale = 0.5 + index as f64 / 7.0;
        (routes.len() == 1).then_some(Item { instance, label: Some(Routes(routes)), scale })
    };
    (0..).filter_map(item).take(BATCH).collect()
}

/// One choice.
struct Row {
    chosen: usize,
    feasible: Vec<bool>,
    context: Vec<f64>,
    surprises: Vec<f64>,
    current: usize,
    home: usize,
}

/// A policy whose choices are noted, where there was one.
struct Noting<'a, P> {
    policy: P,
    context: &'a Context,
    /// Of routes, if the network knows them.
    trips: Option<Trips>,
    /// Where each trajectory was.
    driven: Vec<Vec<usize>>,
    rows: Vec<Vec<Row>>,
}

impl<P: Policy> Policy for Noting<'_, P> {
    fn choose(
        &mut self,
        batch: &Batch<'_>,
        streams: &mut [Stream],
        actions: &mut [usize],
        log_probs: &mut [f32],
    ) {
        self.policy.choose(batch, streams, actions, log_probs);
        for at in (0..batch.len()).filter(|&at| !batch.ended(at)) {
            let (instance, state) = (batch.rules(at).instance(), &batch.states()[at]);
            self.driven[at].push(state.node);
            let feasible: Vec<bool> =
                (0..instance.nodes()).map(|node| batch.mask(at).contains(node)).collect();
            if feasible.iter().filter(|&&open| open).count() < 2 {
                continue;
            }
            let mut context = vec![0.0; self.context.numbers()];
            self.context.fill(state, &mut context);
            let home = if instance.is_tour() { state.start } else { 0 };
            let (context, chosen, current) = (wide(&context), actions[at], state.node);
            let of = |trips: &Trips| trips.surprises(&self.driven[at], [context[0], context[1]], &feasible);
            let surprises = self.trips.as_ref().map_or(Vec::new(), of);
            self.rows[at].push(Row { chosen, feasible, context, surprises, current, home });
        }
    }
}

/// Goes along given nodes, the first of which it stands at.
struct Along(Vec<Vec<usize>>, usize);

impl Policy for Along {
    fn choose(&mut self, batch: &Batch<'_>, _: &mut [Stream], actions: &mut [usize], _: &mut [f32]) {
        self.1 += 1;
        for at in (0..batch.len()).filter(|&at| !batch.ended(at)) {
            actions[at] = self.0[at][self.1];
        }
    }
}

/// What a batch does with one instance.
struct Scene {
    case: Case,
    scale: f64,
    costs: Vec<f64>,
    rows: Vec<Vec<Row>>,
}

impl Scene {
    fn new(network: &Network, item: &Item, index: u64, loss: Loss) -> Self {
        let (config, instance) = (network.weights().config(), &item.instance);
        let mut draw = Stream::new(SEED, "lesson", STEP << 20 | index);
        let sketch = Draw { seed: draw.bits(), index: 0 };
        let input = Input::of(config, instance, sketch, network.isa()).expect("it fits");
        let encoding = network.encode_taping(std::slice::from_ref(&input), &mut EncoderTape::default());
        let tables = network.tables(&input, encoding);
        let context = Context::of(config, instance);
        let rules = [Rules::new(instance)];
        let (trajectories, rows) = if loss.imitates() {
            let paths = told(instance, item.label.as_ref().expect("a plan"));
            let starts: Vec<_> = paths.iter().map(|path| (0, path[0])).collect();
            roll_out(&rules, &starts, Along(paths, 0), &context, &mut draw)
        } else {
            let starts: Vec<_> = rules[0].starts().into_iter().map(|start| (0, start)).collect();
            let pointer = Pointer::new(&tables, &context, Decode::Sample { temperature: 1.0 }, None);
            roll_out(&rules, &starts, pointer, &context, &mut draw)
        };
        let costs = trajectories.iter().map(|&cost| instance.cost_scale().undo(cost)).collect();
        Self { case: case(config, instance, &input), scale: item.scale, costs, rows }
    }

    /// The log-probability of every trajectory.
    fn log_probs(&self, weights: &Weights) -> Vec<f64> {
        let encoding = encode(weights, &self.case);
        let decoder = Decoder::new(weights, &self.case, encoding.output());
        let log = |row: &Row| {
            let Row { chosen, feasible, context, surprises, current, home } = row;
            let step = Step { feasible, context, surprises, current: *current, home: *home };
            decoder.probabilities(&step)[*chosen].ln()
        };
        self.rows.iter().map(|rows| rows.iter().map(log).sum()).collect()
    }

    /// The loss as it is published.
    fn loss(&self, loss: Loss, weights: &Weights) -> f64 {
        let logs = self.log_probs(weights);
        let count = logs.len() as f64;
        let costs: Vec<f64> = self.costs.iter().map(|cost| cost / self.scale).collect();
        let mean = costs.iter().sum::<f64>() / count;
        let reinforce: f64 = costs.iter().zip(&logs).map(|(cost, log)| (cost - mean) * log).sum();
        match loss {
            Loss::Reinforce => reinforce / count,
            Loss::Leader { extra, leaders, rest } => {
                let cheaper = |at: usize| {
                    (0..at).filter(|&one| costs[one] == costs[at]).count()
                        + costs.iter().filter(|&&cost| cost < costs[at]).count()
                };
                let factor = |at: usize| if cheaper(at) < leaders { 1.0 + extra } else { rest };
                (0..costs.len()).map(|at| factor(at) * (costs[at] - mean) * logs[at]).sum::<f64>() / count
            }
            Loss::Preference { alpha } => {
                let mut sum = 0.0;
                for (better, worse) in (0..logs.len()).flat_map(|a| (0..logs.len()).map(move |b| (a, b))) {
                    if costs[better] < costs[worse] {
                        let chance = 1.0 / (1.0 + (-alpha * (logs[better] - logs[worse])).exp());
                        sum -= chance.ln();
                    }
                }
                sum / (count * count)
            }
            Loss::Imitation { .. } => {
                let choices = self.rows.iter().zip(&logs).map(|(rows, log)| log / rows.len() as f64);
                -choices.sum::<f64>() / count
            }
        }
    }
}

/// A tour from each of its nodes; a route and the way home, as often as there are stops.
fn told(instance: &Instance, label: &Routes) -> Vec<Vec<usize>> {
    let route = &label.0[0];
    match instance.is_tour() {
        true => (0..route.len()).map(|at| [&route[at..], &route[..at]].concat()).collect(),
        false => vec![[&route[..], &[0]].concat(); instance.nodes() - 1],
    }
}

fn roll_out(
    rules: &[Rules<'_>],
    starts: &[(usize, usize)],
    policy: impl Policy,
    context: &Context,
    draw: &mut Stream,
) -> (Vec<i64>, Vec<Vec<Row>>) {
    let mut streams: Vec<Stream> =
        (0..starts.len()).map(|at| Stream::new(draw.bits(), "trajectory", at as u64)).collect();
    let rows = starts.iter().map(|_| Vec::new()).collect();
    let trips = Trips::of(rules[0].instance()).filter(|_| context.numbers() > 1);
    let driven = vec![Vec::new(); starts.len()];
    let mut policy = Noting { policy, context, trips, driven, rows };
    let trajectories = run(Batch::new(rules, starts), &mut policy, &mut streams, &|| false);
    assert!(trajectories.iter().all(|one| one.complete));
    (trajectories.iter().map(|one| one.cost).collect(), policy.rows)
}

fn case(config: &Config, instance: &Instance, input: &Input) -> Case {
    let distance = wide(input.distance());
    Case {
        nodes: input.nodes(),
        has_depot: input.has_depot(),
        trips: Trips::of(instance).filter(|_| config.task == Task::Vrp),
        wanted: Case::wanted(config, &distance, Trips::of(instance).as_ref()),
        distance,
        scores: input.mixed(config).into_iter().map(wide).collect(),
        features: wide(input.features()),
        depot: wide(input.depot().unwrap_or_default()),
        places: input.units().to_vec(),
    }
}

fn wide(values: &[f32]) -> Vec<f64> {
    values.iter().map(|&value| f64::from(value)).collect()
}

fn network(task: Task) -> Network {
    let mut weights = Weights::random(&tiny(task), 1);
    // A term that begins at 0 would hide what it does.
    weights.tensor_mut("decoder.terms.edge").expect("a term")[0] = 0.3;
    Network::new(weights, Isa::best().precise(), Use::Training)
}

fn lesson(network: &Network, items: &[Item], loss: Loss, chunk: usize) -> Lesson {
    let moment = Moment { seed: SEED, step: STEP, first: 0, global: items.len() };
    teach(network, items, &Method { loss, starts: None, first_nodes: FirstNodes::Any, chunk }, moment)
        .expect("it fits")
}

/// The difference of the mean loss over a small step, and what the gradient says of it.
fn compare(
    weights: &Weights,
    gradient: &[f32],
    direction: &[f64],
    mean_loss: impl Fn(&Weights) -> f64,
) -> (f64, f64) {
    let length = direction.iter().map(|one| one * one).sum::<f64>().sqrt();
    let side = |step: f64| {
        let mut weights = weights.clone();
        let moved = weights.values_mut().iter_mut().zip(direction);
        moved.for_each(|(weight, along)| *weight += (step * along / length) as f32);
        weights
    };
    let (above, below) = (side(1e-3), side(-1e-3));
    let moves = above.values().iter().zip(below.values()).map(|(&a, &b)| f64::from(a) - f64::from(b));
    let told = moves.zip(gradient).map(|(by, &slope)| by * f64::from(slope)).sum();
    (mean_loss(&above) - mean_loss(&below), told)
}

#[test]
fn gradients_are_slopes_of_the_published_losses() {
    for task in [Task::Atsp, Task::Acvrp, Task::Vrp] {
        let (network, items) = (network(task), items(task));
        for loss in LOSSES {
            let scenes: Vec<Scene> =
                items.iter().zip(0..).map(|(item, index)| Scene::new(&network, item, index, loss)).collect();
            let mean_loss = |weights: &Weights| -> f64 {
                scenes.iter().map(|scene| scene.loss(loss, weights)).sum::<f64>() / BATCH as f64
            };
            for chunk in [1, 4] {
                let lesson = lesson(&network, &items, loss, chunk);
                let name = format!("{task}, {loss:?}, chunks of {chunk}");
                let wanted =
                    scenes.iter().map(|scene| scene.costs.iter().sum::<f64>() / scene.costs.len() as f64);
                for (found, wanted) in lesson.costs.iter().zip(wanted) {
                    assert!(
                        found.is_some_and(|found| (found - wanted).abs() < 1e-9),
                        "{name}: {found:?} {wanted}"
                    );
                }
                let (found, wanted) = (lesson.tally.loss / BATCH as f64, mean_loss(network.weights()));
                assert!(
                    (found - wanted).abs() < 1e-5 * wanted.abs().max(1.0),
                    "{name}: loss {found} {wanted}"
                );
                assert!(lesson.tally.log_prob_gap < 1e-4, "{name}: {}", lesson.tally.log_prob_gap);
                let mut stream = Stream::new(3, "directions", 0);
                for _ in 0..4 {
                    // Mostly along the gradient, so that no rounding hides what is missing.
                    let slopes = lesson.gradient.iter().map(|&slope| f64::from(slope));
                    let direction: Vec<f64> = slopes.map(|slope| slope * stream.uniform(0.0, 2.0)).collect();
                    let (by, told) = compare(network.weights(), &lesson.gradient, &direction, mean_loss);
                    assert!((by - told).abs() < 3e-3 * by.abs(), "{name}: {by} {told}");
                }
            }
        }
    }
}

#[test]
fn chunks_change_digits_only() {
    for loss in LOSSES {
        let (network, items) = (network(Task::Atsp), items(Task::Atsp));
        let (one, four) = (lesson(&network, &items, loss, 1), lesson(&network, &items, loss, 4));
        let largest = one.gradient.iter().fold(0.0_f32, |most, slope| most.max(slope.abs()));
        let apart = one.gradient.iter().zip(&four.gradient).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(largest > 0.0 && apart < 1e-4 * largest, "{loss:?}: {apart} of {largest}");
    }
}
