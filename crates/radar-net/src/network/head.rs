//! One head of a block's attention on one instance.

use radar_kernel::attention::{
    Mixing, MixingGradient, Normalisation, Scaling, mix, mix_backward, normalise, normalise_backward,
};
use radar_kernel::isa::Isa;
use radar_kernel::product::{Finish, Packed, View, multiply};

const WRITE: Finish = Finish { add: false, bias: None, relu: false };

/// What a head is, and where it lies in matrices (N, d).
#[derive(Clone, Copy)]
pub(super) struct Head<'a> {
    pub isa: Isa,
    pub nodes: usize,
    /// d
    pub width: usize,
    /// c
    pub size: usize,
    /// The first of its columns.
    pub from: usize,
    pub mixing: Mixing<'a>,
    pub how: Normalisation,
    /// The mix inputs beside the dot product, (N, N) each.
    pub mixed: &'a [&'a [f32]],
}

/// What a head leaves behind for its backward.
#[derive(Default)]
pub(super) struct HeadTape {
    /// Dot products of queries and keys (N, N).
    dot: Vec<f32>,
    /// The attention, but for its scaling (N, stride).
    kernel: Vec<f32>,
    scaling: Scaling,
}

/// The memory of a head, used again for the next.
pub(super) struct Bench {
    /// (N, N)
    scores: Vec<f32>,
    packed: Packed,
}

impl Bench {
    pub fn new(isa: Isa) -> Self {
        Self { scores: Vec::new(), packed: Packed::empty(isa) }
    }

    /// A B, rows of the result `step` apart.
    fn multiply(&mut self, a: View, b: View, out: &mut [f32], step: usize) {
        self.packed.refill(b);
        multiply(a, &self.packed, out, step, WRITE);
    }
}

impl Head<'_> {
    /// The head's part (N, c).
    fn of<'b>(&self, values: &'b [f32]) -> View<'b> {
        View::with_step(&values[self.from..], self.nodes, self.size, self.width)
    }

    /// Writes the output (N, c), given queries, divided by the root of c, keys and values (N, d).
    pub fn forward(&self, [q, k, v]: [&[f32]; 3], tape: &mut HeadTape, bench: &mut Bench, out: &mut [f32]) {
        let (isa, nodes) = (self.isa, self.nodes);
        let stride = nodes.next_multiple_of(isa.lanes());
        let HeadTape { dot, kernel, scaling } = tape;
        dot.resize(nodes * nodes, 0.0);
        kernel.resize(nodes * stride, 0.0);
        bench.scores.resize(nodes * nodes, 0.0);
        bench.multiply(self.of(q), self.of(k).transposed(), dot, nodes);
        mix(isa, self.mixing, dot, self.mixed, &mut bench.scores);
        normalise(isa, self.how, nodes, &bench.scores, kernel, scaling);
        bench.packed.refill_scaled(self.of(v), scaling.columns());
        multiply(View::with_step(kernel, nodes, nodes, stride), &bench.packed, out, self.size, WRITE);
        scale_rows(out, self.size, self.size, scaling.rows());
    }

    /// Writes the gradients of queries (undivided), keys and values (N, d), given that of the output (N, d);
    /// adds that of the mixing.
    pub fn backward(
        &self,
        [q, k, v]: [&[f32]; 3],
        tape: &HeadTape,
        bench: &mut Bench,
        of_output: &[f32],
        [of_q, of_k, of_v]: [&mut [f32]; 3],
        of_mixing: MixingGradient,
    ) {
        let (isa, nodes, width) = (self.isa, self.nodes, self.width);
        let HeadTape { dot, kernel, scaling } = tape;
        let stride = kernel.len() / nodes.max(1);
        let attention = View::with_step(kernel, nodes, nodes, stride);
        bench.packed.refill_scaled(self.of(of_output), scaling.rows());
        let of_v = &mut of_v[self.from..];
        multiply(attention.transposed(), &bench.packed, of_v, width, WRITE);
        scale_rows(of_v, width, self.size, scaling.columns());

        let mut slopes = std::mem::take(&mut bench.scores);
        slopes.resize(nodes * nodes, 0.0);
        bench.multiply(self.of(of_output), self.of(v).transposed(), &mut slopes, nodes);
        let scores = || {
            let mut scores = vec![0.0; dot.len()];
            mix(isa, self.mixing, dot, self.mixed, &mut scores);
            scores
        };
        normalise_backward(isa, self.how, scores, kernel, scaling, &mut slopes);
        mix_backward(isa, self.mixing, dot, self.mixed, &mut slopes, of_mixing);
        let of_dot = View::new(&slopes, nodes, nodes);
        bench.multiply(of_dot, self.of(k), &mut of_q[self.from..], width);
        let scales = 1.0 / (self.size as f32).sqrt();
        scale_rows(&mut of_q[self.from..], width, self.size, &vec![scales; nodes]);
        bench.multiply(of_dot.transposed(), self.of(q), &mut of_k[self.from..], width);
        bench.scores = slopes;
    }
}

/// Multiplies the first `columns` of every row by the row's factor.
fn scale_rows(matrix: &mut [f32], step: usize, columns: usize, factors: &[f32]) {
    for (row, &factor) in matrix.chunks_mut(step).zip(factors) {
        row[..columns].iter_mut().for_each(|value| *value *= factor);
    }
}
