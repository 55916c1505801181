//! Products by vectors: a block of rows times a panel is summed in registers.
//!
//! Per step of the depth a block loads one row of the panel and as many single numbers of A as it has
//! rows; the panel stays in the first-level cache while the rows pass, the rows in the second-level cache
//! while the panels pass.

use super::aligned::Aligned;
use super::panel::{Panel, panels};
use super::{Finish, Packed, View};
use crate::simd::{Kernel, Lanes, Simd};

/// Rows of A that stay in the second-level cache: a multiple of every block.
const ROWS: usize = 120;

/// Depth up to which a panel of 32 columns fits into the first-level cache.
const DEPTH: usize = 256;

/// Vectors of columns up to which rearranging A costs more than reading it across its rows.
const FEW: usize = 4;

/// Rows of a block: with two vectors each, the sums leave a few registers for the operands.
pub(super) const fn block_rows(lanes: usize) -> usize {
    match lanes {
        16 => 12,
        8 => 6,
        _ => 4,
    }
}

/// C = A B.
pub(super) struct Product<'a> {
    pub(super) a: View<'a>,
    pub(super) b: &'a Packed,
    pub(super) out: &'a mut [f32],
    pub(super) out_step: usize,
    pub(super) finish: Finish<'a>,
    pub(super) scratch: &'a mut Aligned,
}

/// One block: where its operands are. The addresses are valid for all entries that the steps and
/// counts reach.
#[derive(Clone, Copy)]
struct Block {
    depth: usize,
    a: *const f32,
    row_step: usize,
    depth_step: usize,
    b: *const f32,
    target: Target,
}

/// Where sums are written and what becomes of them before. The addresses are valid for the columns.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub(super) out: *mut f32,
    pub(super) out_step: usize,
    pub(super) columns: usize,
    pub(super) add: bool,
    pub(super) bias: Option<*const f32>,
    pub(super) relu: bool,
}

impl Kernel for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { a, b, out, out_step, finish, scratch } = self;
        let packed = b.values.floats();
        assert!(packed.len() >= b.columns.next_multiple_of(S::LANES) * b.depth, "packed for other vectors");
        let strip = block_rows(S::LANES);
        // Equal parts, whose number and lengths follow from the depth alone.
        let parts = b.depth.div_ceil(DEPTH).max(1);
        let part = b.depth.div_ceil(parts);
        // Shallow panels pass together, so that whole rows of the output are written in order.
        let wide = 2 * S::LANES * (DEPTH / part.max(1));
        for first in (0..parts).map(|number| number * part) {
            let depth = part.min(b.depth - first);
            let last = first + depth == b.depth;
            for top in (0..a.rows).step_by(ROWS) {
                let rows = ROWS.min(a.rows - top);
                let rearranged = (a.column_step != 1 && depth > 0 && b.columns > FEW * S::LANES).then(|| {
                    let strips = scratch.floats_mut(rows * depth);
                    rearrange(a, top, rows, first, depth, strip, strips);
                    strips.as_ptr()
                });
                for left in (0..b.columns).step_by(wide) {
                    for row in (0..rows).step_by(strip) {
                        let height = strip.min(rows - row);
                        let start = (top + row) * a.row_step + first * a.column_step;
                        // Without depth there is nothing at these addresses, and nothing is read.
                        let (start, row_step, depth_step) = match rearranged {
                            None => (a.values().as_ptr().wrapping_add(start), a.row_step, a.column_step),
                            Some(strips) => (strips.wrapping_add(row * depth), 1, height),
                        };
                        for Panel { from, count, vectors } in
                            panels(left, b.columns.min(left + wide), S::LANES)
                        {
                            // SAFETY: the view of A lies within its slice, and `rearrange` filled the strips;
                            // `multiply` compared the shape of C with its slice; the packed values were
                            // counted above.
                            unsafe {
                                let target = Target {
                                    out: out.as_mut_ptr().add((top + row) * out_step + from),
                                    out_step,
                                    columns: count,
                                    add: finish.add || first > 0,
                                    bias: finish.bias.filter(|_| last).map(|bias| bias.as_ptr().add(from)),
                                    relu: finish.relu && last,
                                };
                                let b = packed.as_ptr().add(from * b.depth + first * vectors * S::LANES);
                                let block = Block { depth, a: start, row_step, depth_step, b, target };
                                match vectors {
                                    2 => rows_of::<S, 2>(simd, height, block),
                                    _ => rows_of::<S, 1>(simd, height, block),
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Copies a part of A in the order of the blocks: strips of rows, in each the rows side by side.
#[inline(always)]
fn rearrange(a: View, top: usize, rows: usize, first: usize, depth: usize, strip: usize, to: &mut [f32]) {
    for row in (0..rows).step_by(strip) {
        let height = strip.min(rows - row);
        let strip = &mut to[row * depth..][..height * depth];
        let from = &a.values()[(top + row) * a.row_step + first * a.column_step..];
        match (a.row_step, height) {
            (1, 12) => copy_pieces::<12>(from, a.column_step, strip),
            (1, 6) => copy_pieces::<6>(from, a.column_step, strip),
            (1, 4) => copy_pieces::<4>(from, a.column_step, strip),
            _ => {
                for (k, to) in strip.chunks_exact_mut(height).enumerate() {
                    for (number, to) in to.iter_mut().enumerate() {
                        *to = from[number * a.row_step + k * a.column_step];
                    }
                }
            }
        }
    }
}

/// Copies pieces of a length that the compiler knows, `step` apart.
#[inline(always)]
fn copy_pieces<const LENGTH: usize>(from: &[f32], step: usize, to: &mut [f32]) {
    for (number, to) in to.as_chunks_mut::<LENGTH>().0.iter_mut().enumerate() {
        to.copy_from_slice(&from[number * step..][..LENGTH]);
    }
}

/// A strip of any height up to the largest block, by blocks of fixed heights.
///
/// # Safety
/// As [`Block`] says.
#[inline(always)]
unsafe fn rows_of<S: Simd, const VECTORS: usize>(simd: S, mut height: usize, mut block: Block) {
    // SAFETY: each call gets rows of the strip that the caller vouches for.
    unsafe {
        if block_rows(S::LANES) == 12 && height == 12 {
            return multiply_block::<S, 12, VECTORS>(simd, block);
        }
        if block_rows(S::LANES) > 6 && height > 6 {
            multiply_block::<S, 6, VECTORS>(simd, block);
            block.a = block.a.add(6 * block.row_step);
            block.target.out = block.target.out.add(6 * block.target.out_step);
            height -= 6;
        }
        match height {
            6 => multiply_block::<S, 6, VECTORS>(simd, block),
            5 => multiply_block::<S, 5, VECTORS>(simd, block),
            4 => multiply_block::<S, 4, VECTORS>(simd, block),
            3 => multiply_block::<S, 3, VECTORS>(simd, block),
            2 => multiply_block::<S, 2, VECTORS>(simd, block),
            _ => multiply_block::<S, 1, VECTORS>(simd, block),
        }
    }
}

/// # Safety
/// As [`Block`] says, for `HEIGHT` rows and `VECTORS` vectors.
#[inline(always)]
unsafe fn multiply_block<S: Simd, const HEIGHT: usize, const VECTORS: usize>(simd: S, block: Block) {
    let mut sums = [[simd.splat(0.0); VECTORS]; HEIGHT];
    let (mut a, mut b) = (block.a, block.b);
    for _ in 0..block.depth {
        // SAFETY: step k reads row k of the panel and column k of the rows.
        unsafe {
            let mut row = [simd.splat(0.0); VECTORS];
            for (vector, row) in row.iter_mut().enumerate() {
                *row = simd.read(b.add(vector * S::LANES));
            }
            for (number, sums) in sums.iter_mut().enumerate() {
                let factor = simd.splat(*a.add(number * block.row_step));
                for (sum, row) in sums.iter_mut().zip(row) {
                    *sum = factor.mul_add(row, *sum);
                }
            }
            a = a.add(block.depth_step);
            b = b.add(VECTORS * S::LANES);
        }
    }
    // SAFETY: the target is the block's.
    unsafe {
        if block.target.columns == VECTORS * S::LANES {
            finish::<S, HEIGHT, VECTORS, true>(simd, sums, block.target);
        } else {
            finish::<S, HEIGHT, VECTORS, false>(simd, sums, block.target);
        }
    }
}

/// Writes the sums of a block; `WHOLE` says that all its columns exist.
///
/// # Safety
/// As [`Target`] says, for `HEIGHT` rows.
#[inline(always)]
pub(super) unsafe fn finish<S: Simd, const HEIGHT: usize, const VECTORS: usize, const WHOLE: bool>(
    simd: S,
    mut sums: [[S::Lanes; VECTORS]; HEIGHT],
    target: Target,
) {
    // SAFETY: vectors reach beyond the target's columns only where they are cut off.
    unsafe {
        for vector in 0..VECTORS {
            let from = vector * S::LANES;
            let count = if WHOLE { S::LANES } else { S::LANES.min(target.columns - from) };
            let out = target.out.add(from);
            if target.add {
                for (row, sums) in sums.iter_mut().enumerate() {
                    sums[vector] = load(simd, out.add(row * target.out_step), count) + sums[vector];
                }
            }
            if let Some(bias) = target.bias {
                let bias = load(simd, bias.add(from), count);
                for sums in &mut sums {
                    sums[vector] = sums[vector] + bias;
                }
            }
            if target.relu {
                for sums in &mut sums {
                    sums[vector] = simd.splat(0.0).max(sums[vector]);
                }
            }
            for (row, sums) in sums.iter().enumerate() {
                let out = out.add(row * target.out_step);
                if count == S::LANES {
                    sums[vector].write(out);
                } else {
                    sums[vector].store_part(std::slice::from_raw_parts_mut(out, count));
                }
            }
        }
    }
}

/// A vector, or the first `count` lanes of one.
///
/// # Safety
/// `from` must be valid for as many numbers.
#[inline(always)]
unsafe fn load<S: Simd>(simd: S, from: *const f32, count: usize) -> S::Lanes {
    // SAFETY: a whole vector is only read where the count allows it.
    unsafe {
        if count == S::LANES {
            simd.read(from)
        } else {
            simd.load_part(std::slice::from_raw_parts(from, count))
        }
    }
}
