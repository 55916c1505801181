//! One block of the encoder.

use super::Case;
use super::linear::{dot, linear, norm, sum};
use crate::weights::Weights;

/// What a block computes, each (N, d).
#[derive(Clone, Debug)]
pub struct Block {
    /// The heads side by side, before their output map.
    pub attention: Vec<f64>,
    /// What the next block gets.
    pub output: Vec<f64>,
}

/// Block number `layer` on `h` (N, d): attention with mixed scores, then a feed-forward part, each added
/// to what came in and normed over the nodes.
pub fn block(weights: &Weights, layer: usize, case: &Case, h: &[f64]) -> Block {
    let config = weights.config();
    let (width, hidden) = (config.width, config.hidden);
    let part = |name: &str| format!("encoder.layers.{layer}.{name}");

    let attention = attend(weights, layer, case, h);
    let combined = linear(weights, &part("multi_head_combine"), &attention, width);
    let between = norm(weights, &part("add_n_normalization_1.norm"), &sum(h, &combined), width);

    let mut inside = linear(weights, &part("feed_forward.W1"), &between, width);
    inside.iter_mut().for_each(|value| *value = value.max(0.0));
    let fed = linear(weights, &part("feed_forward.W2"), &inside, hidden);
    let output = norm(weights, &part("add_n_normalization_2.norm"), &sum(&between, &fed), width);
    Block { attention, output }
}

/// The heads of attention, side by side (N, d).
fn attend(weights: &Weights, layer: usize, case: &Case, h: &[f64]) -> Vec<f64> {
    let config = weights.config();
    let (nodes, width, size) = (case.nodes, config.width, config.head_width());
    let map = |name: &str| linear(weights, &format!("encoder.layers.{layer}.{name}"), h, width);
    let (queries, keys, values) = (map("Wq"), map("Wk"), map("Wv"));

    let mut attention = vec![0.0; nodes * width];
    for head in 0..config.heads {
        let mixing = Mixing::new(weights, layer, head);
        let slice = |node: usize| node * width + head * size..node * width + (head + 1) * size;
        let mut scores = Vec::new();
        for from in 0..nodes {
            for to in 0..nodes {
                let product = dot(&queries[slice(from)], &keys[slice(to)]) / (size as f64).sqrt();
                let others = case.scores.iter().map(|matrix| matrix[from * nodes + to]);
                scores.push(mixing.score(std::iter::once(product).chain(others)));
            }
        }
        let shares = (config.normalisation.part().naive)(config, &scores, nodes);
        for from in 0..nodes {
            for to in 0..nodes {
                let share = shares[from * nodes + to];
                for (sum, value) in attention[slice(from)].iter_mut().zip(&values[slice(to)]) {
                    *sum += share * value;
                }
            }
        }
    }
    attention
}

/// One head's small network over the dot product and the matrices: m hidden units, one score.
struct Mixing<'a> {
    first: &'a [f32],
    first_bias: &'a [f32],
    second: &'a [f32],
    second_bias: f32,
}

impl<'a> Mixing<'a> {
    fn new(weights: &'a Weights, layer: usize, head: usize) -> Self {
        let heads = weights.config().heads;
        let part = |name: &str| {
            let all = weights.of(&format!("encoder.layers.{layer}.mixed_score_MHA.{name}"));
            let each = all.len() / heads;
            &all[head * each..(head + 1) * each]
        };
        Self {
            first: part("mix1_weight"),
            first_bias: part("mix1_bias"),
            second: part("mix2_weight"),
            second_bias: part("mix2_bias")[0],
        }
    }

    fn score(&self, inputs: impl Iterator<Item = f64>) -> f64 {
        let mut units: Vec<f64> = self.first_bias.iter().map(|&bias| f64::from(bias)).collect();
        for (input, weights) in inputs.zip(self.first.chunks(units.len())) {
            for (unit, &weight) in units.iter_mut().zip(weights) {
                *unit += f64::from(weight) * input;
            }
        }
        let outputs = units.iter().zip(self.second).map(|(unit, &weight)| f64::from(weight) * unit.max(0.0));
        f64::from(self.second_bias) + outputs.sum::<f64>()
    }
}
