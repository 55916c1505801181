//! A step of the decoder, for many trajectories at once.

use std::ops::Range;

use radar_kernel::attention::clipped_choice;
use radar_kernel::product::{Finish, Stairs, View, multiply};

use super::attend::{Attention, Step};
use super::decoder::Tables;
use crate::term::Scene;

/// The memory of a step, and its result.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    attention: Attention,
    stairs: Stairs,
    nodes: usize,
    stride: usize,
    thoughts: Thoughts,
    /// (R, stride)
    probabilities: Vec<f32>,
}

/// What the decoder came to in some rows: what its way back begins with.
#[derive(Clone, Debug, Default)]
pub struct Thoughts {
    /// What was attended to, heads side by side (R, d).
    pub(super) heads: Vec<f32>,
    /// The scores of the choice, bent by the hyperbolic tangent (R, stride), and the logarithms of the sums
    /// of their clipped exponentials (R).
    pub(super) tangents: Vec<f32>,
    pub(super) log_sums: Vec<f32>,
}

impl Choices {
    /// The probability of every node (N) in a row of the step.
    pub fn probabilities(&self, row: usize) -> &[f32] {
        &self.probabilities[row * self.stride..][..self.nodes]
    }

    /// What the step came to.
    pub fn thoughts(&self) -> &Thoughts {
        &self.thoughts
    }
}

/// Some rows of [`Thoughts`].
#[derive(Clone, Copy)]
pub(super) struct ThoughtsPart<'a> {
    pub heads: &'a [f32],
    pub tangents: &'a [f32],
    pub log_sums: &'a [f32],
}

impl Thoughts {
    /// Some of the rows.
    pub(super) fn part(&self, rows: &Range<usize>) -> ThoughtsPart<'_> {
        let count = self.log_sums.len().max(1);
        let of = |list: &'_ [f32]| rows.start * (list.len() / count)..rows.end * (list.len() / count);
        ThoughtsPart {
            heads: &self.heads[of(&self.heads)],
            tangents: &self.tangents[of(&self.tangents)],
            log_sums: &self.log_sums[rows.clone()],
        }
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.heads.clear();
        self.tangents.clear();
        self.log_sums.clear();
    }

    /// Appends one row of others.
    pub fn take(&mut self, others: &Self, row: usize) {
        let rows = others.log_sums.len();
        let of = |list: &'_ [f32]| list.len() / rows * row..list.len() / rows * (row + 1);
        self.heads.extend_from_slice(&others.heads[of(&others.heads)]);
        self.tangents.extend_from_slice(&others.tangents[of(&others.tangents)]);
        self.log_sums.push(others.log_sums[row]);
    }
}

impl Tables<'_> {
    /// The probabilities of the next node, for every trajectory. `clip` is the configured one, divided by
    /// the temperature.
    pub fn choose(&self, step: &Step, clip: f32, choices: &mut Choices) {
        self.think(step, clip, choices, false);
    }

    /// The same, where the rows are those of one trajectory in their order: ever fewer nodes are open, and
    /// what is closed is left out.
    pub fn follow(&self, step: &Step, clip: f32, choices: &mut Choices) {
        self.think(step, clip, choices, true);
    }

    fn think(&self, step: &Step, clip: f32, choices: &mut Choices, in_order: bool) {
        let config = self.network.weights.config();
        let (width, size, rows) = (config.width, config.head_width(), step.current.len());
        let Choices { attention, stairs, thoughts, probabilities, .. } = choices;
        (choices.nodes, choices.stride) = (self.nodes, self.stride);
        let Thoughts { heads, tangents, log_sums } = thoughts;
        if in_order {
            stairs.refill(self.network.isa, self.nodes, step.open);
        }
        heads.resize(rows * width, 0.0);
        attention.begin(self, step);
        for (head, values) in self.packed.values.iter().enumerate() {
            attention.attend(self, step, head);
            let weights = View::with_step(&attention.weights, rows, self.nodes, self.stride);
            let of_head = &mut heads[head * size..];
            match in_order {
                true => stairs.multiply(weights, values, of_head, width),
                false => multiply(weights, values, of_head, width, Finish::default()),
            }
            for (row, &inverse) in of_head.chunks_mut(width).zip(&attention.inverse_sums) {
                row[..size].iter_mut().for_each(|value| *value *= inverse);
            }
        }
        for list in [&mut *tangents, &mut *probabilities] {
            list.resize(rows * self.stride, 0.0);
        }
        log_sums.resize(rows, 0.0);
        let finish = Finish { bias: Some(&self.bias), ..Finish::default() };
        multiply(View::new(heads, rows, width), &self.packed.choice, tangents, self.stride, finish);
        let scene = Scene { step, open: &attention.open, stride: self.stride };
        self.terms.take_off(&scene, tangents);
        let isa = self.network.isa;
        clipped_choice(isa, clip, self.stride, &attention.open, tangents, probabilities, log_sums);
    }
}
