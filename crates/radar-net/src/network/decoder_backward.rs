//! The way back through the decoder. When the actions are known, all steps of all trajectories are rows of
//! the same products; scores are computed again instead of being kept.

use radar_kernel::attention::{Bent, Chosen, clipped_choice_backward, row_products};
use radar_kernel::product::{Finish, Packed, Stairs, View, multiply};
use radar_kernel::simd::add_scaled;

use super::attend::{Attention, Slopes, Step, parts};
use super::choose::{Thoughts, ThoughtsPart};
use super::decoder::{Rest, Tables};
use crate::term::Scene;
use crate::weights::Weights;

const ADD: Finish = Finish { add: true, bias: None, relu: false };
const WRITE: Finish = Finish { add: false, bias: None, relu: false };

/// The gradients of an instance's tables, gathered over all trajectories.
pub struct TablesGradient {
    /// Those of the scores that the tables hold exponentials of: (H, N, stride); of what is beside the node
    /// (H, N, stride) or (H, C, stride).
    near: Vec<f32>,
    rest: Vec<f32>,
    /// (N, d) each, as the tables.
    values: Vec<f32>,
    choice: Vec<f32>,
    /// (N)
    bias: Vec<f32>,
    /// The tables packed the other way round: values (c, N) per head, keys of the choice (N, d).
    values_back: Vec<Packed>,
    choice_back: Packed,
    /// Of the scores of the choice (R, stride).
    of_scores: Vec<f32>,
    scratch: Scratch,
}

struct Scratch {
    attention: Attention,
    stairs: Stairs,
    /// The right factors of sums over rows, the second with all digits.
    packed: Packed,
    packed_rest: Packed,
    /// (R, stride)
    slopes: Vec<f32>,
    of_rest: Vec<f32>,
    /// (R, d)
    of_heads: Vec<f32>,
    /// (R)
    means: Vec<f32>,
}

impl TablesGradient {
    /// Nothing yet, for these tables.
    pub fn new(tables: &Tables) -> Self {
        let config = tables.network.weights.config();
        let (nodes, width, size) = (tables.nodes, config.width, config.head_width());
        let isa = tables.network.isa;
        let empty = || vec![0.0; nodes * width];
        let values_back = |head: usize| {
            let of_head = View::with_step(&tables.values[head * size..], nodes, size, width);
            Packed::new(isa, of_head.transposed())
        };
        let rest = match &tables.rest {
            Rest::Home(scores) => scores.len(),
            Rest::Context { units, .. } => units.len(),
        };
        Self {
            near: vec![0.0; config.heads * nodes * tables.stride],
            rest: vec![0.0; rest],
            values: empty(),
            choice: empty(),
            bias: vec![0.0; tables.stride],
            values_back: (0..config.heads).map(values_back).collect(),
            choice_back: Packed::new(isa, View::new(&tables.choice, nodes, width)),
            of_scores: Vec::new(),
            scratch: Scratch {
                attention: Attention::default(),
                stairs: Stairs::default(),
                packed: Packed::empty(isa),
                packed_rest: Packed::empty(isa.precise()),
                slopes: Vec::new(),
                of_rest: Vec::new(),
                of_heads: Vec::new(),
                means: Vec::new(),
            },
        }
    }

    /// Adds the gradient of `sum of weights[r] * ln p(chosen[r])` over the rows of one trajectory, whose
    /// thoughts are known. Writes those logarithms; the weights of terms are learned directly.
    pub fn learn(
        &mut self,
        tables: &Tables,
        step: &Step,
        thoughts: &Thoughts,
        chosen: Chosen,
        log_probs: &mut [f32],
        gradient: &mut Weights,
    ) {
        for part in parts(log_probs.len()) {
            let of_part =
                Chosen { columns: &chosen.columns[part.clone()], weights: &chosen.weights[part.clone()] };
            let logs = &mut log_probs[part.clone()];
            self.learn_part(tables, &step.part(&part), thoughts.part(&part), of_part, logs, gradient);
        }
    }

    fn learn_part(
        &mut self,
        tables: &Tables,
        step: &Step,
        thoughts: ThoughtsPart,
        chosen: Chosen,
        log_probs: &mut [f32],
        gradient: &mut Weights,
    ) {
        let config = tables.network.weights.config();
        let (isa, nodes, stride) = (tables.network.isa, tables.nodes, tables.stride);
        let (width, size, rows) = (config.width, config.head_width(), log_probs.len());
        let Scratch { attention, stairs, packed, packed_rest, slopes, of_rest, of_heads, means } =
            &mut self.scratch;
        attention.begin(tables, step);
        stairs.refill(isa, nodes, step.open);
        slopes.resize(rows * stride, 0.0);
        of_heads.resize(rows * width, 0.0);
        means.resize(rows, 0.0);
        self.of_scores.resize(rows * stride, 0.0);

        // The choice.
        let ThoughtsPart { heads, tangents, log_sums } = thoughts;
        let bent = Bent { tangents, log_sums, open: &attention.open };
        let clip = config.clip as f32;
        clipped_choice_backward(isa, clip, stride, &bent, chosen, &mut self.of_scores, log_probs);
        let scene = Scene { step, open: &attention.open, stride };
        tables.terms.learn(&scene, &self.of_scores, gradient);
        for row in self.of_scores.chunks_exact(stride) {
            add_scaled(isa, &mut self.bias, 1.0, row);
        }
        let of_scores = View::with_step(&self.of_scores, rows, nodes, stride);
        packed.refill(View::new(heads, rows, width));
        stairs.multiply_transposed(of_scores, packed, &mut self.choice, width);
        stairs.multiply(of_scores, &self.choice_back, of_heads, width);

        // The heads.
        let numbers = config.context();
        for head in 0..config.heads {
            let from = head * size;
            let of_head = View::with_step(&of_heads[from..], rows, size, width);
            multiply(of_head, &self.values_back[head], slopes, stride, WRITE);
            row_products(isa, size, (&of_heads[from..], width), (&heads[from..], width), means);
            attention.attend(tables, step, head);
            let of_head_table = head * nodes * stride..(head + 1) * nodes * stride;
            let near = &mut self.near[of_head_table.clone()];
            let of_weights = Slopes { weights: slopes, means, near, rest: &mut [] };
            match &tables.rest {
                Rest::Home(_) => {
                    let rest = &mut self.rest[of_head_table];
                    attention.attend_backward(tables, step, Slopes { rest, ..of_weights });
                }
                Rest::Context { .. } => {
                    of_rest.clear();
                    of_rest.resize(rows * stride, 0.0);
                    attention.attend_backward(tables, step, Slopes { rest: of_rest, ..of_weights });
                    let units = &mut self.rest[head * numbers * stride..(head + 1) * numbers * stride];
                    packed_rest.refill(View::new(of_rest, rows, stride));
                    let context = View::new(step.context, rows, numbers).transposed();
                    multiply(context, packed_rest, units, stride, ADD);
                }
            }
            packed.refill(of_head);
            let weights = View::with_step(&attention.weights, rows, nodes, stride);
            stairs.multiply_transposed(weights, packed, &mut self.values[from..], width);
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

        let mut keys = vec![0.0; nodes * width];
        let of_query = self.query(tables, &self.near, &tables.query, &mut keys);
        let of_rest = match (&tables.first, &tables.rest) {
            (Some(first), _) => self.query(tables, &self.rest, first, &mut keys),
            (None, _) => self.query(tables, &self.rest, &tables.context, &mut keys),
        };

        let key_scale = 1.0 / (config.head_width() as f32).sqrt();
        keys.iter_mut().for_each(|slope| *slope *= key_scale);
        let packed_h = Packed::new(isa, View::new(h, nodes, width));
        let maps = [(&network.query, &of_query), (&network.key, &keys), (&network.value, &self.values)];
        for (linear, slopes) in maps.into_iter().chain(network.first.as_ref().map(|first| (first, &of_rest)))
        {
            linear.learn_from(&packed_h, slopes, gradient);
            linear.backward(slopes, &mut of_h, true);
        }
        network.query.learn_further_columns(&of_rest, gradient);

        // The output map that was folded into the keys of the choice: choice = h C / root d.
        let scale = 1.0 / (width as f32).sqrt();
        self.choice.iter_mut().for_each(|slope| *slope *= scale);
        self.bias.iter_mut().for_each(|slope| *slope *= scale);
        network.combine.add_product(&self.choice, &mut of_h);
        let packed = Packed::new(isa, View::new(&self.choice, nodes, width));
        let of_combine = &mut gradient.values_mut()[network.combine.weight()];
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

    /// The gradient of queries (R, d) from that of their scores (H, R, stride); adds that of the keys (N, d).
    fn query(&self, tables: &Tables, of_scores: &[f32], queries: &[f32], of_keys: &mut [f32]) -> Vec<f32> {
        let config = tables.network.weights.config();
        let (isa, nodes, stride) = (tables.network.isa, tables.nodes, tables.stride);
        let (width, size) = (config.width, config.head_width());
        let rows = queries.len() / width;
        let mut of_queries = vec![0.0; queries.len()];
        for head in 0..config.heads {
            let from = head * size;
            let of_head = View::with_step(&of_scores[head * rows * stride..], rows, nodes, stride);
            let keys = Packed::new(isa, View::with_step(&tables.keys[from..], nodes, size, width));
            multiply(of_head, &keys, &mut of_queries[from..], width, WRITE);
            let queries = Packed::new(isa, View::with_step(&queries[from..], rows, size, width));
            multiply(of_head.transposed(), &queries, &mut of_keys[from..], width, ADD);
        }
        of_queries
    }
}
