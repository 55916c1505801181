//! The decoder: tables that are made once per instance, and a step for many trajectories at once.
//!
//! No dense layer is left in a step. The query of a node is looked up; what the context adds is a few
//! multiples of fixed vectors; and the output map is folded into the keys of the last product, because
//! (C o + b) . h = o . (C' h) + b . h.

use radar_kernel::attention::{clipped_choice, masked_softmax};
use radar_kernel::product::{Finish, Packed, View, multiply};
use radar_kernel::simd::add_scaled;

use super::Network;
use crate::input::Input;
use crate::term::Terms;

/// What a step needs to know of an instance.
pub struct Tables<'a> {
    pub(super) network: &'a Network,
    pub(super) nodes: usize,
    /// The encoding (N, d).
    pub(super) h: Vec<f32>,
    /// Queries of where a trajectory stands, and of where it began (N, d).
    query: Vec<f32>,
    pub(super) first: Option<Vec<f32>>,
    /// What one unit of each number of the context adds to a query (C, d).
    context: Vec<f32>,
    /// Per head: keys (c, N), divided by the root of c; values (N, c).
    pub(super) keys: Vec<Packed>,
    pub(super) values: Vec<Packed>,
    /// The keys of the choice (d, N) and what each node has without a query (N).
    pub(super) choice: Packed,
    pub(super) bias: Vec<f32>,
    pub(super) terms: Terms<'a>,
    /// The same before they were packed, for the way back.
    pub(super) plain: Plain,
}

/// Keys, values and keys of the choice, (N, d) each.
pub(super) struct Plain {
    pub keys: Vec<f32>,
    pub values: Vec<f32>,
    pub choice: Vec<f32>,
}

/// Where R trajectories stand.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The node each stands at (R).
    pub current: &'a [usize],
    /// Where each will end: a tour's first node, or the depot (R).
    pub home: &'a [usize],
    /// Numbers about each route so far (R, C).
    pub context: &'a [f32],
    /// 0 where a node may come next, -inf elsewhere (R, N).
    pub mask: &'a [f32],
}

/// The memory of a step, and its result.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    query: Vec<f32>,
    scores: Vec<f32>,
    sums: Vec<f32>,
    heads: Vec<f32>,
    probabilities: Vec<f32>,
}

impl Choices {
    /// The probability of every node (R, N).
    pub fn probabilities(&self) -> &[f32] {
        &self.probabilities
    }
}

impl Network {
    /// The tables of an instance from its encoding (N, d).
    pub fn tables<'a>(&'a self, input: &'a Input, h: Vec<f32>) -> Tables<'a> {
        let (config, weights, nodes) = (self.weights.config(), &self.weights, input.nodes());
        let (width, size) = (config.width, config.head_width());
        let query = self.node_queries(&h);
        let mut keys = self.key.apply(weights, &h);
        let scale = 1.0 / (size as f32).sqrt();
        keys.iter_mut().for_each(|key| *key *= scale);
        let values = self.value.apply(weights, &h);
        let of = |values: &'_ [f32], head: usize, transposed: bool| {
            let view = View::with_step(&values[head * size..], nodes, size, width);
            Packed::new(self.isa, if transposed { view.transposed() } else { view })
        };
        let (folded, bias) = self.folded(&h);
        Tables {
            network: self,
            nodes,
            first: self.first.as_ref().map(|first| first.apply(weights, &h)),
            query,
            context: self.query.columns_from(weights, width),
            keys: (0..config.heads).map(|head| of(&keys, head, true)).collect(),
            values: (0..config.heads).map(|head| of(&values, head, false)).collect(),
            choice: Packed::new(self.isa, View::new(&folded, nodes, width).transposed()),
            bias,
            terms: Terms::new(self.isa, weights, input),
            plain: Plain { keys, values, choice: folded },
            h,
        }
    }

    /// What standing at each node adds to a query (N, d).
    fn node_queries(&self, h: &[f32]) -> Vec<f32> {
        let width = self.weights.config().width;
        let inputs = width + self.weights.config().context();
        let weight = View::with_step(&self.weights.values()[self.query.weight()], width, width, inputs);
        let packed = Packed::new(self.isa, weight.transposed());
        let mut out = vec![0.0; h.len()];
        super::linear::shared_multiply(h, width, &packed, &mut out, Finish::default());
        out
    }

    /// The keys of the choice with the output map folded in (N, d), and their biases (N); both divided by
    /// the root of d.
    fn folded(&self, h: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let width = self.weights.config().width;
        let scale = 1.0 / (width as f32).sqrt();
        let weight = View::new(&self.weights.values()[self.combine.weight()], width, width);
        let packed = Packed::new(self.isa, weight);
        let mut keys = vec![0.0; h.len()];
        super::linear::shared_multiply(h, width, &packed, &mut keys, Finish::default());
        keys.iter_mut().for_each(|key| *key *= scale);
        let bias = self.combine.bias().map_or(&[][..], |bias| &self.weights.values()[bias]);
        let dot = |row: &[f32]| row.iter().zip(bias).map(|(h, b)| h * b).sum::<f32>() * scale;
        let biases = h.chunks_exact(width).map(dot).collect();
        (keys, biases)
    }
}

impl Tables<'_> {
    /// How many nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The network.
    pub fn network(&self) -> &Network {
        self.network
    }

    /// The encoding (N, d).
    pub fn encoding(&self) -> &[f32] {
        &self.h
    }

    /// The probabilities of the next node, for every trajectory. `clip` is the configured one, divided by
    /// the temperature.
    pub fn choose(&self, step: &Step, clip: f32, choices: &mut Choices) {
        let config = self.network.weights.config();
        let isa = self.network.isa;
        let (width, size, nodes) = (config.width, config.head_width(), self.nodes);
        let rows = step.current.len();
        let Choices { query, scores, sums, heads, probabilities } = choices;
        self.queries(step, query);
        scores.resize(rows * nodes, 0.0);
        sums.resize(rows, 0.0);
        heads.resize(rows * width, 0.0);
        for (head, (keys, values)) in self.keys.iter().zip(&self.values).enumerate() {
            let q = View::with_step(&query[head * size..], rows, size, width);
            multiply(q, keys, scores, nodes, Finish::default());
            masked_softmax(isa, nodes, scores, step.mask, sums);
            multiply(
                View::new(scores, rows, nodes),
                values,
                &mut heads[head * size..],
                width,
                Finish::default(),
            );
            for (row, &sum) in heads.chunks_exact_mut(width).zip(sums.iter()) {
                row[head * size..(head + 1) * size].iter_mut().for_each(|value| *value *= sum);
            }
        }
        probabilities.resize(rows * nodes, 0.0);
        let finish = Finish { bias: Some(&self.bias), ..Finish::default() };
        multiply(View::new(heads, rows, width), &self.choice, probabilities, nodes, finish);
        self.terms.take_off(step, probabilities);
        clipped_choice(isa, clip, nodes, probabilities, step.mask);
    }

    /// The queries (R, d).
    pub(super) fn queries(&self, step: &Step, query: &mut Vec<f32>) {
        let width = self.network.weights.config().width;
        let numbers = self.network.weights.config().context();
        query.clear();
        for (row, (&current, &home)) in step.current.iter().zip(step.home).enumerate() {
            query.extend_from_slice(&self.query[current * width..(current + 1) * width]);
            let query = &mut query[row * width..];
            if let Some(first) = &self.first {
                add_scaled(self.network.isa, query, 1.0, &first[home * width..(home + 1) * width]);
            }
            let context = &step.context[row * numbers..(row + 1) * numbers];
            for (&number, unit) in context.iter().zip(self.context.chunks_exact(width)) {
                add_scaled(self.network.isa, query, number, unit);
            }
        }
    }
}
