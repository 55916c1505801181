//! Loading a recorded case: every key there, every shape right, every number finite.

use std::collections::BTreeMap;

use crate::checkpoint::Archive;
use crate::config::{Config, Task};
use crate::error::NetError;
use crate::reference::environment::forced;
use crate::weights::Weights;

/// A recorded case.
pub struct Case {
    /// The weights, with the network's configuration.
    pub weights: Weights,
    /// How many instances there are.
    pub batch: usize,
    /// Nodes of each, the depot included.
    pub nodes: usize,
    /// Trajectories of each.
    pub starts: usize,
    /// Steps of each trajectory, forced ones included.
    pub steps: usize,
    actions: Vec<usize>,
    tensors: BTreeMap<String, Vec<f32>>,
    ignored: Vec<String>,
}

/// The inputs of one instance of a case.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// N.
    pub nodes: usize,
    /// The raw matrix (N, N).
    pub distance: &'a [f32],
    /// Demand over capacity of nodes 1, 2, ...; empty for a tour.
    pub demand: &'a [f32],
    /// The recorded input of the projection (N, F).
    pub features: &'a [f32],
    /// The nodes of every trajectory in order, forced first moves included.
    pub trajectories: Vec<&'a [usize]>,
}

impl Case {
    /// Reads a file's content.
    pub fn open(bytes: &[u8]) -> Result<Self, NetError> {
        let archive = Archive::open(bytes)?;
        let config = Config::from_sizes(archive.metadata())?;
        if config.task == Task::Vrp {
            let action = "give a case of atsp or acvrp";
            return Err(NetError::new("bad-case", "recorded cases know no task vrp", action));
        }
        let weights = Archive::open(bytes)?.weights_of_case().weights(&config)?;

        let [batch, nodes, _] = extents(&archive, "in.distance")?;
        let [_, starts, steps] = extents(&archive, "rollout.actions")?;
        let stops = nodes.saturating_sub(usize::from(config.task == Task::Acvrp));
        stated(&archive, "batch", batch)?;
        stated(&archive, "nodes", stops)?;

        let decided = steps.saturating_sub(forced(config.task));
        let mut wanted = vec![
            ("in.distance".to_owned(), vec![batch, nodes, nodes]),
            ("act.features".to_owned(), vec![batch, nodes, config.columns()]),
            ("act.embedding".to_owned(), vec![batch, nodes, config.width]),
            ("rollout.step_probabilities".to_owned(), vec![batch, starts, decided, nodes]),
            ("rollout.chosen_probability".to_owned(), vec![batch, starts, steps]),
            ("rollout.cost".to_owned(), vec![batch, starts]),
        ];
        if config.task == Task::Acvrp {
            wanted.push(("in.demand".to_owned(), vec![batch, stops]));
        }
        for layer in 0..config.layers {
            for name in [format!("act.encoder.{layer}.attention"), format!("act.encoder.{layer}")] {
                wanted.push((name, vec![batch, nodes, config.width]));
            }
        }
        wanted.extend(gradients(&archive, &weights));

        let mut tensors = BTreeMap::new();
        for (name, shape) in wanted {
            shaped(&archive, &name, &shape)?;
            let values = archive.floats(&name)?;
            if let Some(place) = values.iter().position(|value| !value.is_finite()) {
                let cause = format!("`{name}` holds {} at entry {place}", values[place]);
                return Err(NetError::new("not-finite", cause, "record the case again"));
            }
            tensors.insert(name, values);
        }
        shaped(&archive, "rollout.actions", &[batch, starts, steps])?;
        let actions = actions(&archive, nodes)?;
        let known = |name: &str| {
            tensors.contains_key(name) || name == "rollout.actions" || name.starts_with("weight.")
        };
        let ignored = archive.names().filter(|name| !known(name)).map(str::to_owned).collect();
        Ok(Self { weights, batch, nodes, starts, steps, actions, tensors, ignored })
    }

    /// The inputs, one question per instance.
    pub fn questions(&self) -> Vec<Question<'_>> {
        let one = |at: usize| Question {
            nodes: self.nodes,
            distance: self.recorded("in.distance", at),
            demand: self.recorded("in.demand", at),
            features: self.recorded("act.features", at),
            trajectories: self.trajectories(at),
        };
        (0..self.batch).map(one).collect()
    }

    /// What was recorded for instance `at` under a name; empty when there is nothing of that name.
    pub fn recorded(&self, name: &str, at: usize) -> &[f32] {
        let all = self.tensors.get(name).map_or(&[][..], Vec::as_slice);
        let each = all.len() / self.batch;
        &all[at * each..(at + 1) * each]
    }

    /// What was recorded under a name for the batch as a whole; empty when there is nothing of that name.
    pub fn whole(&self, name: &str) -> &[f32] {
        self.tensors.get(name).map_or(&[][..], Vec::as_slice)
    }

    /// Tensors of the file that are no part of a case as known here.
    pub fn ignored(&self) -> &[String] {
        &self.ignored
    }

    fn trajectories(&self, at: usize) -> Vec<&[usize]> {
        let each = self.starts * self.steps;
        self.actions[at * each..(at + 1) * each].chunks(self.steps).collect()
    }
}

/// Gradients belong to a case: there may be none at all, but not some.
fn gradients(archive: &Archive<'_>, weights: &Weights) -> Vec<(String, Vec<usize>)> {
    if !archive.names().any(|name| name.starts_with("grad.") || name == "loss") {
        return Vec::new();
    }
    let parameters = weights.parameters().iter();
    let mut wanted: Vec<_> =
        parameters.map(|parameter| (format!("grad.{}", parameter.name), parameter.shape.clone())).collect();
    wanted.push(("loss".to_owned(), vec![1]));
    wanted
}

fn extents<const COUNT: usize>(archive: &Archive<'_>, name: &str) -> Result<[usize; COUNT], NetError> {
    let shape = archive.shape(name).ok_or_else(|| missing(name))?;
    let extents = shape.try_into().ok().filter(|extents: &[usize; COUNT]| !extents.contains(&0));
    extents.ok_or_else(|| {
        let cause = format!("`{name}` has shape {shape:?}, not {COUNT} extents of at least 1");
        NetError::new("wrong-shape", cause, "record the case again")
    })
}

fn shaped(archive: &Archive<'_>, name: &str, wanted: &[usize]) -> Result<(), NetError> {
    match archive.shape(name) {
        None => Err(missing(name)),
        Some(found) if found != wanted => {
            let cause = format!("`{name}` has shape {found:?}, and the case needs {wanted:?}");
            Err(NetError::new("wrong-shape", cause, "record the case again"))
        }
        Some(_) => Ok(()),
    }
}

fn missing(name: &str) -> NetError {
    NetError::new("missing-tensor", format!("the case has no `{name}`"), "record the case again")
}

/// Sizes that the metadata repeats must be those of the tensors.
fn stated(archive: &Archive<'_>, key: &str, found: usize) -> Result<(), NetError> {
    match archive.metadata().get(key) {
        Some(text) if text.parse() != Ok(found) => {
            let cause = format!("the metadata says `{key}` = {text}, and the tensors say {found}");
            Err(NetError::new("wrong-shape", cause, "record the case again"))
        }
        _ => Ok(()),
    }
}

fn actions(archive: &Archive<'_>, nodes: usize) -> Result<Vec<usize>, NetError> {
    let node = |&action: &i64| {
        usize::try_from(action).ok().filter(|&action| action < nodes).ok_or_else(|| {
            let cause = format!("`rollout.actions` names node {action} of {nodes}");
            NetError::new("bad-case", cause, "record the case again")
        })
    };
    archive.integers("rollout.actions")?.iter().map(node).collect()
}
