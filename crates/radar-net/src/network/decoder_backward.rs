//! The way back through the decoder. When the actions are known, all steps of all trajectories are rows of
//! the same products; scores are computed again instead of being kept.

use radar_kernel::attention::{Chosen, clipped_choice_backward, masked_softmax, softmax_backward};
use radar_kernel::product::{Finish, Packed, View, multiply};
use radar_kernel::simd::add_scaled;

use super::decoder::{Step, Tables};
use crate::weights::Weights;

const ADD: Finish = Finish { add: true, bias: None, relu: false };
const WRITE: Finish = Finish { add: false, bias: None, relu: false };

/// The gradients of an instance's tables, gathered over all rows.
pub struct TablesGradient {
    /// (N, d) each, as the tables.
    query: Vec<f32>,
    first: Vec<f32>,
    /// (C, d)
    context: Vec<f32>,
    keys: Vec<f32>,
    values: Vec<f32>,
    choice: Vec<f32>,
    /// (N)
    bias: Vec<f32>,
    /// The tables packed the other way round: keys (N, c) and values (c, N) per head, choice (N, d).
    keys_back: Vec<Packed>,
    values_back: Vec<Packed>,
    choice_back: Packed,
    scratch: Scratch,
}

#[derive(Default)]
struct Scratch {
    query: Vec<f32>,
    /// Per head (R, N).
    weights: Vec<Vec<f32>>,
    heads: Vec<f32>,
    scores: Vec<f32>,
    sums: Vec<f32>,
    of_heads: Vec<f32>,
    of_query: Vec<f32>,
    slopes: Vec<f32>,
}

impl TablesGradient {
    /// Nothing yet, for these tables.
    pub fn new(tables: &Tables) -> Self {
        let config = tables.network.weights.config();
        let (nodes, width, size) = (tables.nodes, config.width, config.head_width());
        let isa = tables.network.isa;
        let empty = || vec![0.0; nodes * width];
        let of = |values: &[f32], head: usize, transposed: bool| {
            let view = View::with_step(&values[head * size..], nodes, size, width);
            Packed::new(isa, if transposed { view.transposed() } else { view })
        };
        Self {
            query: empty(),
            first: if tables.first.is_some() { empty() } else { Vec::new() },
            context: vec![0.0; config.context() * width],
            keys: empty(),
            values: empty(),
            choice: empty(),
            bias: vec![0.0; nodes],
            keys_back: (0..config.heads).map(|head| of(&tables.plain.keys, head, false)).collect(),
            values_back: (0..config.heads).map(|head| of(&tables.plain.values, head, true)).collect(),
            choice_back: Packed::new(isa, View::new(&tables.plain.choice, nodes, width)),
            scratch: Scratch::default(),
        }
    }

    /// Adds the gradient of `sum of weights[r] * ln p(chosen[r])` over the rows of a step. Writes those
    /// logarithms; the weights of terms are learned directly.
    pub fn learn(
        &mut self,
        tables: &Tables,
        step: &Step,
        chosen: &[usize],
        weights: &[f32],
        log_probs: &mut [f32],
        gradient: &mut Weights,
    ) {
        let config = tables.network.weights.config();
        let isa = tables.network.isa;
        let (width, size, nodes, rows) = (config.width, config.head_width(), tables.nodes, chosen.len());
        let Scratch { query, weights: kept, heads, scores, sums, of_heads, of_query, slopes } =
            &mut self.scratch;

        // Forward, keeping what attends to what.
        tables.queries(step, query);
        sums.resize(rows, 0.0);
        heads.resize(rows * width, 0.0);
        kept.resize_with(config.heads, Vec::new);
        for (head, kept) in kept.iter_mut().enumerate() {
            kept.resize(rows * nodes, 0.0);
            let q = View::with_step(&query[head * size..], rows, size, width);
            multiply(q, &tables.keys[head], kept, nodes, WRITE);
            masked_softmax(isa, nodes, kept, step.mask, sums);
            for (row, &sum) in kept.chunks_exact_mut(nodes).zip(sums.iter()) {
                row.iter_mut().for_each(|weight| *weight *= sum);
            }
            multiply(
                View::new(kept, rows, nodes),
                &tables.values[head],
                &mut heads[head * size..],
                width,
                WRITE,
            );
        }
        scores.resize(rows * nodes, 0.0);
        let finish = Finish { bias: Some(&tables.bias), ..WRITE };
        multiply(View::new(heads, rows, width), &tables.choice, scores, nodes, finish);
        tables.terms.take_off(step, scores);

        // Backward.
        let clip = config.clip as f32;
        let made = Chosen { columns: chosen, weights };
        clipped_choice_backward(isa, clip, nodes, scores, step.mask, made, log_probs);
        tables.terms.learn(step, scores, gradient);
        for row in scores.chunks_exact(nodes) {
            add_scaled(isa, &mut self.bias, 1.0, row);
        }
        let of_scores = View::new(scores, rows, nodes);
        of_heads.resize(rows * width, 0.0);
        multiply(of_scores, &self.choice_back, of_heads, width, WRITE);
        let packed = Packed::new(isa, View::new(heads, rows, width));
        multiply(of_scores.transposed(), &packed, &mut self.choice, width, ADD);
        of_query.resize(rows * width, 0.0);
        slopes.resize(rows * nodes, 0.0);
        for (head, kept) in kept.iter().enumerate() {
            let from = head * size;
            let of_head = View::with_step(&of_heads[from..], rows, size, width);
            multiply(of_head, &self.values_back[head], slopes, nodes, WRITE);
            let packed = Packed::new(isa, of_head);
            multiply(
                View::new(kept, rows, nodes).transposed(),
                &packed,
                &mut self.values[from..],
                width,
                ADD,
            );
            softmax_backward(isa, nodes, kept, slopes);
            let of_scores = View::new(slopes, rows, nodes);
            multiply(of_scores, &self.keys_back[head], &mut of_query[from..], width, WRITE);
            let packed = Packed::new(isa, View::with_step(&query[from..], rows, size, width));
            multiply(of_scores.transposed(), &packed, &mut self.keys[from..], width, ADD);
        }
        let numbers = config.context();
        for (row, slopes) in of_query.chunks_exact(width).enumerate() {
            let (current, home) = (step.current[row], step.home[row]);
            add_scaled(isa, &mut self.query[current * width..(current + 1) * width], 1.0, slopes);
            if !self.first.is_empty() {
                add_scaled(isa, &mut self.first[home * width..(home + 1) * width], 1.0, slopes);
            }
            let context = &step.context[row * numbers..(row + 1) * numbers];
            for (&number, sum) in context.iter().zip(self.context.chunks_exact_mut(width)) {
                add_scaled(isa, sum, number, slopes);
            }
        }
    }

    /// Adds the gradients of the decoder's weights; returns that of the encoding (N, d).
    pub fn finish(mut self, tables: &Tables, gradient: &mut Weights) -> Vec<f32> {
        let network = tables.network;
        let config = network.weights.config();
        let isa = network.isa;
        let (width, nodes) = (config.width, tables.nodes);
        let h = &tables.h;
        let mut of_h = vec![0.0; nodes * width];

        let key_scale = 1.0 / (config.head_width() as f32).sqrt();
        self.keys.iter_mut().for_each(|slope| *slope *= key_scale);
        network.key.learn(h, &self.keys, gradient);
        network.key.backward(&self.keys, &mut of_h, true);
        network.value.learn(h, &self.values, gradient);
        network.value.backward(&self.values, &mut of_h, true);
        if let Some(first) = &network.first {
            first.learn(h, &self.first, gradient);
            first.backward(&self.first, &mut of_h, true);
        }

        // The node's columns of the query map, then those of the context.
        let inputs = width + config.context();
        let packed_h = Packed::new(isa, View::new(h, nodes, width));
        let of_query = View::new(&self.query, nodes, width);
        let range = network.query.weight();
        let weight = View::with_step(&network.weights.values()[range.clone()], width, width, inputs);
        multiply(of_query, &Packed::new(isa, weight), &mut of_h, width, ADD);
        let of_weight = &mut gradient.values_mut()[range];
        multiply(of_query.transposed(), &packed_h, of_weight, inputs, ADD);
        for (number, slopes) in self.context.chunks_exact(width).enumerate() {
            for (row, slope) in slopes.iter().enumerate() {
                of_weight[row * inputs + width + number] += slope;
            }
        }

        // The output map that was folded into the keys of the choice: choice = h C / root d.
        let scale = 1.0 / (width as f32).sqrt();
        self.choice.iter_mut().for_each(|slope| *slope *= scale);
        self.bias.iter_mut().for_each(|slope| *slope *= scale);
        let range = network.combine.weight();
        let combine = View::new(&network.weights.values()[range.clone()], width, width);
        let of_choice = View::new(&self.choice, nodes, width);
        multiply(of_choice, &Packed::new(isa, combine.transposed()), &mut of_h, width, ADD);
        let packed = Packed::new(isa, of_choice);
        let of_combine = &mut gradient.values_mut()[range];
        multiply(View::new(h, nodes, width).transposed(), &packed, of_combine, width, ADD);
        if let Some(range) = network.combine.bias() {
            let bias = &network.weights.values()[range.clone()];
            for ((&slope, h), of_h) in
                self.bias.iter().zip(h.chunks_exact(width)).zip(of_h.chunks_exact_mut(width))
            {
                add_scaled(isa, of_h, slope, bias);
                add_scaled(isa, &mut gradient.values_mut()[range.clone()], slope, h);
            }
        }
        of_h
    }
}
