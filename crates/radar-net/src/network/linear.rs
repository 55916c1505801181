//! A linear map y = x W' + b, with W stored (out, in), or as the first columns of a wider matrix.

use std::ops::Range;

use radar_kernel::isa::Isa;
use radar_kernel::product::{Finish, Packed, View, multiply};
use rayon::prelude::*;

use super::Use;
use crate::weights::Weights;

/// Rows that one thread takes at a time.
const ROWS: usize = 120;
/// Products of fewer multiplications are not worth a second thread.
const SHARED: usize = 1 << 24;

pub(super) struct Linear {
    inputs: usize,
    /// Columns of W, of which the first are those of the inputs.
    step: usize,
    out: usize,
    weight: Range<usize>,
    bias: Option<Range<usize>>,
    /// W' for the way forward.
    forward: Packed,
    /// W for the way back.
    backward: Option<Packed>,
}

/// What becomes of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    Write,
    Add,
    Rectify,
}

impl Linear {
    pub fn new(
        weights: &Weights,
        isa: Isa,
        purpose: Use,
        name: &str,
        inputs: usize,
        out: usize,
        bias: bool,
    ) -> Self {
        let range = |part: &str| weights.range(&format!("{name}.{part}"));
        let weight = range("weight").unwrap_or_default();
        let mut linear = Self {
            inputs,
            step: weight.len() / out.max(1),
            out,
            weight,
            bias: if bias { range("bias") } else { None },
            forward: Packed::empty(isa),
            backward: (purpose == Use::Training).then(|| Packed::empty(isa)),
        };
        linear.refill(weights);
        linear
    }

    pub fn refill(&mut self, weights: &Weights) {
        let weight = &weights.values()[self.weight.clone()];
        let matrix = View::with_step(weight, self.out, self.inputs, self.step);
        self.forward.refill(matrix.transposed());
        if let Some(backward) = &mut self.backward {
            backward.refill(matrix);
        }
    }

    /// (rows, in) -> (rows, out).
    pub fn forward(&self, weights: &Weights, x: &[f32], out: &mut [f32], then: Then) {
        let bias = self.bias.clone().map(|bias| &weights.values()[bias]);
        let finish = Finish { add: then == Then::Add, bias, relu: then == Then::Rectify };
        match self.backward {
            None => shared_multiply(x, self.inputs, &self.forward, out, finish),
            // In training, instances are shared among threads.
            Some(_) => {
                let rows = x.len() / self.inputs.max(1);
                multiply(View::new(x, rows, self.inputs), &self.forward, out, self.out, finish);
            }
        }
    }

    /// The same, in memory that is used again.
    pub fn refresh(&self, weights: &Weights, x: &[f32], out: &mut Vec<f32>, then: Then) {
        out.resize(x.len() / self.inputs.max(1) * self.out, 0.0);
        self.forward(weights, x, out, then);
    }

    /// (rows, in) -> (rows, out), in new memory.
    pub fn apply(&self, weights: &Weights, x: &[f32]) -> Vec<f32> {
        let mut out = vec![0.0; x.len() / self.inputs.max(1) * self.out];
        self.forward(weights, x, &mut out, Then::Write);
        out
    }

    /// Adds the gradients of weight and bias, given x (rows, in) and the gradient of y (rows, out).
    pub fn learn(&self, x: &[f32], slopes: &[f32], gradient: &mut Weights) {
        let rows = slopes.len() / self.out.max(1);
        let packed = Packed::new(self.forward.isa(), View::new(x, rows, self.inputs));
        self.learn_from(&packed, slopes, gradient);
    }

    /// The same, from x (rows, in) as a factor.
    pub fn learn_from(&self, x: &Packed, slopes: &[f32], gradient: &mut Weights) {
        self.learn_weight(x, slopes, gradient);
        if let Some(bias) = self.bias.clone() {
            let bias = &mut gradient.values_mut()[bias];
            for row in slopes.chunks_exact(self.out) {
                bias.iter_mut().zip(row).for_each(|(bias, slope)| *bias += slope);
            }
        }
    }

    /// Adds the gradient of the weight alone, where a norm that follows takes any bias off again.
    pub fn learn_weight(&self, x: &Packed, slopes: &[f32], gradient: &mut Weights) {
        let slopes_by_row = View::new(slopes, x.depth(), self.out);
        let weight = &mut gradient.values_mut()[self.weight.clone()];
        let finish = Finish { add: true, ..Finish::default() };
        multiply(slopes_by_row.transposed(), x, weight, self.step, finish);
    }

    /// The gradient of x (rows, in), written or added to `out`, given that of y (rows, out).
    ///
    /// # Panics
    /// Unless the network was built for training.
    pub fn backward(&self, slopes: &[f32], out: &mut [f32], add: bool) {
        let Some(backward) = &self.backward else { panic!("this network was built for inference") };
        let rows = slopes.len() / self.out.max(1);
        let finish = Finish { add, ..Finish::default() };
        multiply(View::new(slopes, rows, self.out), backward, out, self.inputs, finish);
    }

    /// Adds x W' to `out` (rows, out), without the bias, given x (rows, in).
    pub fn add_product(&self, x: &[f32], out: &mut [f32]) {
        let rows = x.len() / self.inputs.max(1);
        let finish = Finish { add: true, ..Finish::default() };
        multiply(View::new(x, rows, self.inputs), &self.forward, out, self.out, finish);
    }

    /// The weights of the columns beyond the inputs, as (columns, out): what other inputs add on their own.
    pub fn further_columns(&self, weights: &Weights) -> Vec<f32> {
        let weight = &weights.values()[self.weight.clone()];
        (self.inputs..self.step)
            .flat_map(|column| (0..self.out).map(move |row| weight[row * self.step + column]))
            .collect()
    }

    /// Adds the gradient of the columns beyond the inputs, (columns, out).
    pub fn learn_further_columns(&self, slopes: &[f32], gradient: &mut Weights) {
        let weight = &mut gradient.values_mut()[self.weight.clone()];
        for (column, slopes) in (self.inputs..self.step).zip(slopes.chunks_exact(self.out)) {
            for (row, slope) in slopes.iter().enumerate() {
                weight[row * self.step + column] += slope;
            }
        }
    }

    /// Where the weight lies.
    pub fn weight(&self) -> Range<usize> {
        self.weight.clone()
    }

    /// Where the bias lies, if there is one.
    pub fn bias(&self) -> Option<Range<usize>> {
        self.bias.clone()
    }
}

/// A product whose rows are shared among threads when it is large. The result is the same as on one.
pub(super) fn shared_multiply(x: &[f32], depth: usize, b: &Packed, out: &mut [f32], finish: Finish) {
    let rows = x.len() / depth.max(1);
    let columns = b.columns();
    if rows * depth * columns < SHARED {
        return multiply(View::new(x, rows, depth), b, out, columns, finish);
    }
    out.par_chunks_mut(ROWS * columns).zip(x.par_chunks(ROWS * depth)).for_each(|(out, x)| {
        multiply(View::new(x, x.len() / depth, depth), b, out, columns, finish);
    });
}
