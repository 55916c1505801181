//! How much memory a run will take: asked before it is taken, so that a run can be refused instead of killed.

use radar_net::{Task, journey};

use crate::amounts::memory;
use crate::config::{Config, LossKind, OptimiserKind};
use crate::error::TrainError;
use crate::optimiser::Muon;

/// About how many bytes a part of a run takes, what it is, and what makes it smaller.
#[derive(Clone, Debug)]
struct Part {
    bytes: f64,
    what: &'static str,
    remedy: Option<&'static str>,
}

impl Part {
    /// Of so many bytes that the allocator is asked for.
    fn new(bytes: f64, what: &'static str, remedy: &'static str) -> Self {
        Self { bytes: SLACK * bytes, what, remedy: Some(remedy) }
    }
}

/// What the program takes by itself: its code, its threads, and what these hold back.
const PROGRAM: f64 = 1.6e7;

/// What the allocator takes for a byte that it was asked for.
const SLACK: f64 = 1.2;

/// What a run takes beside its road matrices, and what it may take. One that nobody has measured takes nothing and
/// may take all.
#[derive(Clone, Debug, Default)]
pub struct Room {
    parts: Vec<Part>,
    free: Option<u64>,
}

impl Room {
    /// The room of a run for which so many bytes are free; refuses it if it takes more.
    pub(crate) fn of(config: &Config, free: Option<u64>) -> Result<Self, TrainError> {
        let room = Self { parts: parts(config, rayon::current_num_threads()), free };
        refuse(&room.parts, room.free).map(|()| room)
    }

    /// What is left beside road matrices of so many bytes.
    pub(crate) fn beside_roads(&self, bytes: f64) -> Self {
        Self { parts: self.with_roads(bytes), free: self.free }
    }

    /// Refuses road matrices of so many bytes if there is no room for them.
    pub(crate) fn refuse_roads(&self, bytes: f64) -> Result<(), TrainError> {
        refuse(&self.with_roads(bytes), self.free)
    }

    /// Bytes that may be taken beside road matrices of so many; without it, as many as are asked for.
    pub(crate) fn left_beside_roads(&self, bytes: f64) -> Option<f64> {
        self.free.map(|free| (free as f64 - need(&self.with_roads(bytes))).max(0.0))
    }

    fn with_roads(&self, bytes: f64) -> Vec<Part> {
        const REMEDY: &str = "give fewer or smaller files in `data.roads` (--data) or `validation.roads`";
        let roads = Part::new(bytes, "road matrices", REMEDY);
        self.parts.iter().cloned().chain([roads]).collect()
    }
}

fn need(parts: &[Part]) -> f64 {
    parts.iter().map(|part| part.bytes).sum()
}

fn refuse(parts: &[Part], free: Option<u64>) -> Result<(), TrainError> {
    let largest = parts.iter().max_by(|one, other| one.bytes.total_cmp(&other.bytes));
    match (free, largest) {
        (Some(free), Some(Part { bytes, what, remedy })) if need(parts) > free as f64 => {
            Err(TrainError::new(
                "too-little-memory",
                format!(
                    "the run takes about {}, of which {} for {what}, and {} are free",
                    memory(need(parts)),
                    memory(*bytes),
                    memory(free as f64)
                ),
                format!(
                    "{}close other programs, or allow more with --memory",
                    remedy.map(|remedy| format!("{remedy}, ")).unwrap_or_default()
                ),
            ))
        }
        _ => Ok(()),
    }
}

/// All parts at their peaks, on so many threads. Numbers of four bytes are counted, unless said otherwise.
fn parts(config: &Config, threads: usize) -> Vec<Part> {
    let threads = threads as f64;
    let stops = config.data.sizes().last().copied().unwrap_or_default();
    let examined = with_depot(config, config.validation.size(&config.data));
    let nodes = with_depot(config, stops);
    // An instance as it was stated and in whole numbers, bytes per pair of nodes.
    let tables = config.data.mixture.iter().map(|part| part.tables()).max().unwrap_or(1) as f64;
    let instance = 16.0 * tables;
    // While it is prepared the set is also there as problems and as a file.
    let kept = 40.0 * tables * config.validation.count as f64 * examined * examined;
    let has_validation = if config.validation.count > 0 { 1.0 } else { 0.0 };
    vec![
        Part { bytes: PROGRAM, what: "the program itself", remedy: None },
        Part::new(
            4.0 * weights(config, threads),
            "weights, their gradients and the optimiser",
            "lower `model.width`, `model.hidden` or `model.layers`",
        ),
        Part::new(
            instance * config.batch as f64 * nodes * nodes,
            "the instances of a batch",
            "lower `batch` or `data.nodes`",
        ),
        Part::new(
            4.0 * threads.min(chunks(config)) * lesson(config, nodes),
            "what is learned from at a time",
            "lower `data.nodes`, `starts`, `chunk` or --threads",
        ),
        Part::new(
            kept + has_validation * 4.0 * threads * decoding(config, examined),
            "the validation set",
            "lower `validation.count` or `validation.nodes`",
        ),
    ]
}

fn with_depot(config: &Config, stops: usize) -> f64 {
    stops as f64 + if config.model.task == Task::Atsp { 0.0 } else { 1.0 }
}

/// Copies of the weights: the network has them as they are and packed in both ways, Adam has two more, and to save
/// them takes two of all that is saved; a step has gradients on every thread and along the tree of their sums. What
/// Muon works with finds little of that free: its pieces are of other sizes.
fn weights(config: &Config, threads: f64) -> f64 {
    let parameters = config.model.parameters();
    let count = parameters.iter().map(|parameter| parameter.count()).sum::<usize>() as f64;
    let saved = if config.ema.is_some() { 4.0 } else { 3.0 };
    let work = match config.optimiser.kind {
        OptimiserKind::Adam | OptimiserKind::AdamW => 0.0,
        OptimiserKind::Muon => threads * Muon::workspace(&parameters) as f64,
    };
    (3.0 + saved + f64::max(2.0 * saved, 1.0 + threads + chunks(config).log2())) * count + work
}
/// How many threads find work at most.
fn chunks(config: &Config) -> f64 {
    config.batch.div_ceil(config.chunk.max(1)) as f64
}

/// What a thread learns from at a time: a chunk through the encoder, and all trajectories of one instance.
fn lesson(config: &Config, nodes: f64) -> f64 {
    let model = &config.model;
    let (width, hidden, heads) = (model.width as f64, model.hidden as f64, model.heads as f64);
    let chunk = config.chunk.min(config.batch) as f64;
    let starts = config.starts.map_or(nodes, |starts| nodes.min(starts as f64));
    let square = nodes * (nodes + 8.0);
    // Routes come back to the depot now and then, of some variants often.
    let steps = if model.task == Task::Atsp { nodes } else { 1.75 * nodes };

    let inputs = (2.0 + model.mix.len() as f64) * square;
    let tape = model.layers as f64 * (2.0 * heads * square + nodes * (8.0 * width + hidden));
    let workshop = 3.0 * square + nodes * (6.0 * width + hidden);
    let tables = (4.0 * heads + model.terms.len() as f64) * square + 16.0 * nodes * width;
    // What was chosen, and what the network thought; it thinks again about what it was told.
    let thoughts = width + nodes + 8.0;
    let told = if model.has_journeys() { nodes } else { 0.0 };
    let (kept, again) = match config.loss.kind {
        LossKind::Imitation => (0.0, steps * (thoughts + 3.0 * nodes)),
        LossKind::Reinforce | LossKind::Preference | LossKind::Leader => (thoughts, 0.0),
    };
    // Lists grow by doubling, and some of what they leave behind stays unused.
    let doubled = (steps as u64).next_power_of_two() as f64;
    let rows_kept = steps + 0.4 * (doubled - steps).max(0.0);
    let record = starts * rows_kept * (kept + told + 8.0 + nodes / 32.0 + model.context() as f64);
    let rows = starts * (thoughts + 6.0 * nodes);
    chunk * (inputs + tape + workshop) + tables + record + again + rows + journeys(config, nodes, starts)
}

/// What a thread that validates takes, beside the weights and the instance.
fn decoding(config: &Config, nodes: f64) -> f64 {
    let model = &config.model;
    let square = nodes * (nodes + 8.0);
    let matrices = 7.0 + (model.mix.len() + model.terms.len()) as f64 + 2.0 * model.heads as f64;
    let rows = nodes * (20.0 * model.width as f64 + model.hidden as f64);
    matrices * square + rows + journeys(config, nodes, 8.0)
}

/// What so many journeys take, and four more in which they are found.
fn journeys(config: &Config, nodes: f64, count: f64) -> f64 {
    let each = if config.model.has_journeys() { journey::bytes(nodes as usize) } else { 0 };
    (count + 4.0) * each as f64 / 4.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(preset: &str, set: &[&str], free: u64) -> Option<String> {
        let set: Vec<String> = set.iter().map(|&text| text.to_owned()).collect();
        let text = crate::config::named(preset).expect("a preset");
        let config = Config::from_toml(text, &set).expect("sound");
        Room::of(&config, Some(free)).err().map(|error| {
            assert_eq!(error.code, "too-little-memory");
            error.to_string()
        })
    }

    #[test]
    fn presets_fit_small_machines_and_giants_do_not_fit_this_one() {
        for preset in crate::config::names() {
            assert_eq!(refused(preset, &[], 2_000_000_000), None, "{preset}");
        }
        for (set, key) in [
            (&["model.width=8192", "model.layers=128"][..], "`model.width`"),
            (&["batch=1048576", "data.nodes=100"], "`batch`"),
            (&["data.nodes=2000", "batch=1", "validation.count=0"], "`starts`"),
            (&["data.nodes=20000", "validation.count=0"], "`data.nodes`"),
            (&["validation.count=100000", "validation.nodes=200"], "`validation.count`"),
        ] {
            let text = refused("quick", set, 24_000_000_000).unwrap_or_else(|| panic!("{set:?}"));
            assert!(text.contains(key) && text.contains("24.0 GB are free"), "{set:?}: {text}");
        }
        let few = ["data.nodes=2000", "batch=1", "validation.count=0", "starts=20"];
        assert_eq!(refused("quick", &few, 24_000_000_000), None);
        assert!(Room::of(&Config::default(), None).is_ok());
        // Where nothing can be lowered, nothing is said to be.
        let small = ["model.width=8", "data.nodes=5", "batch=1", "validation.count=0"];
        let text = refused("quick", &small, 1_000_000).expect("too little");
        assert!(text.contains("16 MB for the program itself") && !text.contains("lower"), "{text}");
    }

    #[test]
    fn muon_works_on_matrices() {
        let taken = |kind: &str| {
            let set = ["model.width=512", "model.hidden=1024", &format!("optimiser.kind={kind}")];
            let set = set.map(str::to_owned);
            let text = crate::config::named("quick").expect("a preset");
            need(&parts(&Config::from_toml(text, &set).expect("sound"), 8))
        };
        // On eight threads: three of the largest matrix each, and two squares of its shorter side.
        let work = 8.0 * 4.0 * (3.0 * 1024.0 * 512.0 + 2.0 * 512.0 * 512.0);
        let more = (taken("muon") - taken("adamw")) / SLACK;
        assert!((more / work - 1.0).abs() < 1e-6, "{more} {work}");
    }

    #[test]
    fn road_matrices_take_what_is_left() {
        let room = Room::of(&Config::default(), Some(1_000_000_000)).expect("it fits");
        let left = room.left_beside_roads(0.0).expect("measured");
        assert!(room.refuse_roads(0.99 * left / SLACK).is_ok());
        let error = room.refuse_roads(1.01 * left / SLACK).expect_err("too many");
        assert!(
            error.cause.contains("for road matrices") && error.action.contains("`data.roads`"),
            "{error}"
        );
        assert!(room.beside_roads(0.5 * left / SLACK).refuse_roads(0.6 * left / SLACK).is_err());
        assert!(Room::default().refuse_roads(1e18).is_ok());
    }
}
