//! One batch: roll out, weigh, and follow the loss back to every weight.

use std::sync::{Mutex, PoisonError};

use radar_kernel::random::Stream;
use radar_net::context::Context;
use radar_net::input::{Draw, Input};
use radar_net::network::{EncoderTape, Network, Tables, TablesGradient};
use radar_net::policy::{Decode, Pointer};
use radar_net::{NetError, Weights};
use radar_problem::{Instance, Routes};
use radar_rollout::{Batch, Policy, Rules, Trajectory, run};
use rayon::prelude::*;

use crate::loss::Loss;
use crate::record::{Record, Recording, Told};
use crate::tree::{Node, Tree};

/// How a lesson is given.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// What is learned from trajectories.
    pub loss: Loss,
    /// From how many starts, drawn for every instance; all unless given.
    pub starts: Option<usize>,
    /// Instances whose gradients are summed one after the other before the tree begins.
    pub chunk: usize,
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
    /// The mean cost over the starts of each instance, in stated units.
    pub costs: Vec<f64>,
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
    /// What all chunks of a batch taught. Sums over instances are made in their order.
    pub fn of(gradient: Vec<f32>, tallies: &[Tally]) -> Self {
        let tally = tallies.iter().copied().fold(Tally::default(), Tally::and);
        Self { gradient, tally, costs: tallies.iter().map(|tally| tally.mean).collect() }
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
            let mut gradient = Weights::zeros(network.weights().config());
            let mut tallies = Vec::new();
            let first = moment.first + chunk * size;
            for (at, item) in items.iter().enumerate() {
                if stop() {
                    return Ok(None);
                }
                let pupil = Pupil { network, item, method, moment, index: first + at };
                tallies.push(pupil.learn(&mut gradient)?);
            }
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

/// One instance of a batch, and everything it depends on.
struct Pupil<'a> {
    network: &'a Network,
    item: &'a Item,
    method: &'a Method,
    moment: Moment,
    /// Its place in the whole batch.
    index: usize,
}

/// Rows that go back through the decoder together.
const ROWS: usize = 128;

impl Pupil<'_> {
    /// Adds the gradient of this instance's share of the mean loss.
    fn learn(&self, gradient: &mut Weights) -> Result<Tally, NetError> {
        let (network, instance) = (self.network, &self.item.instance);
        let config = network.weights().config();
        let mut draw = Stream::new(self.moment.seed, "lesson", self.moment.step << 20 | self.index as u64);
        let sketch = Draw { seed: draw.bits(), index: 0 };
        let input = Input::of(config, instance, sketch, network.isa())?;
        let mut tape = EncoderTape::default();
        let tables = network.tables(&input, network.encode_taping(&input, &mut tape));
        let context = Context::of(config, instance);
        let (record, trajectories) = self.roll_out(&tables, &context, &mut draw);

        let scale = instance.cost_scale();
        let costs: Vec<f64> = trajectories.iter().map(|one| scale.undo(one.cost)).collect();
        let log_probs: Vec<f64> = trajectories.iter().map(|one| one.log_prob).collect();
        let mut steps = vec![0; trajectories.len()];
        record.trajectory.iter().for_each(|&at| steps[at] += 1);
        let complete: Vec<usize> = (0..trajectories.len()).filter(|&at| trajectories[at].complete).collect();
        let pick = |values: &[f64]| complete.iter().map(|&at| values[at]).collect::<Vec<f64>>();
        let compared: Vec<f64> = pick(&costs).iter().map(|cost| cost / self.item.scale).collect();
        let steps_of: Vec<usize> = complete.iter().map(|&at| steps[at]).collect();
        let mut slopes = vec![0.0; complete.len()];
        // Imitation learns the log-probabilities on the way back; its weights do not depend on them.
        let mut loss = self.method.loss.weigh(&compared, &pick(&log_probs), &steps_of, &mut slopes);
        let mut weights = vec![0.0; trajectories.len()];
        for (&at, &slope) in complete.iter().zip(&slopes) {
            weights[at] = slope / self.moment.global as f64;
        }

        let learned = self.go_back(&tables, &record, &weights, gradient, |of_encoding, gradient| {
            network.encode_backward(&input, &tape, of_encoding, gradient);
        });
        let mut gap = 0.0_f64;
        if self.method.loss.imitates() {
            loss = complete.iter().zip(&slopes).map(|(&at, slope)| slope * learned[at]).sum();
        } else {
            gap = complete.iter().map(|&at| (learned[at] - log_probs[at]).abs()).fold(0.0, f64::max);
        }
        let costs = pick(&costs);
        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
        Ok(Tally {
            instances: 1,
            loss,
            best: if costs.is_empty() { 0.0 } else { least },
            mean: costs.iter().sum::<f64>() / costs.len().max(1) as f64,
            trajectories: trajectories.len(),
            complete: complete.len(),
            log_prob_gap: gap,
        })
    }

    /// Follows every row back; returns the log-probability of every trajectory.
    fn go_back(
        &self,
        tables: &Tables<'_>,
        record: &Record,
        weights: &[f64],
        gradient: &mut Weights,
        encoder: impl FnOnce(Vec<f32>, &mut Weights),
    ) -> Vec<f64> {
        let mut learned = vec![0.0; weights.len()];
        let mut of_tables = TablesGradient::new(tables);
        let (mut mask, mut of_rows, mut log_probs) = (Vec::new(), Vec::new(), Vec::new());
        for from in (0..record.len()).step_by(ROWS) {
            let to = (from + ROWS).min(record.len());
            let owners = &record.trajectory[from..to];
            of_rows.clear();
            of_rows.extend(owners.iter().map(|&at| weights[at] as f32));
            log_probs.clear();
            log_probs.resize(to - from, 0.0);
            let step = record.step(from, to, tables.nodes(), &mut mask);
            of_tables.learn(tables, &step, &record.chosen[from..to], &of_rows, &mut log_probs, gradient);
            owners.iter().zip(&log_probs).for_each(|(&at, &log)| learned[at] += f64::from(log));
        }
        let of_encoding = of_tables.finish(tables, gradient);
        encoder(of_encoding, gradient);
        learned
    }

    /// The trajectories of this instance, drawn or told.
    fn roll_out(
        &self,
        tables: &Tables<'_>,
        context: &Context,
        draw: &mut Stream,
    ) -> (Record, Vec<Trajectory>) {
        let instance = &self.item.instance;
        let rules = [Rules::new(instance)];
        let mut starts = rules[0].starts();
        match &self.item.label {
            Some(label) if self.method.loss.imitates() => {
                let paths = told_paths(instance, label, self.method.starts, draw);
                let starts = paths.iter().map(|path| (0, path[0])).collect::<Vec<_>>();
                let paths = paths.into_iter().map(|path| path.into_iter().skip(1)).collect();
                finish(&rules, &starts, Told { paths }, context, draw)
            }
            _ => {
                if let Some(count) = self.method.starts
                    && count < starts.len()
                {
                    let chosen = draw.sample(starts.len(), count);
                    starts = chosen.into_iter().map(|at| starts[at]).collect();
                }
                let starts: Vec<(usize, usize)> = starts.into_iter().map(|start| (0, start)).collect();
                let policy = Pointer::new(tables, context, Decode::Sample { temperature: 1.0 }, None);
                finish(&rules, &starts, policy, context, draw)
            }
        }
    }
}

/// Rolls out and records.
fn finish(
    rules: &[Rules<'_>],
    starts: &[(usize, usize)],
    policy: impl Policy,
    context: &Context,
    draw: &mut Stream,
) -> (Record, Vec<Trajectory>) {
    let mut streams: Vec<Stream> =
        (0..starts.len()).map(|at| Stream::new(draw.bits(), "trajectory", at as u64)).collect();
    let mut recording = Recording { policy, context, record: Record::default() };
    let trajectories = run(Batch::new(rules, starts), &mut recording, &mut streams, &|| false);
    (recording.record, trajectories)
}

/// The node sequences by which a plan can be built: a tour from any of its nodes; routes in random orders,
/// with the depot between them.
fn told_paths(
    instance: &Instance,
    label: &Routes,
    count: Option<usize>,
    draw: &mut Stream,
) -> Vec<Vec<usize>> {
    if instance.is_tour() {
        let tour = label.0.first().cloned().unwrap_or_default();
        let count = count.unwrap_or(tour.len()).min(tour.len());
        let from_node = |at: usize| [&tour[at..], &tour[..at]].concat();
        return draw.sample(tour.len(), count).into_iter().map(from_node).collect();
    }
    let count = count.unwrap_or(instance.nodes() - 1);
    let build = |_| {
        let mut order: Vec<&Vec<usize>> = label.0.iter().filter(|route| !route.is_empty()).collect();
        draw.shuffle(&mut order);
        let mut path: Vec<usize> = order.iter().flat_map(|route| route.iter().copied().chain([0])).collect();
        path.pop();
        path.push(0);
        path
    };
    (0..count).map(build).filter(|path| path.len() > 1).collect()
}
