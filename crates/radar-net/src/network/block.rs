//! One block of the encoder: attention with mixed scores, then a feed-forward part, each added to what came
//! in and normalised over the nodes.
//!
//! Several instances pass side by side: M nodes in all. Dense layers take all their rows at once, so that a
//! weight is fetched once for all of them; attention and norms take each instance by itself.

use std::ops::Range;

use radar_kernel::attention::{Mixing, MixingGradient};
use radar_kernel::isa::Isa;
use radar_kernel::norm::{instance_norm, instance_norm_backward};
use radar_kernel::product::{Packed, View};
use radar_rollout::Stop;
use rayon::prelude::*;

use super::head::{Bench, Head, HeadTape};
use super::linear::{Linear, Then};
use crate::weights::Weights;

pub(super) struct Block {
    query: Linear,
    key: Linear,
    value: Linear,
    combine: Linear,
    up: Linear,
    down: Linear,
    mixing: MixingRanges,
    norms: [NormRanges; 2],
}

/// Where the weights of the mixing lie, those of all heads one after the other.
struct MixingRanges {
    inner: Range<usize>,
    inner_bias: Range<usize>,
    outer: Range<usize>,
    outer_bias: Range<usize>,
}

struct NormRanges {
    gain: Range<usize>,
    shift: Range<usize>,
}

/// What a block leaves behind for its backward.
#[derive(Default)]
pub struct BlockTape {
    /// What came in (M, d).
    input: Vec<f32>,
    /// Queries, divided by the root of c; keys; values (M, d).
    q: Vec<f32>,
    k: Vec<f32>,
    v: Vec<f32>,
    /// Of every instance and head.
    heads: Vec<HeadTape>,
    /// The heads side by side (M, d).
    attention: Vec<f32>,
    first: NormTape,
    /// After the first norm (M, d).
    middle: Vec<f32>,
    /// Inside the feed-forward part, rectified (M, hidden).
    inner: Vec<f32>,
    second: NormTape,
}

impl BlockTape {
    /// The heads side by side (M, d), before their output map.
    pub(super) fn attention(&self) -> &[f32] {
        &self.attention
    }
}

#[derive(Default)]
struct NormTape {
    /// Of every instance (d).
    inverse: Vec<f32>,
    /// (M, d)
    normal: Vec<f32>,
}

/// What all blocks share.
pub(super) struct Scene<'a> {
    pub weights: &'a Weights,
    pub isa: Isa,
    pub instances: Vec<Site<'a>>,
    /// Heads that have not begun are left out when it says so; what comes of the block is then of no use.
    pub stop: Stop<'a>,
}

/// One instance among others.
pub(super) struct Site<'a> {
    /// Its nodes among all.
    pub nodes: Range<usize>,
    /// The mix inputs beside the dot product, each (N, N).
    pub mixed: Vec<&'a [f32]>,
}

impl Site<'_> {
    /// Its rows of a matrix (M, width).
    fn rows(&self, width: usize) -> Range<usize> {
        self.nodes.start * width..self.nodes.end * width
    }
}

/// The memory of the way back, used again for the next block.
pub(super) struct Workshop {
    bench: Bench,
    packed: Packed,
    /// (M, hidden)
    of_inner: Vec<f32>,
    /// (M, d)
    of_attention: Vec<f32>,
    of_q: Vec<f32>,
    of_k: Vec<f32>,
    of_v: Vec<f32>,
}

impl Workshop {
    pub fn new(isa: Isa) -> Self {
        let [of_inner, of_attention, of_q, of_k, of_v] = [const { Vec::new() }; 5];
        let packed = Packed::empty(isa);
        Self { bench: Bench::new(isa), packed, of_inner, of_attention, of_q, of_k, of_v }
    }

    pub fn isa(&self) -> Isa {
        self.packed.isa()
    }
}

impl Block {
    pub fn new(layer: usize, weights: &Weights, build: &dyn Fn(&str, usize, usize, bool) -> Linear) -> Self {
        let name = format!("encoder.layers.{layer}");
        let (width, hidden) = (weights.config().width, weights.config().hidden);
        let square = |part: &str, bias: bool| build(&format!("{name}.{part}"), width, width, bias);
        let range = |part: &str| weights.range(&format!("{name}.{part}")).unwrap_or_default();
        let mixing = |part: &str| range(&format!("mixed_score_MHA.{part}"));
        let norm = |number: usize| NormRanges {
            gain: range(&format!("add_n_normalization_{number}.norm.weight")),
            shift: range(&format!("add_n_normalization_{number}.norm.bias")),
        };
        Self {
            query: square("Wq", true),
            key: square("Wk", true),
            value: square("Wv", false),
            combine: square("multi_head_combine", true),
            up: build(&format!("{name}.feed_forward.W1"), width, hidden, true),
            down: build(&format!("{name}.feed_forward.W2"), hidden, width, true),
            mixing: MixingRanges {
                inner: mixing("mix1_weight"),
                inner_bias: mixing("mix1_bias"),
                outer: mixing("mix2_weight"),
                outer_bias: mixing("mix2_bias"),
            },
            norms: [norm(1), norm(2)],
        }
    }

    pub fn refill(&mut self, weights: &Weights) {
        let Self { query, key, value, combine, up, down, .. } = self;
        [query, key, value, combine, up, down].into_iter().for_each(|linear| linear.refill(weights));
    }

    /// A head on an instance.
    fn head<'a>(&self, scene: &'a Scene, site: &'a Site, head: usize) -> Head<'a> {
        let config = scene.weights.config();
        let part = |range: &Range<usize>| &scene.weights.values()[part_of(range, head, config.heads)];
        let MixingRanges { inner, inner_bias, outer, outer_bias } = &self.mixing;
        Head {
            isa: scene.isa,
            nodes: site.nodes.len(),
            width: config.width,
            size: config.head_width(),
            from: head * config.head_width(),
            mixing: Mixing {
                inner: part(inner),
                inner_bias: part(inner_bias),
                outer: part(outer),
                outer_bias: part(outer_bias)[0],
            },
            how: config.kernel_normalisation(),
            mixed: &site.mixed,
        }
    }

    /// Replaces `h` (M, d). The tape serves as memory; only if it is `kept` it holds all that the way back
    /// needs. Otherwise heads are shared among threads.
    pub fn forward(&self, scene: &Scene, h: &mut [f32], tape: &mut BlockTape, kept: bool) {
        let (weights, config) = (scene.weights, scene.weights.config());
        self.query.refresh(weights, h, &mut tape.q, Then::Write);
        let scale = 1.0 / (config.head_width() as f32).sqrt();
        tape.q.iter_mut().for_each(|q| *q *= scale);
        self.key.refresh(weights, h, &mut tape.k, Then::Write);
        self.value.refresh(weights, h, &mut tape.v, Then::Write);
        self.attend(scene, tape, kept);
        if kept {
            copy(h, &mut tape.input);
        }
        self.combine.forward(weights, &tape.attention, h, Then::Add);
        self.norm(scene, 0, h, &mut tape.first, kept);
        self.up.refresh(weights, h, &mut tape.inner, Then::Rectify);
        if kept {
            copy(h, &mut tape.middle);
        }
        self.down.forward(weights, &tape.inner, h, Then::Add);
        self.norm(scene, 1, h, &mut tape.second, kept);
    }

    /// Every head of every instance.
    fn attend(&self, scene: &Scene, tape: &mut BlockTape, kept: bool) {
        let config = scene.weights.config();
        let (width, size, heads) = (config.width, config.head_width(), config.heads);
        let BlockTape { q, k, v, heads: tapes, attention, .. } = tape;
        attention.resize(q.len(), 0.0);
        tapes.resize_with(if kept { scene.instances.len() * heads } else { 0 }, HeadTape::default);
        let mut bench = Bench::new(scene.isa);
        for (at, site) in scene.instances.iter().enumerate() {
            let rows = site.rows(width);
            let inputs = [&q[rows.clone()], &k[rows.clone()], &v[rows.clone()]];
            let mut by_head = vec![0.0; rows.len()];
            let parts = (site.nodes.len() * size).max(1);
            if kept {
                let parts = by_head.chunks_exact_mut(parts).zip(&mut tapes[at * heads..]);
                for (head, (out, tape)) in parts.enumerate() {
                    self.head(scene, site, head).forward(inputs, tape, &mut bench, out);
                }
            } else {
                by_head.par_chunks_exact_mut(parts).enumerate().for_each_init(
                    || (HeadTape::default(), Bench::new(scene.isa)),
                    |(tape, bench), (head, out)| {
                        if !(scene.stop)() {
                            self.head(scene, site, head).forward(inputs, tape, bench, out);
                        }
                    },
                );
            }
            for (head, of_head) in by_head.chunks_exact(parts).enumerate() {
                let rows = attention[rows.clone()].chunks_exact_mut(width);
                for (row, of_head) in rows.zip(of_head.chunks_exact(size)) {
                    row[head * size..(head + 1) * size].copy_from_slice(of_head);
                }
            }
        }
    }

    fn norm(&self, scene: &Scene, number: usize, h: &mut [f32], tape: &mut NormTape, kept: bool) {
        let NormRanges { gain, shift } = &self.norms[number];
        let (gain, shift) = (&scene.weights.values()[gain.clone()], &scene.weights.values()[shift.clone()]);
        let width = gain.len();
        tape.inverse.resize(scene.instances.len() * width, 0.0);
        tape.normal.resize(if kept { h.len() } else { 0 }, 0.0);
        for (site, inverse) in scene.instances.iter().zip(tape.inverse.chunks_exact_mut(width.max(1))) {
            let rows = site.rows(width);
            let normal = kept.then(|| &mut tape.normal[rows.clone()]);
            instance_norm(scene.isa, &mut h[rows.clone()], gain, shift, inverse, normal);
        }
    }

    /// Replaces `slopes`, the gradient of the output (M, d), by that of the input; adds to the gradient of
    /// the weights. The biases right before the two norms have none.
    pub fn backward(
        &self,
        scene: &Scene,
        tape: &BlockTape,
        shop: &mut Workshop,
        slopes: &mut [f32],
        gradient: &mut Weights,
    ) {
        let rows = slopes.len() / scene.weights.config().width.max(1);
        let pack = |packed: &mut Packed, x: &[f32]| packed.refill(View::new(x, rows, x.len() / rows.max(1)));
        self.norm_backward(scene, 1, &tape.second, slopes, gradient);
        shop.of_inner.resize(tape.inner.len(), 0.0);
        pack(&mut shop.packed, &tape.inner);
        self.down.learn_weight(&shop.packed, slopes, gradient);
        self.down.backward(slopes, &mut shop.of_inner, false);
        for (slope, &value) in shop.of_inner.iter_mut().zip(&tape.inner) {
            *slope = if value > 0.0 { *slope } else { 0.0 };
        }
        pack(&mut shop.packed, &tape.middle);
        self.up.learn_from(&shop.packed, &shop.of_inner, gradient);
        self.up.backward(&shop.of_inner, slopes, true);
        self.norm_backward(scene, 0, &tape.first, slopes, gradient);

        pack(&mut shop.packed, &tape.attention);
        self.combine.learn_weight(&shop.packed, slopes, gradient);
        for list in [&mut shop.of_attention, &mut shop.of_q, &mut shop.of_k, &mut shop.of_v] {
            list.resize(slopes.len(), 0.0);
        }
        self.combine.backward(slopes, &mut shop.of_attention, false);
        self.attend_backward(scene, tape, shop, gradient);
        pack(&mut shop.packed, &tape.input);
        for (linear, of) in [(&self.query, &shop.of_q), (&self.key, &shop.of_k), (&self.value, &shop.of_v)] {
            linear.learn_from(&shop.packed, of, gradient);
            linear.backward(of, slopes, true);
        }
    }

    fn attend_backward(&self, scene: &Scene, tape: &BlockTape, shop: &mut Workshop, gradient: &mut Weights) {
        let config = scene.weights.config();
        let Workshop { bench, of_attention, of_q, of_k, of_v, .. } = shop;
        let MixingRanges { inner, inner_bias, outer, .. } = &self.mixing;
        let (mut of_inner, mut of_inner_bias, mut of_outer) = (Vec::new(), Vec::new(), Vec::new());
        for head in 0..config.heads {
            let part = |range: &Range<usize>| part_of(range, head, config.heads);
            for (of, range) in
                [(&mut of_inner, inner), (&mut of_inner_bias, inner_bias), (&mut of_outer, outer)]
            {
                of.clear();
                of.resize(part(range).len(), 0.0);
            }
            for (at, site) in scene.instances.iter().enumerate() {
                let rows = site.rows(config.width);
                let inputs = [&tape.q[rows.clone()], &tape.k[rows.clone()], &tape.v[rows.clone()]];
                let outputs = [&mut of_q[rows.clone()], &mut of_k[rows.clone()], &mut of_v[rows.clone()]];
                let of_mixing = MixingGradient {
                    inner: &mut of_inner,
                    inner_bias: &mut of_inner_bias,
                    outer: &mut of_outer,
                    // What is added to all scores alike is normalised away: its gradient is none.
                    outer_bias: &mut 0.0,
                };
                let of_head = tape.heads.get(at * config.heads + head);
                let Some(head_tape) = of_head else { panic!("the tape was not kept") };
                let slopes = &of_attention[rows.clone()];
                self.head(scene, site, head).backward(inputs, head_tape, bench, slopes, outputs, of_mixing);
            }
            for (of, range) in [(&of_inner, inner), (&of_inner_bias, inner_bias), (&of_outer, outer)] {
                let sums = &mut gradient.values_mut()[part(range)];
                sums.iter_mut().zip(of).for_each(|(sum, of)| *sum += of);
            }
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
        let ranges = &self.norms[number];
        let gain = &scene.weights.values()[ranges.gain.clone()];
        let width = gain.len();
        let (mut of_gain, mut of_shift) = (vec![0.0; width], vec![0.0; width]);
        for (site, inverse) in scene.instances.iter().zip(tape.inverse.chunks_exact(width.max(1))) {
            let rows = site.rows(width);
            let (slopes, normal) = (&mut slopes[rows.clone()], &tape.normal[rows]);
            let of = (&mut of_gain[..], &mut of_shift[..]);
            instance_norm_backward(scene.isa, slopes, normal, inverse, gain, of.0, of.1);
        }
        for (range, of) in [(&ranges.gain, of_gain), (&ranges.shift, of_shift)] {
            let sums = &mut gradient.values_mut()[range.clone()];
            sums.iter_mut().zip(of).for_each(|(sum, of)| *sum += of);
        }
    }
}

/// The part of one head in a range that all heads share equally.
fn part_of(range: &Range<usize>, head: usize, heads: usize) -> Range<usize> {
    let each = range.len() / heads;
    range.start + head * each..range.start + (head + 1) * each
}

fn copy(from: &[f32], to: &mut Vec<f32>) {
    to.clear();
    to.extend_from_slice(from);
}
