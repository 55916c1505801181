//! The network as a policy: what the rollout asks at every step.

use radar_kernel::isa::Isa;
use radar_kernel::random::Stream;
use radar_kernel::simd::maximum;
use radar_problem::Instance;
use radar_rollout::{Batch, Policy, State};

use crate::context::Context;
use crate::journey::Journeys;
use crate::network::{Choices, Step, Tables, Thoughts};

/// How a node is chosen out of its probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decode {
    /// The most probable, the lowest number among equals.
    Greedy,
    /// Drawn, from probabilities sharpened (below 1) or flattened (above) by a temperature.
    Sample {
        /// What scores are divided by.
        temperature: f32,
    },
}

/// Where the policy would go: per node the probabilities of the next, summed over all visits.
#[derive(Clone, Debug)]
pub struct Confidence {
    nodes: usize,
    /// (N, N)
    sums: Vec<f32>,
    /// (N)
    visits: Vec<u32>,
}

impl Confidence {
    /// Nothing seen yet.
    pub fn new(nodes: usize) -> Self {
        Self { nodes, sums: vec![0.0; nodes * nodes], visits: vec![0; nodes] }
    }

    /// The mean probability of going from `from` to `to`, over all visits of `from`.
    pub fn at(&self, from: usize, to: usize) -> f32 {
        match self.visits[from] {
            0 => 0.0,
            visits => self.sums[from * self.nodes + to] / visits as f32,
        }
    }

    /// Adds what another has seen.
    pub fn add(&mut self, other: &Self) {
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, other)| *sum += other);
        self.visits.iter_mut().zip(&other.visits).for_each(|(visits, other)| *visits += other);
    }

    fn see(&mut self, from: usize, probabilities: &[f32]) {
        self.visits[from] += 1;
        let row = &mut self.sums[from * self.nodes..(from + 1) * self.nodes];
        row.iter_mut().zip(probabilities).for_each(|(sum, probability)| *sum += probability);
    }
}

/// The policy of one instance.
pub struct Pointer<'a> {
    tables: &'a Tables<'a>,
    context: &'a Context,
    decode: Decode,
    clip: f32,
    /// The trajectories that still have a choice, and where they stand: the rows of a step.
    rows: Vec<usize>,
    current: Vec<usize>,
    home: Vec<usize>,
    numbers: Vec<f32>,
    surprises: Vec<f32>,
    open: Vec<u64>,
    journeys: Journeys<'a>,
    choices: Choices,
    confidence: Option<Confidence>,
    /// Whether some probabilities were no numbers.
    is_spoilt: bool,
}

impl<'a> Pointer<'a> {
    /// The policy for the trajectories of one instance. `clip` is that of training unless given.
    pub fn new(tables: &'a Tables<'a>, context: &'a Context, decode: Decode, clip: Option<f32>) -> Self {
        let trained = tables.network().weights().config().clip as f32;
        let clip = clip.unwrap_or(trained);
        let clip = match decode {
            Decode::Greedy => clip,
            Decode::Sample { temperature } => clip / temperature,
        };
        Self {
            tables,
            context,
            decode,
            clip,
            rows: Vec::new(),
            current: Vec::new(),
            home: Vec::new(),
            numbers: Vec::new(),
            surprises: Vec::new(),
            open: Vec::new(),
            journeys: tables.journeys(),
            choices: Choices::default(),
            confidence: None,
            is_spoilt: false,
        }
    }

    /// Also counts where it would go.
    pub fn watching(mut self) -> Self {
        self.confidence = Some(Confidence::new(self.tables.nodes()));
        self
    }

    /// Whether the network once gave no probability to any node that was open: its numbers have overflowed,
    /// and what was chosen since means nothing.
    pub fn is_spoilt(&self) -> bool {
        self.is_spoilt
    }

    /// What was counted.
    pub fn into_confidence(self) -> Option<Confidence> {
        self.confidence
    }

    /// What the last step came to, for every trajectory that had not ended, in their order.
    pub fn thoughts(&self) -> &Thoughts {
        self.choices.thoughts()
    }

    /// How surprising every node was to the vehicle of each row of the last step (R, N), or nothing.
    pub fn surprises(&self) -> &[f32] {
        &self.surprises
    }

    /// Collects the rows of a step.
    fn gather(&mut self, batch: &Batch<'_>) {
        self.rows.clear();
        self.rows.extend((0..batch.len()).filter(|&at| !batch.ended(at)));
        self.current.clear();
        self.home.clear();
        let width = self.context.numbers();
        self.numbers.resize(self.rows.len() * width, 0.0);
        self.open.clear();
        let each = self.journeys.numbers();
        self.surprises.resize(self.rows.len() * each, 0.0);
        for (row, &at) in self.rows.iter().enumerate() {
            let state = &batch.states()[at];
            self.current.push(state.node);
            self.home.push(if batch.rules(at).instance().is_tour() { state.start } else { 0 });
            let numbers = &mut self.numbers[row * width..(row + 1) * width];
            self.context.fill(state, numbers);
            self.open.extend_from_slice(batch.mask(at).words());
            self.journeys.see(at, state.node);
            self.journeys.fill(
                at,
                numbers,
                batch.mask(at).words(),
                &mut self.surprises[row * each..(row + 1) * each],
            );
        }
    }
}

impl Policy for Pointer<'_> {
    fn choose(
        &mut self,
        batch: &Batch<'_>,
        streams: &mut [Stream],
        actions: &mut [usize],
        log_probs: &mut [f32],
    ) {
        self.gather(batch);
        let step = Step {
            current: &self.current,
            home: &self.home,
            context: &self.numbers,
            surprises: &self.surprises,
            open: &self.open,
        };
        self.tables.choose(&step, self.clip, &mut self.choices);
        for (row, (&at, &current)) in self.rows.iter().zip(&self.current).enumerate() {
            let probabilities = self.choices.probabilities(row);
            let mut chosen = match self.decode {
                Decode::Greedy => most_probable(self.tables.network().isa(), probabilities),
                Decode::Sample { .. } => drawn(probabilities, streams[at].unit() as f32),
            };
            // What is open has a probability, unless there are no numbers any more.
            if probabilities[chosen].is_nan() || probabilities[chosen] <= 0.0 {
                self.is_spoilt = true;
                chosen = batch.mask(at).nth(0).unwrap_or(current);
            }
            actions[at] = chosen;
            log_probs[at] = probabilities[chosen].max(f32::MIN_POSITIVE).ln();
            if let Some(confidence) = &mut self.confidence {
                confidence.see(current, probabilities);
            }
        }
    }
}

/// How likely the policy, as it was trained, is to serve each of the stops on offer first: of routes, whose first
/// stop is a choice like any later one. `instance` is that of `tables`.
pub fn first_stops(
    tables: &Tables<'_>,
    context: &Context,
    instance: &Instance,
    offered: &[usize],
) -> Vec<f32> {
    let mut open = vec![0_u64; instance.nodes().div_ceil(64)];
    offered.iter().for_each(|stop| open[stop / 64] |= 1 << (stop % 64));
    let mut numbers = vec![0.0; context.numbers()];
    context.fill(&State::new(instance, 0), &mut numbers);
    let mut journeys = tables.journeys();
    let mut surprises = vec![0.0; journeys.numbers()];
    journeys.see(0, 0);
    journeys.fill(0, &numbers, &open, &mut surprises);
    let step = Step { current: &[0], home: &[0], context: &numbers, surprises: &surprises, open: &open };
    let mut choices = Choices::default();
    tables.choose(&step, tables.network().weights().config().clip as f32, &mut choices);
    let probabilities = choices.probabilities(0);
    offered.iter().map(|&stop| probabilities[stop]).collect()
}

/// The first of the greatest. Nodes that are masked have probability 0, and some other has more.
fn most_probable(isa: Isa, probabilities: &[f32]) -> usize {
    let most = maximum(isa, probabilities);
    probabilities.iter().position(|&probability| probability == most).unwrap_or(0)
}

/// The node in whose part of the probabilities, which sum to 1, a number between 0 and 1 falls: never one of
/// probability 0, also when rounding leaves the sum short.
fn drawn(probabilities: &[f32], number: f32) -> usize {
    let (mut left, mut last) = (number, 0);
    for (group, probabilities) in probabilities.chunks(GROUP).enumerate() {
        let sum: f32 = probabilities.iter().sum();
        if sum == 0.0 {
            continue;
        }
        // Groups that end before the number are passed whole.
        if left >= sum {
            left -= sum;
            last = probabilities.iter().rposition(|&one| one > 0.0).map_or(last, |at| group * GROUP + at);
            continue;
        }
        for (at, &probability) in
            probabilities.iter().enumerate().filter(|(_, probability)| **probability > 0.0)
        {
            last = group * GROUP + at;
            left -= probability;
            if left < 0.0 {
                return last;
            }
        }
        return last;
    }
    last
}

/// Nodes whose probabilities are summed before any of them is looked at.
const GROUP: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_avoid_what_is_impossible() {
        let probabilities = [0.0, 0.25, 0.0, 0.75, 0.0];
        for (number, node) in [(0.0, 1), (0.2, 1), (0.26, 3), (0.999_999_9, 3), (1.0, 3)] {
            assert_eq!(drawn(&probabilities, number), node);
        }
        for isa in Isa::available() {
            assert_eq!(most_probable(isa, &probabilities), 3);
            assert_eq!(most_probable(isa, &[0.5, 0.5]), 0);
            assert_eq!(most_probable(isa, &[f32::NAN, 0.2, f32::NAN, 0.8]), 3);
            assert_eq!(most_probable(isa, &[f32::NAN; 20]), 0);
        }
    }
}
