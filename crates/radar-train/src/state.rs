//! Everything that resuming needs, in one file: weights, memories of the optimiser, running means, counts.

use radar_net::NetError;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};

use crate::config::Spent;
use crate::error::TrainError;
use crate::fingerprint;
use crate::metrics::Pending;
use crate::normaliser::Normaliser;
use crate::optimiser::{Average, Optimiser};
use crate::roads::Prints;
use crate::seen::Seen;
use crate::validation::Mark;

/// The small part of a state. (Random streams need no place in it: they follow from the seed and the counts.)
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Status {
    /// What the run has used.
    pub spent: Spent,
    /// The last validation and the step after which it was.
    pub examined: Option<(u64, Mark)>,
    /// The best validation.
    pub best: Option<Mark>,
    /// The step after which it was.
    #[serde(default)]
    pub best_step: u64,
    /// The mean best cost of the last steps, in stated units, where any plan was complete.
    pub score: Option<f64>,
    /// Where the journal ends.
    pub journal: u64,
    /// Steps that are not in the journal yet.
    pub pending: Pending,
    /// The running means of costs.
    pub normaliser: Normaliser,
    /// What the weights have been shown.
    pub seen: Seen,
    /// Where the first weights came from, if from a file.
    pub init: Option<String>,
    /// What these weights had behind them.
    #[serde(default)]
    pub earlier: Earlier,
    /// The road matrices that instances are cut out of; not known of runs before there was this.
    #[serde(default)]
    pub roads: Option<Prints>,
    /// Those of the validation set, where it has its own.
    #[serde(default)]
    pub validation_roads: Option<Prints>,
    /// The instruction set that computed it.
    pub isa: String,
    /// The configuration that it is of.
    pub config: Option<String>,
}

/// What weights had behind them when a run began with them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Earlier {
    /// Instances. The run's own are numbered from here on, so that none comes again.
    pub instances: u64,
    /// CPU time.
    pub cpu_hours: f64,
    /// What they were trained on, in words.
    #[serde(default)]
    pub trained_on: Option<String>,
}

/// The large part of a state.
pub struct Tensors<'a> {
    /// The weights.
    pub weights: &'a mut [f32],
    /// The optimiser.
    pub optimiser: &'a mut dyn Optimiser,
    /// The running mean of the weights.
    pub average: Option<&'a mut Average>,
}

const STATUS: &str = "status";
const WEIGHTS: &str = "weights";
const AVERAGE: &str = "average";

/// What tells whether anything has changed since it was written.
fn sum<'a>(status: &str, tensors: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    // A file has its own order.
    let mut tensors: Vec<(&str, &[u8])> = tensors.collect();
    tensors.sort_unstable();
    let parts = tensors.into_iter().flat_map(|(name, data)| [name.as_bytes(), data]);
    fingerprint::of(std::iter::once(status.as_bytes()).chain(parts))
}

fn memory_name(name: &str) -> String {
    format!("memory.{name}")
}

/// The state as the bytes of a file.
pub fn write(status: &Status, tensors: &Tensors<'_>) -> Result<Vec<u8>, TrainError> {
    let internal = |error: String| TrainError::new("internal", error, "please report it");
    let mut named: Vec<(String, &[f32])> = vec![(WEIGHTS.to_owned(), &*tensors.weights)];
    named.extend(tensors.optimiser.memory().into_iter().map(|(name, values)| (memory_name(name), values)));
    named.extend(tensors.average.as_deref().map(|average| (AVERAGE.to_owned(), average.values())));
    let data: Vec<Vec<u8>> = named
        .iter()
        .map(|(_, values)| values.iter().flat_map(|value| value.to_le_bytes()).collect())
        .collect();
    let mut views = Vec::new();
    for ((name, values), data) in named.iter().zip(&data) {
        let view = TensorView::new(Dtype::F32, vec![values.len()], data);
        views.push((name.as_str(), view.map_err(|error| internal(error.to_string()))?));
    }
    let status = serde_json::to_string(status).map_err(|error| internal(error.to_string()))?;
    let sum = sum(&status, named.iter().zip(&data).map(|((name, _), data)| (name.as_str(), data.as_slice())));
    // One entry: the order of several in a file is anybody's guess.
    let metadata = Some([(STATUS.to_owned(), format!("{sum} {status}"))].into_iter().collect());
    safetensors::serialize(views, metadata).map_err(|error| internal(error.to_string()))
}

/// Whether the bytes of a file are those of a state, sound or not.
pub fn is_state(bytes: &[u8]) -> bool {
    let header = SafeTensors::read_metadata(bytes).ok();
    header
        .is_some_and(|(_, header)| header.metadata().as_ref().is_some_and(|known| known.contains_key(STATUS)))
}

/// The small part of a state, before anything is built that it could be read into.
pub fn status(bytes: &[u8]) -> Result<Status, TrainError> {
    serde_json::from_str(&words(bytes)?.1).map_err(|error| damaged(error.to_string()))
}

/// The sum of a state, and its status in words.
fn words(bytes: &[u8]) -> Result<(String, String), TrainError> {
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| damaged(error.to_string()))?;
    let text = header.metadata().as_ref().and_then(|metadata| metadata.get(STATUS));
    let text = text.ok_or_else(|| damaged("it says nothing of where the run stood"))?;
    let (sum, text) = text.split_once(' ').ok_or_else(|| damaged("its sum is missing"))?;
    Ok((sum.to_owned(), text.to_owned()))
}

/// Reads a state back into what a configuration has built.
pub fn read(bytes: &[u8], tensors: &mut Tensors<'_>) -> Result<Status, TrainError> {
    let (known, text) = words(bytes)?;
    let status = status(bytes)?;
    let file = SafeTensors::deserialize(bytes).map_err(|error| damaged(error.to_string()))?;
    let views = file.tensors();
    let parts = views.iter().map(|(name, tensor)| (name.as_str(), tensor.data()));
    if known != sum(&text, parts) {
        return Err(damaged("its numbers are not those that were written"));
    }
    fill(&file, WEIGHTS, tensors.weights)?;
    for (name, values) in tensors.optimiser.memory_mut() {
        fill(&file, &memory_name(name), values)?;
    }
    if let Some(average) = tensors.average.as_deref_mut() {
        fill(&file, AVERAGE, average.values_mut())?;
    }
    Ok(status)
}

fn fill(file: &SafeTensors<'_>, name: &str, values: &mut [f32]) -> Result<(), TrainError> {
    let tensor = file.tensor(name).map_err(|error| damaged(format!("`{name}`: {error}")))?;
    if tensor.dtype() != Dtype::F32 || tensor.data().len() != 4 * values.len() {
        return Err(damaged(format!("`{name}` is of another network")));
    }
    for (value, bytes) in values.iter_mut().zip(tensor.data().as_chunks::<4>().0) {
        *value = f32::from_le_bytes(*bytes);
    }
    Ok(())
}

fn damaged(cause: impl Into<String>) -> TrainError {
    NetError::new(
        "bad-state",
        format!("the state of the run: {}", cause.into()),
        "go on from the weights alone: --init RUN/last.safetensors with another --out",
    )
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config;
    use crate::optimiser::{Adam, Turn};

    #[test]
    fn a_state_of_before_is_understood() {
        let status = Status { roads: None, validation_roads: None, ..Status::default() };
        let mut value = serde_json::to_value(&status).expect("JSON");
        for key in ["earlier", "roads", "validation_roads"] {
            assert!(value.as_object_mut().and_then(|map| map.remove(key)).is_some(), "{key}");
        }
        assert!(value["pending"].as_object_mut().and_then(|map| map.remove("unsolved")).is_some());
        assert_eq!(serde_json::from_value::<Status>(value).expect("a status"), status);
    }

    #[test]
    fn a_state_is_read_back_bit_for_bit() {
        let config = config::Optimiser::default();
        let mut weights = vec![0.1_f32, -2.5, 1e-30];
        let mut adam = Adam::new(&config, 3);
        adam.step(&mut weights, &[0.3, 0.7, -1.0], Turn { step: 1, rate: 0.01 });
        let mut average = Average::new(0.9, &weights);
        let mut status = Status { isa: "portable".to_owned(), score: Some(0.1 + 0.2), ..Status::default() };
        status.pending.take(
            &crate::lesson::Tally { instances: 1, loss: 1.0 / 3.0, ..Default::default() },
            7,
            1e-17,
            4e-4,
        );
        let tensors =
            Tensors { weights: &mut weights.clone(), optimiser: &mut adam, average: Some(&mut average) };
        let bytes = write(&status, &tensors).expect("written");
        assert!(is_state(&bytes) && !is_state(&bytes[..40]) && !is_state(b"weights"));

        let mut fresh_weights = vec![0.0; 3];
        let mut fresh = Adam::new(&config, 3);
        let mut fresh_average = Average::new(0.9, &[0.0; 3]);
        let mut tensors =
            Tensors { weights: &mut fresh_weights, optimiser: &mut fresh, average: Some(&mut fresh_average) };
        assert_eq!(super::status(&bytes).expect("read"), status);
        assert_eq!(read(&bytes, &mut tensors).expect("read"), status);
        assert_eq!(fresh_weights, weights);
        assert_eq!(fresh.memory(), adam.memory());
        assert_eq!(fresh_average.values(), average.values());

        let mut other = vec![0.0; 4];
        let mut adam = Adam::new(&config, 4);
        let mut tensors = Tensors { weights: &mut other, optimiser: &mut adam, average: None };
        assert_eq!(read(&bytes, &mut tensors).expect_err("another network").code, "bad-state");
        assert_eq!(read(&bytes[..40], &mut tensors).expect_err("cut off").code, "bad-state");

        let mut tensors =
            Tensors { weights: &mut fresh_weights, optimiser: &mut fresh, average: Some(&mut fresh_average) };
        for at in bytes.len() - 4 * 12..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 4;
            assert_eq!(read(&bytes, &mut tensors).expect_err("a bit has changed").code, "bad-state");
        }
    }
}
