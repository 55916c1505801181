//! The network as a policy: what the rollout asks at every step.

use radar_kernel::random::Stream;
use radar_rollout::{Batch, Policy};

use crate::context::Context;
use crate::network::{Choices, Step, Tables};

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

    /// The mean probability of going from `from` to `to`, over the visits of `from` that had a choice.
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
    mask: Vec<f32>,
    choices: Choices,
    confidence: Option<Confidence>,
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
            mask: Vec::new(),
            choices: Choices::default(),
            confidence: None,
        }
    }

    /// Also counts where it would go.
    pub fn watching(mut self) -> Self {
        self.confidence = Some(Confidence::new(self.tables.nodes()));
        self
    }

    /// What was counted.
    pub fn into_confidence(self) -> Option<Confidence> {
        self.confidence
    }

    /// Collects the rows of a step.
    fn gather(&mut self, batch: &Batch<'_>) {
        let nodes = self.tables.nodes();
        self.rows.clear();
        self.rows.extend((0..batch.len()).filter(|&at| !batch.ended(at)));
        self.current.clear();
        self.home.clear();
        let width = self.context.numbers();
        self.numbers.resize(self.rows.len() * width, 0.0);
        self.mask.resize(self.rows.len() * nodes, 0.0);
        for (row, &at) in self.rows.iter().enumerate() {
            let state = &batch.states()[at];
            self.current.push(state.node);
            self.home.push(if batch.rules(at).instance().is_tour() { state.start } else { 0 });
            self.context.fill(state, &mut self.numbers[row * width..(row + 1) * width]);
            spread(batch.mask(at).words(), &mut self.mask[row * nodes..(row + 1) * nodes]);
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
        let step =
            Step { current: &self.current, home: &self.home, context: &self.numbers, mask: &self.mask };
        self.tables.choose(&step, self.clip, &mut self.choices);
        let nodes = self.tables.nodes();
        let probabilities = self.choices.probabilities().chunks_exact(nodes);
        for ((&at, &current), probabilities) in self.rows.iter().zip(&self.current).zip(probabilities) {
            let chosen = match self.decode {
                Decode::Greedy => most_probable(probabilities),
                Decode::Sample { .. } => drawn(probabilities, streams[at].unit() as f32),
            };
            actions[at] = chosen;
            log_probs[at] = probabilities[chosen].max(f32::MIN_POSITIVE).ln();
            if let Some(confidence) = &mut self.confidence {
                confidence.see(current, probabilities);
            }
        }
    }
}

/// 0 for the bits that are set, -inf for the others.
pub fn spread(words: &[u64], mask: &mut [f32]) {
    for (word, mask) in words.iter().zip(mask.chunks_mut(64)) {
        for (byte, mask) in word.to_le_bytes().into_iter().zip(mask.chunks_mut(8)) {
            mask.copy_from_slice(&OPEN[usize::from(byte)][..mask.len()]);
        }
    }
}

/// The masks of all bytes.
static OPEN: [[f32; 8]; 256] = {
    let mut masks = [[f32::NEG_INFINITY; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                masks[byte][bit] = 0.0;
            }
            bit += 1;
        }
        byte += 1;
    }
    masks
};

/// The first of the greatest. Nodes that are masked have probability 0, and some other has more.
fn most_probable(probabilities: &[f32]) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for (node, &probability) in probabilities.iter().enumerate() {
        if probability > best.1 {
            best = (node, probability);
        }
    }
    best.0
}

/// The node in whose part of the sum of probabilities a number between 0 and 1 falls: never one of
/// probability 0, also when rounding leaves the sum short.
fn drawn(probabilities: &[f32], number: f32) -> usize {
    let mut left = number * probabilities.iter().sum::<f32>();
    let mut last = 0;
    for (node, &probability) in
        probabilities.iter().enumerate().filter(|&(_, &probability)| probability > 0.0)
    {
        last = node;
        left -= probability;
        if left < 0.0 {
            break;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_avoid_what_is_impossible() {
        let probabilities = [0.0, 0.25, 0.0, 0.75, 0.0];
        for (number, node) in [(0.0, 1), (0.2, 1), (0.26, 3), (0.999_999_9, 3), (1.0, 3)] {
            assert_eq!(drawn(&probabilities, number), node);
        }
        assert_eq!(most_probable(&probabilities), 3);
        assert_eq!(most_probable(&[0.5, 0.5]), 0);
    }

    #[test]
    fn bits_become_masks() {
        let mut mask = vec![1.0; 70];
        spread(&[1 << 3 | 1 << 63, 1 << 5], &mut mask);
        for (at, entry) in mask.iter().enumerate() {
            let is_open = [3, 63, 69].contains(&at);
            assert_eq!(*entry, if is_open { 0.0 } else { f32::NEG_INFINITY });
        }
    }
}
