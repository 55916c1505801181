//! Products by a tile unit, which multiplies 16 x 32 by 32 x 16 numbers rounded to bfloat16 and sums in f32.
//!
//! Every tile is one kibibyte in a row: sixteen lines of sixteen pairs. A pair of A holds the numbers k and k + 16
//! of a row, for the k-th of sixteen; line k of a tile of B holds such pairs of its sixteen columns. (The unit only
//! asks that both agree on what a pair is, and these are made without moving numbers between lanes.) Tiles of A lie
//! row by row, those of B column by column. Missing entries are zero.

use std::marker::PhantomData;

use super::aligned::Aligned;
use super::{Finish, Packed, View, block};
use crate::simd::{Kernel, Lanes, SIDE, Simd, Square};

/// Depth of a tile.
const DEPTH: usize = 2 * SIDE;

/// Pairs in a tile of A or B, numbers in one of C.
pub(super) const TILE: usize = SIDE * SIDE;

/// Rows and tiles of depth of A that are rounded together: a quarter of a mebibyte.
const ROWS: usize = 128;
const PART: usize = 32;

/// Tiles of C in a block: two by two, or four below each other in the last column.
const BLOCK: usize = 4;

/// A block of tiles of C and its operands.
#[derive(Clone, Copy)]
pub(super) struct Tiles {
    /// Tiles of C below each other: up to two, or four of a single column.
    pub(super) rows: usize,
    /// Tiles of C beside each other, 1 or 2.
    pub(super) columns: usize,
    /// Tiles of depth, at least 1.
    pub(super) depth: usize,
    /// The tiles of A: `depth` in a row, the next row of tiles after them.
    pub(super) a: *const f32,
    /// The tiles of B: a column of them, the next column `depth_of_b` tiles later.
    pub(super) b: *const f32,
    pub(super) depth_of_b: usize,
    /// Where C begins, and how far apart its lines do.
    pub(super) out: *mut f32,
    pub(super) out_step: usize,
    /// Whether sums begin with what is there.
    pub(super) add: bool,
}

/// Numbers that become pairs, sixteen of each line at a time: what is missing is zero.
#[derive(Clone, Copy)]
pub(super) struct Pairs<'a> {
    pub(super) low: &'a [f32],
    pub(super) high: &'a [f32],
    /// How far from each other sixteen numbers and the next begin.
    pub(super) step: usize,
    /// Where sixteen pairs go, and how far from there the next do.
    pub(super) to: *mut f32,
    pub(super) to_step: usize,
}

/// What multiplies tiles.
pub(super) trait Unit {
    /// Writes tiles of pairs, as [`Simd::pair`] makes them; numbers below the least normal one may become 0.
    #[inline(always)]
    fn round<S: Simd>(simd: S, lines: Lines, tiles: &mut [Square]) {
        lines.write(
            tiles,
            #[inline(always)]
            |pairs, count| {
                for (number, lane) in
                    (0..count).flat_map(|n| (0..SIDE).step_by(S::LANES).map(move |l| (n, l)))
                {
                    let at = number * pairs.step + lane;
                    let pair = simd.pair(load(simd, pairs.low, at), load(simd, pairs.high, at));
                    // SAFETY: the places are there, as `Lines::write` says.
                    unsafe { pair.write(pairs.to.add(number * pairs.to_step + lane)) }
                }
            },
        );
    }

    /// Writes the product.
    ///
    /// # Safety
    /// The operands and the output must be there as [`Tiles`] says.
    unsafe fn multiply(&mut self, tiles: Tiles);
}

/// A block of C that is not written straight to the output: its lines are as long as it has columns.
#[repr(C, align(64))]
struct Sums([f32; BLOCK * TILE]);

/// Lines of numbers that become tiles.
#[derive(Clone, Copy)]
pub(super) struct Lines<'a> {
    values: &'a [f32],
    /// How far apart lines begin, how many there are, and how many numbers of each.
    step: usize,
    lines: usize,
    count: usize,
    ways: Ways,
}

/// How lines and tiles lie to each other.
#[derive(Clone, Copy)]
enum Ways {
    /// A line is a line of tiles: those of its next thirty-two numbers are `on` tiles farther on, those of the next
    /// sixteen lines `down`.
    Along { on: usize, down: usize },
    /// Pairs are of two lines, sixteen apart: the tiles of their next sixteen numbers are `on` tiles farther on,
    /// those of the next thirty-two lines `down`.
    Across { on: usize, down: usize },
}

impl<'a> Lines<'a> {
    /// A line, or nothing behind the last. Nothing is a place within the values, too: where there is no memory, it
    /// takes a processor long to find that nothing is to be read.
    #[inline(always)]
    fn line(&self, line: usize) -> &'a [f32] {
        if line < self.lines { &self.values[line * self.step..][..self.count] } else { &self.values[..0] }
    }

    /// Has all pairs written; the tiles that `write` is told of are there.
    #[inline(always)]
    pub(super) fn write(self, tiles: &mut [Square], write: impl Fn(Pairs, usize)) {
        let (piece, on) = match self.ways {
            Ways::Along { on, .. } => (DEPTH, on),
            Ways::Across { on, .. } => (SIDE, on),
        };
        let wide = self.count.div_ceil(piece);
        if wide == 0 {
            return;
        }
        let mut write = |low, high, tile: usize, line: usize| {
            let tiles = &mut tiles[tile..][..(wide - 1) * on + 1];
            let to = tiles.as_mut_ptr().cast::<f32>().wrapping_add(line * SIDE);
            write(Pairs { low, high, step: piece, to, to_step: on * TILE }, wide);
        };
        match self.ways {
            Ways::Along { down, .. } => {
                for number in 0..self.lines.next_multiple_of(SIDE) {
                    let low = self.line(number);
                    write(low, &low[SIDE.min(low.len())..], number / SIDE * down, number % SIDE);
                }
            }
            Ways::Across { down, .. } => {
                for number in 0..self.lines.div_ceil(DEPTH) * SIDE {
                    let (tile, pair) = (number / SIDE, number % SIDE);
                    let first = tile * DEPTH + pair;
                    write(self.line(first), self.line(first + SIDE), tile * down, pair);
                }
            }
        }
    }
}

/// The vector that begins at some place of a line; zeros behind its end.
#[inline(always)]
fn load<S: Simd>(simd: S, line: &[f32], at: usize) -> S::Lanes {
    let from = line.get(at..).unwrap_or_default();
    if from.len() >= S::LANES { simd.load(from) } else { simd.load_part(from) }
}

/// Writes B in tiles, for a unit.
pub(super) struct Pack<'a, U> {
    pub(super) unit: PhantomData<U>,
    pub(super) matrix: View<'a>,
    pub(super) values: &'a mut Aligned,
}

impl<U: Unit> Kernel for Pack<'_, U> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let View { rows, columns, row_step, column_step, .. } = self.matrix;
        if rows == 0 || columns == 0 {
            return;
        }
        let (depth, wide) = (rows.div_ceil(DEPTH), columns.div_ceil(SIDE));
        let packed = squares(self.values.floats_mut(depth * wide * TILE));
        let values = self.matrix.values();
        if column_step == 1 {
            let ways = Ways::Across { on: depth, down: 1 };
            let lines = Lines { values, step: row_step, lines: rows, count: columns, ways };
            return U::round(simd, lines, packed);
        }
        let ways = Ways::Along { on: 1, down: depth };
        U::round(simd, Lines { values, step: column_step, lines: columns, count: rows, ways }, packed);
        for tile in packed {
            simd.transpose(tile);
        }
    }
}

/// Writes the rows `top..top + rows` and the columns `first..first + depth` of A in tiles.
#[inline(always)]
fn round_rows<U: Unit, S: Simd>(
    simd: S,
    a: View,
    top: usize,
    rows: usize,
    first: usize,
    depth: usize,
    tiles: &mut [Square],
) {
    let values = a.values().get(top * a.row_step + first * a.column_step..).unwrap_or_default();
    let across = depth.div_ceil(DEPTH);
    if a.column_step == 1 {
        let ways = Ways::Along { on: 1, down: across };
        let lines = Lines { values, step: a.row_step, lines: rows, count: depth, ways };
        return U::round(simd, lines, tiles);
    }
    let ways = Ways::Across { on: across, down: 1 };
    U::round(simd, Lines { values, step: a.column_step, lines: depth, count: rows, ways }, tiles);
    for tile in tiles {
        simd.transpose(tile);
    }
}

/// The tiles in a buffer that holds whole ones.
#[inline(always)]
fn squares(values: &mut [f32]) -> &mut [Square] {
    values.as_chunks_mut::<SIDE>().0.as_chunks_mut::<SIDE>().0
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
        let packed = b.values.floats();
        assert!(packed.len() >= tiles * b.columns.div_ceil(SIDE) * TILE, "not packed in tiles");
        let mut sums = Sums([0.0; BLOCK * TILE]);
        for first in (0..tiles.max(1)).step_by(PART) {
            let part = PART.min(tiles - first);
            let depth = (part * DEPTH).min(b.depth - first * DEPTH);
            let last = first + part == tiles;
            let finish = Finish {
                add: finish.add || first > 0,
                bias: finish.bias.filter(|_| last),
                relu: finish.relu && last,
            };
            for top in (0..a.rows).step_by(ROWS) {
                let rows = ROWS.min(a.rows - top);
                let rounded = scratch.floats_mut(rows.div_ceil(SIDE) * part * TILE);
                round_rows::<U, S>(simd, a, top, rows, first * DEPTH, depth, squares(rounded));
                for from in (0..b.columns).step_by(2 * SIDE) {
                    let width = (b.columns - from).min(2 * SIDE);
                    let columns = width.div_ceil(SIDE);
                    let strip = BLOCK / columns * SIDE;
                    for row in (0..rows).step_by(strip) {
                        let height = (rows - row).min(strip);
                        let operands = (part > 0).then(|| {
                            let tile = from / SIDE * tiles + first;
                            (rounded[row / SIDE * part * TILE..].as_ptr(), packed[tile * TILE..].as_ptr())
                        });
                        let block = Block {
                            depth: part,
                            depth_of_b: tiles,
                            operands,
                            height,
                            width,
                            finish,
                            column: from,
                        };
                        let out = &mut out[(top + row) * out_step + from..];
                        // SAFETY: the rounded rows and the packed panel, counted above, hold the operands;
                        // `multiply` compared the shape of C with its slice.
                        unsafe { block.multiply(simd, &mut unit, &mut sums, out, out_step) }
                    }
                }
            }
        }
    }
}

/// A block of C: so many lines and columns of the output from some place on.
struct Block<'a> {
    depth: usize,
    depth_of_b: usize,
    /// The tiles of A and of B, if there is any depth.
    operands: Option<(*const f32, *const f32)>,
    height: usize,
    width: usize,
    finish: Finish<'a>,
    /// Where its columns begin in the product.
    column: usize,
}

impl Block<'_> {
    /// # Safety
    /// The operands must be there, and the output as large as said.
    #[inline(always)]
    unsafe fn multiply<S: Simd>(
        &self,
        simd: S,
        unit: &mut impl Unit,
        sums: &mut Sums,
        out: &mut [f32],
        out_step: usize,
    ) {
        let Self { depth, depth_of_b, operands, height, width, finish, column } = *self;
        let (rows, columns) = (height.div_ceil(SIDE), width.div_ceil(SIDE));
        let tiles = |out: &mut [f32], out_step: usize| {
            let (a, b) = operands?;
            let (out, add) = (out.as_mut_ptr(), finish.add);
            Some(Tiles { rows, columns, depth, a, b, depth_of_b, out, out_step, add })
        };
        let is_whole = height.is_multiple_of(SIDE) && width.is_multiple_of(SIDE);
        if is_whole
            && finish.bias.is_none()
            && !finish.relu
            && let Some(tiles) = tiles(out, out_step)
        {
            // SAFETY: all lines and columns of the tiles are lines and columns of the output.
            return unsafe { unit.multiply(tiles) };
        }
        let step = columns * SIDE;
        if finish.add {
            // Sums begin with what is there, as they do in whole tiles.
            for (line, sums) in sums.0.chunks_exact_mut(step).take(height).enumerate() {
                sums[..width].copy_from_slice(&out[line * out_step..][..width]);
            }
        }
        match tiles(&mut sums.0, step) {
            // SAFETY: four tiles of sums are there.
            Some(tiles) => unsafe { unit.multiply(tiles) },
            None if finish.add => {}
            None => sums.0.fill(0.0),
        }
        for (line, sums) in sums.0.chunks_exact(step).take(height).enumerate() {
            for lane in (0..width).step_by(S::LANES) {
                let columns = S::LANES.min(width - lane);
                let target = block::Target {
                    out: out[line * out_step + lane..].as_mut_ptr(),
                    out_step,
                    columns,
                    add: false,
                    bias: finish.bias.map(|bias| bias[column + lane..].as_ptr()),
                    relu: finish.relu,
                };
                let sums = [[simd.load(&sums[lane..])]];
                // SAFETY: so many columns follow in the output and in the bias.
                unsafe {
                    match columns == S::LANES {
                        true => block::finish::<S, 1, 1, true>(simd, sums, target),
                        false => block::finish::<S, 1, 1, false>(simd, sums, target),
                    }
                }
            }
        }
    }
}
