//! One block of the encoder: attention with mixed scores, then a feed-forward part, each added to what came
//! in and normalised over the nodes.

use std::ops::Range;

use radar_kernel::attention::{
    Mixing, MixingGradient, Normalisation, Scaling, mix, mix_backward, normalise, normalise_backward,
};
use radar_kernel::isa::Isa;
use radar_kernel::norm::{instance_norm, instance_norm_backward};
use radar_kernel::product::{Finish, Packed, View, multiply};
use rayon::prelude::*;

use super::linear::{Linear, Then};
use crate::config::Config;
use crate::weights::Weights;

pub(super) struct Block {
    name: String,
    query: Linear,
    key: Linear,
    value: Linear,
    combine: Linear,
    up: Linear,
    down: Linear,
}

/// What a block leaves behind for its backward.
#[derive(Default)]
pub struct BlockTape {
    /// What came in (N, d).
    input: Vec<f32>,
    /// Queries, divided by the root of c; keys; values (N, d).
    q: Vec<f32>,
    k: Vec<f32>,
    v: Vec<f32>,
    heads: Vec<HeadTape>,
    /// The heads side by side (N, d).
    attention: Vec<f32>,
    first: NormTape,
    /// After the first norm (N, d).
    middle: Vec<f32>,
    /// Inside the feed-forward part, rectified (N, hidden).
    inner: Vec<f32>,
    second: NormTape,
}

/// What one head leaves behind: all (N, N).
struct HeadTape {
    dot: Vec<f32>,
    scores: Vec<f32>,
    kernel: Vec<f32>,
    scaling: Scaling,
}

#[derive(Default)]
struct NormTape {
    /// (d)
    inverse: Vec<f32>,
    /// (N, d)
    normal: Vec<f32>,
}

/// What all blocks share.
pub(super) struct Scene<'a> {
    pub weights: &'a Weights,
    pub isa: Isa,
    pub nodes: usize,
    /// The mix inputs beside the dot product, each (N, N).
    pub mixed: &'a [&'a [f32]],
}

impl Scene<'_> {
    fn config(&self) -> &Config {
        self.weights.config()
    }

    fn normalisation(&self) -> Normalisation {
        self.config().kernel_normalisation()
    }

    fn of(&self, block: &Block, name: &str) -> &[f32] {
        self.weights.of(&format!("{}.{name}", block.name))
    }

    /// The mixing weights of one head.
    fn mixing(&self, block: &Block, head: usize) -> Mixing<'_> {
        let part = |name: &str| {
            let all = self.of(block, &format!("mixed_score_MHA.{name}"));
            let each = all.len() / self.config().heads;
            &all[head * each..(head + 1) * each]
        };
        Mixing {
            inner: part("mix1_weight"),
            inner_bias: part("mix1_bias"),
            outer: part("mix2_weight"),
            outer_bias: part("mix2_bias")[0],
        }
    }
}

impl Block {
    pub fn new(
        layer: usize,
        width: usize,
        hidden: usize,
        build: &dyn Fn(&str, usize, usize, bool) -> Linear,
    ) -> Self {
        let name = format!("encoder.layers.{layer}");
        let square = |part: &str, bias: bool| build(&format!("{name}.{part}"), width, width, bias);
        Self {
            query: square("Wq", true),
            key: square("Wk", true),
            value: square("Wv", false),
            combine: square("multi_head_combine", true),
            up: build(&format!("{name}.feed_forward.W1"), width, hidden, true),
            down: build(&format!("{name}.feed_forward.W2"), hidden, width, true),
            name,
        }
    }

    pub fn refill(&mut self, weights: &Weights) {
        let Self { query, key, value, combine, up, down, .. } = self;
        [query, key, value, combine, up, down].into_iter().for_each(|linear| linear.refill(weights));
    }

    /// Replaces `h` (N, d). Returns the heads side by side (N, d) before their output map.
    pub fn forward(&self, scene: &Scene, h: &mut [f32], tape: Option<&mut BlockTape>) -> Vec<f32> {
        let (weights, config) = (scene.weights, scene.config());
        let (width, size) = (config.width, config.head_width());
        let mut q = self.query.apply(weights, h);
        let scale = 1.0 / (size as f32).sqrt();
        q.iter_mut().for_each(|q| *q *= scale);
        let k = self.key.apply(weights, h);
        let v = self.value.apply(weights, h);

        let keep = tape.is_some();
        let heads: Vec<(Vec<f32>, Option<HeadTape>)> = (0..config.heads)
            .into_par_iter()
            .map_init(Table::default, |table, head| self.head(scene, head, (&q, &k, &v), table, keep))
            .collect();
        let mut attention = vec![0.0; h.len()];
        let mut tapes = Vec::new();
        for (head, (out, tape)) in heads.into_iter().enumerate() {
            for (row, out) in attention.chunks_exact_mut(width).zip(out.chunks_exact(size)) {
                row[head * size..(head + 1) * size].copy_from_slice(out);
            }
            tapes.extend(tape);
        }

        let input = keep.then(|| h.to_vec());
        self.combine.forward(weights, &attention, h, Then::Add);
        let first = self.norm(scene, 1, h, keep);
        let mut inner = vec![0.0; scene.nodes * config.hidden];
        self.up.forward(weights, h, &mut inner, Then::Rectify);
        let middle = keep.then(|| h.to_vec());
        self.down.forward(weights, &inner, h, Then::Add);
        let second = self.norm(scene, 2, h, keep);
        if let Some(tape) = tape {
            let attention = attention.clone();
            let (input, middle) = (input.unwrap_or_default(), middle.unwrap_or_default());
            *tape = BlockTape { input, q, k, v, heads: tapes, attention, first, middle, inner, second };
        }
        attention
    }

    /// The output (N, c) of one head.
    fn head(
        &self,
        scene: &Scene,
        head: usize,
        (q, k, v): (&[f32], &[f32], &[f32]),
        table: &mut Table,
        keep: bool,
    ) -> (Vec<f32>, Option<HeadTape>) {
        let (isa, nodes, config) = (scene.isa, scene.nodes, scene.config());
        let (width, size) = (config.width, config.head_width());
        let place = Place { head, nodes, width, size };
        table.scores.resize(nodes * nodes, 0.0);
        table.kernel.resize(nodes * nodes, 0.0);
        let keys = Packed::new(isa, place.of(k).transposed());
        multiply(place.of(q), &keys, &mut table.scores, nodes, Finish::default());
        let dot = keep.then(|| table.scores.clone());
        mix(isa, scene.mixing(self, head), &mut table.scores, scene.mixed);
        let mut scaling = Scaling::default();
        normalise(isa, scene.normalisation(), nodes, &table.scores, &mut table.kernel, &mut scaling);
        let scaled = scaled_rows(place.of(v), scaling.columns());
        let values = Packed::new(isa, View::new(&scaled, nodes, size));
        let mut out = vec![0.0; nodes * size];
        multiply(View::new(&table.kernel, nodes, nodes), &values, &mut out, size, Finish::default());
        scale_rows(&mut out, size, scaling.rows());
        let tape = dot.map(|dot| HeadTape {
            dot,
            scores: table.scores.clone(),
            kernel: table.kernel.clone(),
            scaling,
        });
        (out, tape)
    }

    fn norm(&self, scene: &Scene, number: usize, h: &mut [f32], keep: bool) -> NormTape {
        let gain = scene.of(self, &format!("add_n_normalization_{number}.norm.weight"));
        let shift = scene.of(self, &format!("add_n_normalization_{number}.norm.bias"));
        let mut tape = NormTape { inverse: vec![0.0; gain.len()], normal: Vec::new() };
        if keep {
            tape.normal.resize(h.len(), 0.0);
        }
        let normal = keep.then_some(tape.normal.as_mut_slice());
        instance_norm(scene.isa, h, gain, shift, &mut tape.inverse, normal);
        tape
    }

    /// Replaces `slopes`, the gradient of the output (N, d), by that of the input; adds to the gradient of
    /// the weights. The biases right before the two norms have none.
    pub fn backward(&self, scene: &Scene, tape: &BlockTape, slopes: &mut [f32], gradient: &mut Weights) {
        let config = scene.config();
        let (width, size) = (config.width, config.head_width());
        self.norm_backward(scene, 2, &tape.second, slopes, gradient);
        let mut inner = vec![0.0; tape.inner.len()];
        self.down.learn_weight(&tape.inner, slopes, gradient);
        self.down.backward(slopes, &mut inner, false);
        for (slope, &value) in inner.iter_mut().zip(&tape.inner) {
            *slope = if value > 0.0 { *slope } else { 0.0 };
        }
        self.up.learn(&tape.middle, &inner, gradient);
        self.up.backward(&inner, slopes, true);
        self.norm_backward(scene, 1, &tape.first, slopes, gradient);

        self.combine.learn_weight(&tape.attention, slopes, gradient);
        let mut of_heads = vec![0.0; slopes.len()];
        self.combine.backward(slopes, &mut of_heads, false);
        let mut of_q = vec![0.0; slopes.len()];
        let (mut of_k, mut of_v) = (of_q.clone(), of_q.clone());
        for head in 0..config.heads {
            let parts = self.head_backward(scene, head, tape, &of_heads, gradient);
            for (all, part) in [&mut of_q, &mut of_k, &mut of_v].into_iter().zip(parts) {
                for (row, part) in all.chunks_exact_mut(width).zip(part.chunks_exact(size)) {
                    row[head * size..(head + 1) * size].copy_from_slice(part);
                }
            }
        }
        for (linear, of) in [(&self.query, &of_q), (&self.key, &of_k), (&self.value, &of_v)] {
            linear.learn(&tape.input, of, gradient);
            linear.backward(of, slopes, true);
        }
    }

    /// The gradients of a head's queries, keys and values (N, c).
    fn head_backward(
        &self,
        scene: &Scene,
        head: usize,
        tape: &BlockTape,
        of_heads: &[f32],
        gradient: &mut Weights,
    ) -> [Vec<f32>; 3] {
        let (isa, nodes, config) = (scene.isa, scene.nodes, scene.config());
        let (width, size) = (config.width, config.head_width());
        let place = Place { head, nodes, width, size };
        let HeadTape { dot, scores, kernel, scaling } = &tape.heads[head];
        let product = |a: View, b: View| {
            let mut out = vec![0.0; a.rows() * b.columns()];
            multiply(a, &Packed::new(isa, b), &mut out, b.columns(), Finish::default());
            out
        };
        let scaled = scaled_rows(place.of(of_heads), scaling.rows());
        let table = View::new(kernel, nodes, nodes);
        let mut of_v = product(table.transposed(), View::new(&scaled, nodes, size));
        scale_rows(&mut of_v, size, scaling.columns());
        let mut slopes = product(place.of(of_heads), place.of(&tape.v).transposed());
        normalise_backward(isa, scene.normalisation(), scores, kernel, scaling, &mut slopes);
        self.mixing_backward(scene, head, dot, &mut slopes, gradient);
        let slopes = View::new(&slopes, nodes, nodes);
        let mut of_q = product(slopes, place.of(&tape.k));
        let scale = 1.0 / (size as f32).sqrt();
        of_q.iter_mut().for_each(|slope| *slope *= scale);
        let of_k = product(slopes.transposed(), place.of(&tape.q));
        [of_q, of_k, of_v]
    }

    fn mixing_backward(
        &self,
        scene: &Scene,
        head: usize,
        dot: &[f32],
        slopes: &mut [f32],
        gradient: &mut Weights,
    ) {
        let mixing = scene.mixing(self, head);
        let mut inner = vec![0.0; mixing.inner.len()];
        let mut inner_bias = vec![0.0; mixing.inner_bias.len()];
        let mut outer = vec![0.0; mixing.outer.len()];
        let mut outer_bias = [0.0];
        let parts = MixingGradient {
            inner: &mut inner,
            inner_bias: &mut inner_bias,
            outer: &mut outer,
            outer_bias: &mut outer_bias[0],
        };
        mix_backward(scene.isa, mixing, dot, scene.mixed, slopes, parts);
        // What is added to all scores alike is normalised away: `mix2_bias` has no gradient.
        let parts = [("mix1_weight", inner), ("mix1_bias", inner_bias), ("mix2_weight", outer)];
        for (name, part) in parts {
            let range = gradient.range(&format!("{}.mixed_score_MHA.{name}", self.name));
            let Range { start, .. } = range.unwrap_or_default();
            let start = start + head * part.len();
            let all = &mut gradient.values_mut()[start..start + part.len()];
            all.iter_mut().zip(&part).for_each(|(sum, part)| *sum += part);
        }
    }

    fn norm_backward(
        &self,
        scene: &Scene,
        number: usize,
        tape: &NormTape,
        slopes: &mut [f32],
        gradient: &mut Weights,
    ) {
        let name = |part: &str| format!("{}.add_n_normalization_{number}.norm.{part}", self.name);
        let gain = scene.weights.of(&name("weight"));
        let (mut of_gain, mut of_shift) = (vec![0.0; gain.len()], vec![0.0; gain.len()]);
        instance_norm_backward(
            scene.isa,
            slopes,
            &tape.normal,
            &tape.inverse,
            gain,
            &mut of_gain,
            &mut of_shift,
        );
        for (part, of) in [("weight", of_gain), ("bias", of_shift)] {
            let sums = gradient.tensor_mut(&name(part)).unwrap_or_default();
            sums.iter_mut().zip(of).for_each(|(sum, of)| *sum += of);
        }
    }
}

/// Where one head lies in a matrix (N, d).
#[derive(Clone, Copy)]
struct Place {
    head: usize,
    nodes: usize,
    width: usize,
    size: usize,
}

impl Place {
    /// The head's part (N, c).
    fn of(self, values: &[f32]) -> View<'_> {
        View::with_step(&values[self.head * self.size..], self.nodes, self.size, self.width)
    }
}

/// The tables of a head, kept from one to the next: (N, N) each.
#[derive(Default)]
struct Table {
    scores: Vec<f32>,
    kernel: Vec<f32>,
}

/// A copy of a matrix with every row multiplied by its factor.
fn scaled_rows(matrix: View, factors: &[f32]) -> Vec<f32> {
    let mut out = Vec::with_capacity(matrix.rows() * matrix.columns());
    for (row, &factor) in factors.iter().enumerate() {
        out.extend((0..matrix.columns()).map(|column| factor * matrix.at(row, column)));
    }
    out
}

fn scale_rows(matrix: &mut [f32], columns: usize, factors: &[f32]) {
    for (row, &factor) in matrix.chunks_exact_mut(columns).zip(factors) {
        row.iter_mut().for_each(|value| *value *= factor);
    }
}
