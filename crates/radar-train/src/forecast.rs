//! How much memory a run will take: asked before it begins, so that it can be refused instead of killed.

use radar_net::Task;

use crate::config::{Config, LossKind};
use crate::error::TrainError;

/// About how many bytes a part of a run takes, what it is, and the keys that make it smaller.
struct Part {
    bytes: f64,
    what: &'static str,
    keys: &'static str,
}

/// What the program takes by itself.
const PROGRAM: f64 = 1e7;

/// What the allocator takes for a byte that it was asked for.
const SLACK: f64 = 1.2;

/// Refuses a run that takes more than so many bytes.
pub(crate) fn refuse(config: &Config, free: Option<u64>) -> Result<(), TrainError> {
    let parts = parts(config, rayon::current_num_threads());
    let need = PROGRAM + SLACK * parts.iter().map(|part| part.bytes).sum::<f64>();
    let largest = parts.iter().max_by(|one, other| one.bytes.total_cmp(&other.bytes));
    match (free, largest) {
        (Some(free), Some(Part { bytes, what, keys })) if need > free as f64 => Err(TrainError::new(
            "too-little-memory",
            format!(
                "the run takes about {}, of which {} for {what}, and {} are free",
                shown(need),
                shown(SLACK * bytes),
                shown(free as f64)
            ),
            format!("lower {keys}, close other programs, or allow more with --memory"),
        )),
        _ => Ok(()),
    }
}

fn shown(bytes: f64) -> String {
    if bytes < 1e9 { format!("{:.0} MB", bytes / 1e6) } else { format!("{:.1} GB", bytes / 1e9) }
}

/// All parts at their peaks, on so many threads. Numbers of four bytes are counted, unless said otherwise.
fn parts(config: &Config, threads: usize) -> [Part; 4] {
    let threads = threads as f64;
    let stops = config.data.sizes().last().copied().unwrap_or_default();
    let examined = with_depot(config, config.validation.size(&config.data));
    let nodes = with_depot(config, stops);
    // An instance as it was stated and in whole numbers, bytes per pair of nodes.
    let tables = config.data.mixture.iter().map(|part| part.tables()).max().unwrap_or(1) as f64;
    let instance = 16.0 * tables;
    // While it is prepared the set is also there as problems and as a file.
    let kept = 36.0 * tables * config.validation.count as f64 * examined * examined;
    let has_validation = if config.validation.count > 0 { 1.0 } else { 0.0 };
    [
        Part {
            bytes: 4.0 * weights(config, threads),
            what: "weights, their gradients and the optimiser",
            keys: "`model.width`, `model.hidden` or `model.layers`",
        },
        Part {
            bytes: instance * config.batch as f64 * nodes * nodes,
            what: "the instances of a batch",
            keys: "`batch` or `data.nodes`",
        },
        Part {
            bytes: 4.0 * threads.min(chunks(config)) * lesson(config, nodes),
            what: "what is learned from at a time",
            keys: "`data.nodes`, `starts`, `chunk` or --threads",
        },
        Part {
            bytes: kept + has_validation * 4.0 * threads * decoding(config, examined),
            what: "the validation set",
            keys: "`validation.count` or `validation.nodes`",
        },
    ]
}

fn with_depot(config: &Config, stops: usize) -> f64 {
    stops as f64 + if config.model.task == Task::Atsp { 0.0 } else { 1.0 }
}

/// Copies of the weights: the network has them as they are and packed in both ways, Adam has two more, and to save
/// them takes two of all that is saved; a step has gradients on every thread and along the tree of their sums.
fn weights(config: &Config, threads: f64) -> f64 {
    let count: usize = config.model.parameters().iter().map(|parameter| parameter.count()).sum();
    let saved = if config.ema.is_some() { 4.0 } else { 3.0 };
    (3.0 + saved + f64::max(2.0 * saved, 1.0 + threads + chunks(config).log2())) * count as f64
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
    // Routes come back to the depot now and then.
    let steps = if model.task == Task::Atsp { nodes } else { 1.5 * nodes };

    let inputs = (2.0 + model.mix.len() as f64) * square;
    let tape = model.layers as f64 * (2.0 * heads * square + nodes * (8.0 * width + hidden));
    let workshop = 3.0 * square + nodes * (6.0 * width + hidden);
    let tables = (4.0 * heads + model.terms.len() as f64) * square + 16.0 * nodes * width;
    // What was chosen, and what the network thought; it thinks again about what it was told.
    let thoughts = width + nodes + 8.0;
    let (kept, again) = match config.loss.kind {
        LossKind::Imitation => (0.0, steps * (thoughts + 3.0 * nodes)),
        LossKind::Reinforce | LossKind::Preference | LossKind::Leader => (thoughts, 0.0),
    };
    let record = starts * steps * (kept + 8.0 + nodes / 32.0 + model.context() as f64);
    let rows = starts * (thoughts + 6.0 * nodes);
    chunk * (inputs + tape + workshop) + tables + record + again + rows
}

/// What a thread that validates takes, beside the weights and the instance.
fn decoding(config: &Config, nodes: f64) -> f64 {
    let model = &config.model;
    let square = nodes * (nodes + 8.0);
    let matrices = 7.0 + (model.mix.len() + model.terms.len()) as f64 + 2.0 * model.heads as f64;
    matrices * square + nodes * (20.0 * model.width as f64 + model.hidden as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(preset: &str, set: &[&str], free: u64) -> Option<String> {
        let set: Vec<String> = set.iter().map(|&text| text.to_owned()).collect();
        let text = crate::config::named(preset).expect("a preset");
        let config = Config::from_toml(text, &set).expect("sound");
        refuse(&config, Some(free)).err().map(|error| {
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
        assert!(refuse(&Config::default(), None).is_ok());
    }
}
