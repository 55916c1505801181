//! Driving trajectories to their end.

use radar_kernel::random::Stream;
use radar_problem::{Instance, Routes};
use rayon::prelude::*;

use crate::Stop;
use crate::batch::Batch;
use crate::mask::Rules;
use crate::policy::Policy;
use crate::starts::Starts;

/// What one trajectory has come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory {
    /// The index of its instance.
    pub instance: usize,
    /// Its forced first node.
    pub start: usize,
    /// The scaled cost of what was driven.
    pub cost: i64,
    /// Whether every stop is served.
    pub complete: bool,
    /// The logarithm of the probability of its choices, as the policy stated them.
    pub log_prob: f64,
    routes: Routes,
}

impl Trajectory {
    pub(crate) fn new(instance: &Instance, index: usize, path: &[u32], cost: i64, complete: bool) -> Self {
        let mut path: Vec<usize> = path.iter().map(|&node| node as usize).collect();
        let start = path.first().copied().unwrap_or(0);
        let routes = if instance.is_tour() {
            let depot = path.iter().position(|&node| node == 0).unwrap_or(0);
            path.rotate_left(depot);
            vec![path]
        } else {
            path.split(|&node| node == 0).filter(|route| !route.is_empty()).map(<[usize]>::to_vec).collect()
        };
        Self { instance: index, start, cost, complete, log_prob: 0.0, routes: Routes(routes) }
    }

    /// The plan, unless the trajectory is incomplete: then there is none.
    pub fn plan(&self) -> Option<&Routes> {
        self.complete.then_some(&self.routes)
    }

    /// The plan, by value.
    pub fn into_plan(self) -> Option<Routes> {
        self.complete.then_some(self.routes)
    }

    /// What was built, complete or not.
    pub fn routes(&self) -> &Routes {
        &self.routes
    }

    /// What was built, complete or not. The routes of an incomplete one are legal by themselves (a
    /// vehicle could always return), which a broken-off tour is not.
    pub(crate) fn into_routes(self) -> Routes {
        self.routes
    }
}

/// Lets `policy` choose for the whole batch until every trajectory has ended or `stop` says so.
/// `streams` has one stream per trajectory.
pub fn run(
    mut batch: Batch<'_>,
    policy: &mut impl Policy,
    streams: &mut [Stream],
    stop: Stop<'_>,
) -> Vec<Trajectory> {
    let mut actions = vec![0; batch.len()];
    let mut step = vec![0.0; batch.len()];
    let mut sums = vec![0.0; batch.len()];
    while !batch.is_done() && !stop() {
        step.fill(0.0);
        policy.choose(&batch, streams, &mut actions, &mut step);
        for (sum, step) in sums.iter_mut().zip(&step) {
            *sum += f64::from(*step);
        }
        batch.advance(&actions);
    }
    let mut trajectories = batch.finish();
    for (trajectory, sum) in trajectories.iter_mut().zip(sums) {
        trajectory.log_prob = sum;
    }
    trajectories
}

/// Rolls every instance out from its starts, in the order of instances and starts. Blocks of
/// trajectories run in parallel, each with a policy of its own; the result depends on the seed alone.
pub fn rollout<P: Policy>(
    instances: &[&Instance],
    starts: Starts,
    seed: u64,
    policy: impl Fn() -> P + Sync,
) -> Vec<Trajectory> {
    let rules: Vec<Rules<'_>> = instances.par_iter().map(|instance| Rules::new(instance)).collect();
    let starts: Vec<(usize, usize)> = rules
        .iter()
        .enumerate()
        .flat_map(|(index, rules)| starts.of(&rules.starts()).into_iter().map(move |start| (index, start)))
        .collect();
    rollout_from(&rules, &starts, seed, policy, &|| false)
}

/// Rolls out from (instance, start) pairs; what is unfinished at a stop is incomplete.
pub(crate) fn rollout_from<P: Policy>(
    rules: &[Rules<'_>],
    starts: &[(usize, usize)],
    seed: u64,
    policy: impl Fn() -> P + Sync,
    stop: Stop<'_>,
) -> Vec<Trajectory> {
    // A step of a block takes well below a millisecond, so that `stop` is asked often enough.
    const NODES_PER_BLOCK: usize = 1 << 14;
    let nodes = rules.iter().map(|rules| rules.instance().nodes()).max().unwrap_or(1);
    let width = (NODES_PER_BLOCK / nodes.max(1)).clamp(1, 64);
    starts
        .par_chunks(width)
        .enumerate()
        .flat_map_iter(|(block, starts)| {
            if stop() {
                return Vec::new();
            }
            let index = |at: usize| (block * width + at) as u64;
            let mut streams: Vec<Stream> =
                (0..starts.len()).map(|at| Stream::new(seed, "rollout", index(at))).collect();
            run(Batch::new(rules, starts), &mut policy(), &mut streams, stop)
        })
        .collect()
}
