//! One batch: roll out, weigh, and follow the loss back to every weight.

use std::sync::{Mutex, PoisonError};

use radar_net::network::Network;
use radar_net::{NetError, Weights};
use radar_problem::{Instance, Routes};
use rayon::prelude::*;
use serde::Serialize;

use crate::loss::Loss;
use crate::pupil::Class;
use crate::tree::{Node, Tree};

/// How a lesson is given.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// What is learned from trajectories.
    pub loss: Loss,
    /// From how many starts, drawn for every instance; all unless given.
    pub starts: Option<usize>,
    /// How these are drawn.
    pub first_nodes: FirstNodes,
    /// Instances whose gradients are summed one after the other before the tree begins.
    pub chunk: usize,
}

/// How first nodes are drawn where not all are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FirstNodes {
    /// Each as likely as any other.
    Any,
    /// Of routes those rather that the policy would itself choose; of a tour all are alike.
    Likely,
}

/// One instance of a batch.
#[derive(Clone, Debug)]
pub struct Item {
    /// What is solved.
    pub instance: Instance,
    /// A good plan, for imitation.
    pub label: Option<Routes>,
    /// What costs are divided by before they are compared.
    pub scale: f64,
}

/// Where a batch stands: everything random follows from it.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The seed of the run.
    pub seed: u64,
    /// The number of the batch.
    pub step: u64,
    /// The place of the first instance in the whole batch.
    pub first: usize,
    /// How many instances the whole batch has.
    pub global: usize,
}

/// What a batch taught.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// The gradient of the mean loss, flat, in the order of the weights.
    pub gradient: Vec<f32>,
    /// What was seen.
    pub tally: Tally,
    /// The mean cost over the starts of each instance, in stated units; none where no trajectory was complete.
    pub costs: Vec<Option<f64>>,
}

/// What some chunks of a batch taught.
#[derive(Clone, Debug)]
pub struct Part {
    /// The gradients of its chunks, added up as far as they are neighbours.
    pub gradient: Tree,
    /// What was seen of each instance, in order.
    pub tallies: Vec<Tally>,
}

/// Sums over instances.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Instances.
    pub instances: usize,
    /// How many of them no trajectory completed: they have no costs.
    pub unsolved: usize,
    /// The sum of their losses.
    pub loss: f64,
    /// The sum of the best costs over their starts, in stated units.
    pub best: f64,
    /// The sum of the mean costs over their starts.
    pub mean: f64,
    /// Trajectories, and how many of them were complete.
    pub trajectories: usize,
    /// Of these complete.
    pub complete: usize,
    /// The largest difference between a trajectory's log-probability when it was drawn and when it was
    /// learned from.
    pub log_prob_gap: f64,
}

impl Tally {
    /// Both together.
    pub fn and(self, other: Self) -> Self {
        Self {
            instances: self.instances + other.instances,
            unsolved: self.unsolved + other.unsolved,
            loss: self.loss + other.loss,
            best: self.best + other.best,
            mean: self.mean + other.mean,
            trajectories: self.trajectories + other.trajectories,
            complete: self.complete + other.complete,
            log_prob_gap: self.log_prob_gap.max(other.log_prob_gap),
        }
    }
}

impl Lesson {
    /// The mean over instances of their best costs; none where nothing was complete.
    pub fn score(&self) -> Option<f64> {
        let solved = self.tally.instances - self.tally.unsolved;
        (solved > 0).then(|| self.tally.best / solved as f64)
    }

    /// What all chunks of a batch taught. Sums over instances are made in their order.
    pub fn of(gradient: Vec<f32>, tallies: &[Tally]) -> Self {
        let tally = tallies.iter().copied().fold(Tally::default(), Tally::and);
        let costs = tallies.iter().map(|tally| (tally.unsolved == 0).then_some(tally.mean));
        Self { gradient, tally, costs: costs.collect() }
    }
}

/// Gives one batch: the gradient of its mean loss.
pub fn teach(network: &Network, items: &[Item], method: &Method, moment: Moment) -> Result<Lesson, NetError> {
    let part = teach_part(network, items, method, moment, &|| false)?;
    Ok(part.map_or_else(|| Lesson::of(Vec::new(), &[]), Part::whole))
}

impl Part {
    /// The lesson, if this part is the whole batch.
    pub fn whole(self) -> Lesson {
        Lesson::of(self.gradient.total().unwrap_or_default(), &self.tallies)
    }
}

/// Gives a part of a batch, which must begin at a multiple of the chunk: `items` are those from
/// `moment.first` on. What it teaches does not depend on who gives it. `None` when it was stopped.
pub fn teach_part(
    network: &Network,
    items: &[Item],
    method: &Method,
    moment: Moment,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Part>, NetError> {
    let size = method.chunk.max(1);
    let tree = Mutex::new(Tree::new(moment.global.div_ceil(size)));
    type Chunk = Result<Option<Vec<Tally>>, NetError>;
    let chunks: Vec<Chunk> = items
        .par_chunks(size)
        .enumerate()
        .map(|(chunk, items)| {
            let memory = tree.lock().unwrap_or_else(PoisonError::into_inner).take_spent();
            let mut gradient = Weights::zeros_in(network.weights().config(), memory);
            let first = moment.first + chunk * size;
            let class = Class { network, items, method, moment, first };
            let Some(tallies) = class.learn(stop, &mut gradient)? else { return Ok(None) };
            let mut tree = tree.lock().unwrap_or_else(PoisonError::into_inner);
            tree.add(Node::leaf(first / size), gradient.into_values());
            Ok(Some(tallies))
        })
        .collect();
    let mut tallies = Vec::new();
    for chunk in chunks {
        match chunk? {
            Some(chunk) => tallies.extend(chunk),
            None => return Ok(None),
        }
    }
    Ok(Some(Part { gradient: tree.into_inner().unwrap_or_else(PoisonError::into_inner), tallies }))
}
