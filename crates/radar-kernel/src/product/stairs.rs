//! Products with a matrix whose rows have ever fewer entries: what a trajectory has visited is closed to all
//! its later rows. Half of such a matrix is zero, in another order of columns for each trajectory; products
//! follow that order instead of multiplying zeros.

use super::block::block_rows;
use super::panel::{Panel, panels};
use super::{Finish, Packed, View, multiply, view};
use crate::attention::{read, write};
use crate::isa::Isa;
use crate::simd::{Kernel, Lanes, Simd};

/// Which entries of a matrix may be other than zero.
#[derive(Clone, Debug, Default)]
pub struct Stairs {
    rows: usize,
    columns: usize,
    /// The columns with any entry, those that last longest first.
    order: Vec<usize>,
    /// The same, times the numbers in a vector: a step reads both without computing.
    places: Vec<usize>,
    /// How many of them still have an entry in each row or later.
    reach: Vec<usize>,
    /// How many rows pass until each of them has no entry any more.
    depth: Vec<usize>,
}

impl Stairs {
    /// The stairs of a matrix with so many columns that has entries only where bits are set: each row has
    /// its own words of 64 bits, as many as the columns need.
    pub fn refill(&mut self, isa: Isa, columns: usize, bits: &[u64]) {
        let words = columns.div_ceil(64).max(1);
        assert!(bits.len().is_multiple_of(words), "whole rows of bits");
        self.rows = bits.len() / words;
        self.columns = columns;
        self.order.clear();
        self.depth.clear();
        self.reach.clear();
        self.reach.resize(self.rows, 0);
        let mut seen = vec![0_u64; words];
        for (row, bits) in bits.chunks_exact(words).enumerate().rev() {
            for (word, (seen, &bits)) in seen.iter_mut().zip(bits).enumerate() {
                let mut new = bits & !*seen;
                *seen |= bits;
                while new != 0 {
                    self.order.push(word * 64 + new.trailing_zeros() as usize);
                    self.depth.push(row + 1);
                    new &= new - 1;
                }
            }
            self.reach[row] = self.order.len();
        }
        assert!(self.order.iter().all(|&column| column < columns), "a bit beyond the columns");
        self.places.clear();
        self.places.extend(self.order.iter().map(|column| column * isa.lanes()));
    }

    /// Writes A B to `out`, whose rows begin `out_step` apart. A (rows, columns) has these stairs, and is
    /// zero wherever they have no entry; B is (columns, any).
    pub fn multiply(&self, a: View, b: &Packed, out: &mut [f32], out_step: usize) {
        assert!(a.rows == self.rows && a.columns == self.columns, "other stairs");
        assert_eq!(b.depth, self.columns, "the factors differ in depth");
        if b.isa == Isa::Amx || a.column_step != 1 {
            return multiply(a, b, out, out_step, Finish::default());
        }
        check(self.rows, b, out, out_step);
        b.isa.run(Down(Factors { stairs: self, a, b, out, out_step }));
    }

    /// Adds A' B to `out`, whose rows begin `out_step` apart. A (rows, columns) has these stairs, and is
    /// zero wherever they have no entry; B is (rows, any).
    pub fn multiply_transposed(&self, a: View, b: &Packed, out: &mut [f32], out_step: usize) {
        assert!(a.rows == self.rows && a.columns == self.columns, "other stairs");
        assert_eq!(b.depth, self.rows, "the factors differ in depth");
        if b.isa == Isa::Amx || a.column_step != 1 {
            return multiply(a.transposed(), b, out, out_step, Finish { add: true, ..Finish::default() });
        }
        check(self.columns, b, out, out_step);
        b.isa.run(Across(Factors { stairs: self, a, b, out, out_step }));
    }
}

fn check(rows: usize, b: &Packed, out: &[f32], out_step: usize) {
    let is_empty = rows == 0 || b.columns == 0;
    assert!(rows <= 1 || out_step >= b.columns, "rows of the output overlap");
    assert!(is_empty || view::end(rows, b.columns, out_step) <= out.len(), "the output is too short");
}

/// What is multiplied.
struct Factors<'a> {
    stairs: &'a Stairs,
    a: View<'a>,
    b: &'a Packed,
    out: &'a mut [f32],
    out_step: usize,
}

impl Factors<'_> {
    /// B as vectors of this set read it.
    #[inline(always)]
    fn packed<S: Simd>(&self) -> &[f32] {
        let packed = self.b.values.floats();
        let least = self.b.columns.next_multiple_of(S::LANES) * self.b.depth;
        assert!(packed.len() >= least, "packed for other vectors");
        packed
    }
}

/// A B: down the rows.
struct Down<'a>(Factors<'a>);

impl Kernel for Down<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let packed = self.0.packed::<S>().as_ptr();
        let Factors { stairs, a, b, out, out_step } = self.0;
        let strip = block_rows(S::LANES);
        for row in (0..stairs.rows).step_by(strip) {
            let lines = Lines {
                a: a.values().as_ptr(),
                out: out.as_mut_ptr(),
                out_step,
                add: false,
                // The first row of a strip reaches farthest.
                depth: stairs.reach[row],
                height: strip.min(stairs.rows - row),
            };
            for panel in panels(0, b.columns, S::LANES) {
                let panel_at = panel.from * b.depth;
                // SAFETY: rows and columns of the stairs are those of A, of B and of the output, whose sizes
                // were compared with their slices.
                unsafe {
                    lines.multiply(
                        simd,
                        panel,
                        packed.add(panel_at),
                        #[inline(always)]
                        |line| (row + line) * a.row_step,
                        #[inline(always)]
                        |line| row + line,
                        #[inline(always)]
                        |step| (*stairs.order.get_unchecked(step), *stairs.places.get_unchecked(step)),
                    );
                }
            }
        }
    }
}

/// A' B: across the columns.
struct Across<'a>(Factors<'a>);

impl Kernel for Across<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let packed = self.0.packed::<S>().as_ptr();
        let Factors { stairs, a, b, out, out_step } = self.0;
        let strip = block_rows(S::LANES);
        for first in (0..stairs.order.len()).step_by(strip) {
            let columns = &stairs.order[first..stairs.order.len().min(first + strip)];
            let lines = Lines {
                a: a.values().as_ptr(),
                out: out.as_mut_ptr(),
                out_step,
                add: true,
                // The first column of a strip lasts longest.
                depth: stairs.depth[first],
                height: columns.len(),
            };
            for panel in panels(0, b.columns, S::LANES) {
                let panel_at = panel.from * b.depth;
                // SAFETY: as for `Down`.
                unsafe {
                    lines.multiply(
                        simd,
                        panel,
                        packed.add(panel_at),
                        #[inline(always)]
                        |line| *columns.get_unchecked(line),
                        #[inline(always)]
                        |line| *columns.get_unchecked(line),
                        #[inline(always)]
                        |step| (step * a.row_step, step * S::LANES),
                    );
                }
            }
        }
    }
}

/// A strip of lines of the output.
#[derive(Clone, Copy)]
struct Lines {
    a: *const f32,
    out: *mut f32,
    out_step: usize,
    add: bool,
    depth: usize,
    height: usize,
}

impl Lines {
    /// Multiplies a strip by a panel at `b`: `begin` says where a line of A begins, `target` which line of the
    /// output it makes, `step` how far from the beginning a step of the depth reads, and how far in a panel of
    /// one vector.
    ///
    /// # Safety
    /// All these places must exist, for all lines up to the height and all steps up to the depth.
    #[inline(always)]
    unsafe fn multiply<S: Simd>(
        self,
        simd: S,
        panel: Panel,
        b: *const f32,
        begin: impl Fn(usize) -> usize,
        target: impl Fn(usize) -> usize,
        step: impl Fn(usize) -> (usize, usize),
    ) {
        macro_rules! of_height {
            ($($height:literal)*) => {
                match (self.height, panel.vectors) {
                    // SAFETY: as the caller vouches.
                    $(
                        ($height, 2) => unsafe { self.block::<S, $height, 2>(simd, panel, b, begin, target, step) },
                        ($height, _) => unsafe { self.block::<S, $height, 1>(simd, panel, b, begin, target, step) },
                    )*
                    _ => unreachable!("a strip is no higher than a block"),
                }
            };
        }
        of_height!(1 2 3 4 5 6 7 8 9 10 11 12);
    }

    /// # Safety
    /// As [`Self::multiply`], for `HEIGHT` lines.
    #[inline(always)]
    unsafe fn block<S: Simd, const HEIGHT: usize, const VECTORS: usize>(
        self,
        simd: S,
        panel: Panel,
        b: *const f32,
        begin: impl Fn(usize) -> usize,
        target: impl Fn(usize) -> usize,
        step: impl Fn(usize) -> (usize, usize),
    ) {
        let mut sums = [[simd.splat(0.0); VECTORS]; HEIGHT];
        // SAFETY: as the caller vouches.
        let lines: [*const f32; HEIGHT] = std::array::from_fn(|line| unsafe { self.a.add(begin(line)) });
        for at in 0..self.depth {
            let (of_a, of_b) = step(at);
            // SAFETY: as the caller vouches.
            unsafe {
                let mut row = [simd.splat(0.0); VECTORS];
                for vector in 0..VECTORS {
                    row[vector] = simd.read(b.add(VECTORS * of_b + vector * S::LANES));
                }
                for line in 0..HEIGHT {
                    let factor = simd.splat(*lines[line].add(of_a));
                    for vector in 0..VECTORS {
                        sums[line][vector] = factor.mul_add(row[vector], sums[line][vector]);
                    }
                }
            }
        }
        let whole = panel.count == VECTORS * S::LANES;
        for line in 0..HEIGHT {
            // SAFETY: as the caller vouches; no more columns are touched than the panel has.
            unsafe {
                let out = self.out.add(target(line) * self.out_step + panel.from);
                for vector in 0..VECTORS {
                    let count = if whole { S::LANES } else { S::LANES.min(panel.count - vector * S::LANES) };
                    let out = out.add(vector * S::LANES);
                    let before = if self.add { read(simd, out, count) } else { simd.splat(0.0) };
                    write::<S>(before + sums[line][vector], out, count);
                }
            }
        }
    }
}
