//! What trajectories chose, step by step: the rows from which the decoder learns.

use std::iter::Skip;

use radar_kernel::random::Stream;
use radar_net::context::Context;
use radar_net::network::Step;
use radar_net::policy::spread;
use radar_rollout::{Batch, Policy};

/// Every choice of every trajectory of one instance, in the order in which they were made. Where only one
/// node was possible there is nothing to learn, and no row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    /// Whose choice each row is.
    pub trajectory: Vec<usize>,
    pub chosen: Vec<usize>,
    current: Vec<usize>,
    home: Vec<usize>,
    /// C numbers per row.
    context: Vec<f32>,
    /// The masks, `stride` words each.
    words: Vec<u64>,
    stride: usize,
}

impl Record {
    pub fn len(&self) -> usize {
        self.chosen.len()
    }

    /// Notes what a policy chose.
    fn note(&mut self, batch: &Batch<'_>, context: &Context, actions: &[usize]) {
        self.stride = batch.stride();
        for at in (0..batch.len()).filter(|&at| !batch.ended(at) && batch.mask(at).count() > 1) {
            let state = &batch.states()[at];
            self.trajectory.push(at);
            self.chosen.push(actions[at]);
            self.current.push(state.node);
            self.home.push(if batch.rules(at).instance().is_tour() { state.start } else { 0 });
            let begin = self.context.len();
            self.context.resize(begin + context.numbers(), 0.0);
            context.fill(state, &mut self.context[begin..]);
            self.words.extend_from_slice(&batch.masks()[at * self.stride..(at + 1) * self.stride]);
        }
    }

    /// The rows `from..to` as one step over `nodes` nodes; `mask` is overwritten.
    pub fn step<'a>(&'a self, from: usize, to: usize, nodes: usize, mask: &'a mut Vec<f32>) -> Step<'a> {
        let numbers = self.context.len() / self.len().max(1);
        mask.resize((to - from) * nodes, 0.0);
        let words = self.words[from * self.stride..to * self.stride].chunks_exact(self.stride.max(1));
        words.zip(mask.chunks_exact_mut(nodes)).for_each(|(words, mask)| spread(words, mask));
        Step {
            current: &self.current[from..to],
            home: &self.home[from..to],
            context: &self.context[from * numbers..to * numbers],
            mask,
        }
    }
}

/// A policy whose choices are noted.
pub(crate) struct Recording<'a, P> {
    pub policy: P,
    pub context: &'a Context,
    pub record: Record,
}

impl<P: Policy> Policy for Recording<'_, P> {
    fn choose(
        &mut self,
        batch: &Batch<'_>,
        streams: &mut [Stream],
        actions: &mut [usize],
        log_probs: &mut [f32],
    ) {
        self.policy.choose(batch, streams, actions, log_probs);
        self.record.note(batch, self.context, actions);
    }
}

/// Goes where it is told: the nodes of each trajectory in order, the start skipped.
pub(crate) struct Told {
    pub paths: Vec<Skip<std::vec::IntoIter<usize>>>,
}

impl Policy for Told {
    fn choose(&mut self, batch: &Batch<'_>, _: &mut [Stream], actions: &mut [usize], _: &mut [f32]) {
        for at in (0..batch.len()).filter(|&at| !batch.ended(at)) {
            // A path that is over, or leaves the masks, ends where any policy may end.
            let told = self.paths[at].next().filter(|&node| batch.mask(at).contains(node));
            actions[at] = told.or_else(|| batch.mask(at).nth(0)).unwrap_or(0);
        }
    }
}
