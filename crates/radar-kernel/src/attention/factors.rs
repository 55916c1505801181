//! Softmax of scores that are sums of two: the exponentials of both are tabulated once, and a weight is their
//! product. A row needs neither a score nor an exponential of its own, unless its second score is in no table
//! (`context.rs`).
//!
//! Tables have rows of `stride` numbers, whole vectors; what lies beyond their columns is 0.

use crate::isa::Isa;
use crate::simd::{Kernel, Lanes, Simd, exp};

/// Sums whose inverse is beyond this are too small to be trusted: some part of what they should hold may have
/// underflowed.
pub const FAINT: f32 = 1e25;

/// What the weights of some rows are made of.
#[derive(Clone, Copy, Debug)]
pub struct Factors<'a> {
    /// Numbers per row of all tables.
    pub stride: usize,
    /// The first table (any, stride), and which of its rows is meant (rows).
    pub near: &'a [f32],
    /// Likewise.
    pub near_rows: &'a [usize],
    /// The second table (any, stride), and which of its rows is meant (rows).
    pub rest: &'a [f32],
    /// Likewise.
    pub rest_rows: &'a [usize],
    /// 1 where there may be a weight, 0 elsewhere (rows, stride).
    pub open: &'a [f32],
}

impl Factors<'_> {
    fn check(&self, of_rows: usize) {
        let rows = self.near_rows.len();
        assert!(self.rest_rows.len() == rows && of_rows == rows, "one place in each table per row");
        assert_eq!(self.open.len(), rows * self.stride, "one entry per place");
    }
}

/// Replaces each row of `scores` (rows, stride) by its exponentials, the greatest of them 1, and all beyond
/// the columns by 0.
pub fn exponentials(isa: Isa, columns: usize, stride: usize, scores: &mut [f32]) {
    if columns > 0 {
        assert!(columns <= stride && stride.is_multiple_of(isa.lanes()), "rows of whole vectors");
        assert!(scores.len().is_multiple_of(stride), "whole rows");
        isa.run(Exponentials { columns, stride, scores });
    }
}

struct Exponentials<'a> {
    columns: usize,
    stride: usize,
    scores: &'a mut [f32],
}

impl Kernel for Exponentials<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for row in self.scores.chunks_exact_mut(self.stride) {
            row[self.columns..].fill(f32::NEG_INFINITY);
            let mut most = simd.splat(f32::NEG_INFINITY);
            for vector in row.chunks_exact(S::LANES) {
                most = simd.load(vector).max(most);
            }
            let most = simd.splat(most.largest());
            for vector in row.chunks_exact_mut(S::LANES) {
                exp(simd, simd.load(vector) - most).store(vector);
            }
        }
    }
}

/// Writes the products of the factors (rows, stride), 0 where nothing is open, and the inverse of each row's
/// sum. A row whose inverse is beyond [`FAINT`] must be computed in another way.
pub fn weigh(isa: Isa, factors: &Factors, weights: &mut [f32], inverse_sums: &mut [f32]) {
    factors.check(inverse_sums.len());
    assert_eq!(weights.len(), factors.open.len(), "one weight per entry");
    isa.run(Weigh { factors, weights, inverse_sums });
}

struct Weigh<'a> {
    factors: &'a Factors<'a>,
    weights: &'a mut [f32],
    inverse_sums: &'a mut [f32],
}

/// Row `at` of a table.
#[inline(always)]
pub(super) fn row(table: &[f32], stride: usize, at: usize) -> &[f32] {
    &table[at * stride..(at + 1) * stride]
}

impl Kernel for Weigh<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Factors { stride, near, near_rows, rest, rest_rows, open } = *self.factors;
        for (at, inverse) in self.inverse_sums.iter_mut().enumerate() {
            let near = row(near, stride, near_rows[at]).chunks_exact(S::LANES);
            let rest = row(rest, stride, rest_rows[at]).chunks_exact(S::LANES);
            let open = row(open, stride, at).chunks_exact(S::LANES);
            let weights = self.weights[at * stride..(at + 1) * stride].chunks_exact_mut(S::LANES);
            let mut sum = simd.splat(0.0);
            for (((near, rest), open), weight) in near.zip(rest).zip(open).zip(weights) {
                let product = simd.load(near) * simd.load(rest) * simd.load(open);
                product.store(weight);
                sum = sum + product;
            }
            *inverse = sum.sum().recip();
        }
    }
}

/// What is known of the rows on the way back through [`weigh`] or [`super::weigh_in_context`].
#[derive(Clone, Copy, Debug)]
pub struct Weighed<'a> {
    /// As they were written (rows).
    pub inverse_sums: &'a [f32],
    /// The mean slope of each row under its weights (rows).
    pub means: &'a [f32],
    /// The slopes of the normalised weights (rows, stride).
    pub slopes: &'a [f32],
}

/// Which rows of both tables (any, stride) are meant by each row (rows).
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// Numbers per row of all tables.
    pub stride: usize,
    /// Of the first table.
    pub near: &'a [usize],
    /// Of the second.
    pub rest: &'a [usize],
}

/// Normalises `weights` as [`weigh`] or [`super::weigh_in_context`] wrote them, and adds the slopes of the scores to
/// the places of both tables that the rows point at.
pub fn weigh_backward(
    isa: Isa,
    places: Places,
    weighed: &Weighed,
    weights: &mut [f32],
    of_near: &mut [f32],
    of_rest: &mut [f32],
) {
    let rows = weighed.inverse_sums.len();
    assert!(places.near.len() == rows && places.rest.len() == rows, "one place in each table per row");
    assert_eq!(weighed.means.len(), rows, "one mean per row");
    assert!(weights.len() == rows * places.stride && weighed.slopes.len() == weights.len());
    isa.run(WeighBackward { places, weighed, weights, of_near, of_rest });
}

struct WeighBackward<'a> {
    places: Places<'a>,
    weighed: &'a Weighed<'a>,
    weights: &'a mut [f32],
    of_near: &'a mut [f32],
    of_rest: &'a mut [f32],
}

impl Kernel for WeighBackward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Places { stride, near: near_rows, rest: rest_rows } = self.places;
        let Weighed { inverse_sums, means, slopes } = *self.weighed;
        for (at, weights) in self.weights.chunks_exact_mut(stride).enumerate() {
            let (inverse, mean) = (simd.splat(inverse_sums[at]), simd.splat(means[at]));
            let slopes = row(slopes, stride, at).chunks_exact(S::LANES);
            let of = |rows: &[usize]| rows[at] * stride..(rows[at] + 1) * stride;
            let of_near = self.of_near[of(near_rows)].chunks_exact_mut(S::LANES);
            let of_rest = self.of_rest[of(rest_rows)].chunks_exact_mut(S::LANES);
            for (((weight, slope), of_near), of_rest) in
                weights.chunks_exact_mut(S::LANES).zip(slopes).zip(of_near).zip(of_rest)
            {
                let normal = simd.load(weight) * inverse;
                normal.store(weight);
                let slope = normal * (simd.load(slope) - mean);
                (simd.load(of_near) + slope).store(of_near);
                (simd.load(of_rest) + slope).store(of_rest);
            }
        }
    }
}

/// Writes the inner product of each pair of rows: `columns` numbers each, which begin `a_step` and `b_step`
/// apart.
pub fn row_products(
    isa: Isa,
    columns: usize,
    (a, a_step): (&[f32], usize),
    (b, b_step): (&[f32], usize),
    out: &mut [f32],
) {
    isa.run(RowProducts { columns, a, a_step, b, b_step, out });
}

struct RowProducts<'a> {
    columns: usize,
    a: &'a [f32],
    a_step: usize,
    b: &'a [f32],
    b_step: usize,
    out: &'a mut [f32],
}

impl Kernel for RowProducts<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { columns, a, a_step, b, b_step, out } = self;
        for (row, out) in out.iter_mut().enumerate() {
            let a = &a[row * a_step..][..columns];
            let b = &b[row * b_step..][..columns];
            let (mut a, mut b) = (a.chunks_exact(S::LANES), b.chunks_exact(S::LANES));
            let mut sum = simd.splat(0.0);
            for (a, b) in (&mut a).zip(&mut b) {
                sum = simd.load(a).mul_add(simd.load(b), sum);
            }
            let (a, b) = (a.remainder(), b.remainder());
            if !a.is_empty() {
                sum = simd.load_part(a).mul_add(simd.load_part(b), sum);
            }
            *out = sum.sum();
        }
    }
}
