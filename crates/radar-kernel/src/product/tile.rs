//! Products by a tile unit, which multiplies 16 x 32 by 32 x 16 numbers rounded to bfloat16 and sums in f32.
//!
//! Every tile is one kibibyte in a row. A tile of A holds 16 rows of 32 numbers. A tile of B holds in line
//! q the pairs (2q, j), (2q + 1, j) of its 16 columns j. B is stored in panels of two tiles' width, the last
//! a single one wide if that suffices; a panel goes down the depth tile by tile. Missing entries are zero.

use super::aligned::Aligned;
use super::{Finish, Packed, View, block};
use crate::simd::{Kernel, Simd};

/// Rows of a tile of A, columns of one of B, rows and columns of one of C.
pub(super) const SIDE: usize = 16;

/// Depth of a tile.
pub(super) const DEPTH: usize = 32;

/// Numbers in a tile of A or B.
pub(super) const TILE: usize = SIDE * DEPTH;

/// Numbers in a tile of C.
pub(super) const SUMS: usize = SIDE * SIDE;

/// Rows and tiles of depth of A that are rounded together: a quarter of a mebibyte.
const ROWS: usize = 128;
const PART: usize = 32;

/// The shape of a block of tiles of C, at most 2 x 2, and its operands.
#[derive(Clone, Copy)]
pub(super) struct Tiles {
    /// Tiles of C below each other, 1 or 2.
    pub(super) rows: usize,
    /// Tiles of C beside each other, 1 or 2.
    pub(super) columns: usize,
    /// Tiles of depth, at least 1.
    pub(super) depth: usize,
    /// The tiles of A: `depth` in a row; the second row begins `depth` tiles later.
    pub(super) a: *const u16,
    /// The tiles of B: `columns` beside each other per tile of depth.
    pub(super) b: *const u16,
}

/// What multiplies tiles.
pub(super) trait Unit {
    /// Writes tile (r, c) of the product to `sums[2 * r + c]`.
    ///
    /// # Safety
    /// The operands must be there as [`Tiles`] says.
    unsafe fn multiply(&mut self, tiles: Tiles, sums: &mut Sums);
}

/// Four tiles of C.
#[repr(C, align(64))]
pub(super) struct Sums(pub(super) [[f32; SUMS]; 4]);

/// The nearest bfloat16, the even one of two; NaN stays NaN.
#[inline(always)]
pub(super) fn round(value: f32) -> u16 {
    let bits = value.to_bits();
    let nearest = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
    (if value.is_nan() { bits >> 16 | 0x40 } else { nearest }) as u16
}

/// Writes B in tiles.
pub(super) fn pack(matrix: View, values: &mut Aligned) {
    let tiles = matrix.rows.div_ceil(DEPTH);
    let packed = values.halves_mut(tiles * matrix.columns.div_ceil(SIDE) * TILE);
    for from in (0..matrix.columns).step_by(2 * SIDE) {
        let wide = (matrix.columns - from).div_ceil(SIDE).min(2);
        let panel = &mut packed[from / SIDE * tiles * TILE..][..wide * tiles * TILE];
        for (number, tile) in panel.chunks_exact_mut(TILE).enumerate() {
            let (top, left) = (number / wide * DEPTH, from + number % wide * SIDE);
            for (place, to) in tile.iter_mut().enumerate() {
                let row = top + place / (2 * SIDE) * 2 + place % 2;
                let column = left + place % (2 * SIDE) / 2;
                let inside = row < matrix.rows && column < matrix.columns;
                *to = if inside { round(matrix.at(row, column)) } else { 0 };
            }
        }
    }
}

/// Writes the rows `top..top + rows` and the columns `first..first + depth` of A in tiles.
#[inline(always)]
fn round_rows(a: View, top: usize, rows: usize, first: usize, depth: usize, to: &mut [u16]) {
    let across = depth.div_ceil(DEPTH);
    for (number, tile) in to.chunks_exact_mut(TILE).enumerate() {
        let (row, left) = (number / across * SIDE, number % across * DEPTH);
        let (height, width) = (SIDE.min(rows - row), DEPTH.min(depth - left));
        if height < SIDE || width < DEPTH {
            tile.fill(0);
        }
        let values = &a.values()[(top + row) * a.row_step + (first + left) * a.column_step..];
        if a.column_step == 1 {
            for (line, to) in tile.chunks_exact_mut(DEPTH).take(height).enumerate() {
                let from = &values[line * a.row_step..][..width];
                to.iter_mut().zip(from).for_each(|(to, &from)| *to = round(from));
            }
        } else {
            for k in 0..width {
                for line in 0..height {
                    tile[line * DEPTH + k] = round(values[line * a.row_step + k * a.column_step]);
                }
            }
        }
    }
}

/// C = A B by a unit.
pub(super) struct Product<'a, U> {
    pub(super) unit: U,
    pub(super) a: View<'a>,
    pub(super) b: &'a Packed,
    pub(super) out: &'a mut [f32],
    pub(super) out_step: usize,
    pub(super) finish: Finish<'a>,
    pub(super) scratch: &'a mut Aligned,
}

impl<U: Unit> Kernel for Product<'_, U> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { mut unit, a, b, out, out_step, finish, scratch } = self;
        let tiles = b.depth.div_ceil(DEPTH);
        let packed = b.values.halves();
        assert!(packed.len() >= tiles * b.columns.div_ceil(SIDE) * TILE, "not packed in tiles");
        let mut sums = Sums([[0.0; SUMS]; 4]);
        for first in (0..tiles.max(1)).step_by(PART) {
            let part = PART.min(tiles - first);
            let depth = (part * DEPTH).min(b.depth - first * DEPTH);
            let last = first + part == tiles;
            for top in (0..a.rows).step_by(ROWS) {
                let rows = ROWS.min(a.rows - top);
                let rounded = scratch.halves_mut(rows.div_ceil(SIDE) * part * TILE);
                round_rows(a, top, rows, first * DEPTH, depth, rounded);
                for from in (0..b.columns).step_by(2 * SIDE) {
                    let width = (b.columns - from).min(2 * SIDE);
                    let columns = width.div_ceil(SIDE);
                    for row in (0..rows).step_by(2 * SIDE) {
                        let height = (rows - row).min(2 * SIDE);
                        if part > 0 {
                            let tile = from / SIDE * tiles + first * columns;
                            let operands = Tiles {
                                rows: height.div_ceil(SIDE),
                                columns,
                                depth: part,
                                a: rounded[row / SIDE * part * TILE..].as_ptr(),
                                b: packed[tile * TILE..].as_ptr(),
                            };
                            // SAFETY: the rounded rows and the packed panel, counted above, hold them.
                            unsafe { unit.multiply(operands, &mut sums) }
                        }
                        for (line, left) in (0..height).flat_map(|line| (0..columns).map(move |c| (line, c)))
                        {
                            let tile = &sums.0[line / SIDE * 2 + left];
                            let line_sums = &tile[line % SIDE * SIDE..][..SIDE];
                            let column = from + left * SIDE;
                            for lane in (0..SIDE.min(b.columns - column)).step_by(S::LANES) {
                                let target = block::Target {
                                    out: out[(top + row + line) * out_step + column + lane..].as_mut_ptr(),
                                    out_step,
                                    columns: S::LANES.min(b.columns - column - lane),
                                    add: finish.add || first > 0,
                                    bias: finish
                                        .bias
                                        .filter(|_| last)
                                        .map(|bias| bias[column + lane..].as_ptr()),
                                    relu: finish.relu && last,
                                };
                                let sums = [[simd.load(&line_sums[lane..])]];
                                // SAFETY: so many columns follow in the output and in the bias.
                                unsafe { block::finish::<S, 1, 1, false>(simd, sums, target) }
                            }
                        }
                    }
                }
            }
        }
    }
}
