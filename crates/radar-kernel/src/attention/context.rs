//! Softmax of scores that are sums of two, of which one is tabulated and the other linear in a few numbers that every
//! row has: routes know their load and the time. One pass over a row adds, exponentiates and weighs.

use super::factors::row;
use crate::isa::Isa;
use crate::simd::{Kernel, Lanes, Simd, exp};

/// What the weights of some rows are made of.
#[derive(Clone, Copy, Debug)]
pub struct InContext<'a> {
    /// Numbers per row of all tables.
    pub stride: usize,
    /// The first table (any, stride), and which of its rows is meant (rows).
    pub near: &'a [f32],
    /// Likewise.
    pub near_rows: &'a [usize],
    /// Each row's numbers (rows, C).
    pub numbers: &'a [f32],
    /// What one unit of each adds to the score of every column (C, stride).
    pub units: &'a [f32],
    /// What every score begins with (stride): minus infinity beyond the columns.
    pub base: &'a [f32],
    /// 1 where there may be a weight, 0 elsewhere (rows, stride).
    pub open: &'a [f32],
}

/// The same as [`super::weigh`], of a second table whose rows are [`super::exponentials`] of these sums, without that
/// table.
pub fn weigh_in_context(isa: Isa, context: &InContext, weights: &mut [f32], inverse_sums: &mut [f32]) {
    let (rows, stride) = (inverse_sums.len(), context.stride);
    assert!(context.near_rows.len() == rows && context.open.len() == rows * stride, "one entry per place");
    assert!(weights.len() == context.open.len() && context.base.len() == stride, "one weight per entry");
    assert!(stride > 0 && stride.is_multiple_of(isa.lanes()), "rows of whole vectors");
    assert!(context.units.len().is_multiple_of(stride), "whole rows");
    assert_eq!(context.numbers.len(), rows * (context.units.len() / stride), "a unit of each number");
    isa.run(WeighInContext { context, weights, inverse_sums });
}

struct WeighInContext<'a> {
    context: &'a InContext<'a>,
    weights: &'a mut [f32],
    inverse_sums: &'a mut [f32],
}

impl Kernel for WeighInContext<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let InContext { stride, near, near_rows, numbers, units, base, open } = *self.context;
        let each = units.len() / stride;
        let rows = self.weights.chunks_exact_mut(stride).zip(self.inverse_sums);
        for (at, (weights, inverse)) in rows.enumerate() {
            let sums = Sums { numbers: &numbers[at * each..(at + 1) * each], units, base };
            let (mut from, mut most) = (0, simd.splat(f32::NEG_INFINITY));
            // As many vectors at a time as hide the latency of their sums.
            while from < stride {
                let (width, greatest) = match (stride - from) / S::LANES {
                    1 => (1, sums.fill::<S, 1>(simd, from, weights)),
                    2 => (2, sums.fill::<S, 2>(simd, from, weights)),
                    3 => (3, sums.fill::<S, 3>(simd, from, weights)),
                    _ => (4, sums.fill::<S, 4>(simd, from, weights)),
                };
                most = greatest.max(most);
                from += width * S::LANES;
            }
            let most = simd.splat(most.largest());
            let near = row(near, stride, near_rows[at]).chunks_exact(S::LANES);
            let open = row(open, stride, at).chunks_exact(S::LANES);
            let mut sum = simd.splat(0.0);
            for ((near, open), weight) in near.zip(open).zip(weights.chunks_exact_mut(S::LANES)) {
                let factor = exp(simd, simd.load(weight) - most);
                let product = simd.load(near) * factor * simd.load(open);
                product.store(weight);
                sum = sum + product;
            }
            *inverse = sum.sum().recip();
        }
    }
}

/// The sums of one row.
struct Sums<'a> {
    /// (C)
    numbers: &'a [f32],
    /// (C, stride)
    units: &'a [f32],
    /// (stride)
    base: &'a [f32],
}

impl Sums<'_> {
    /// Writes `V` vectors of them from a column on; returns the greatest of each lane.
    #[inline(always)]
    fn fill<S: Simd, const V: usize>(&self, simd: S, from: usize, out: &mut [f32]) -> S::Lanes {
        let place = from..from + V * S::LANES;
        let base = &self.base[place.clone()];
        let mut sums: [S::Lanes; V] = std::array::from_fn(|at| simd.load(&base[at * S::LANES..]));
        for (number, units) in self.numbers.iter().zip(self.units.chunks_exact(self.base.len())) {
            let (number, units) = (simd.splat(*number), &units[place.clone()]);
            for (sum, unit) in sums.iter_mut().zip(units.chunks_exact(S::LANES)) {
                *sum = simd.load(unit).mul_add(number, *sum);
            }
        }
        let out = &mut out[place];
        let mut most = sums[0];
        for (sum, out) in sums.into_iter().zip(out.chunks_exact_mut(S::LANES)) {
            sum.store(out);
            most = sum.max(most);
        }
        most
    }
}
