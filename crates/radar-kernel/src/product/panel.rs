//! The order of B for vectors: panels of two vectors' width, each row by row; the last one is a single
//! vector wide if that suffices. What is missing to whole vectors is zero.

use super::View;
use super::aligned::Aligned;
use crate::simd::{Kernel, Lanes, Simd};

/// The columns `from..from + count` and the vectors they take.
#[derive(Clone, Copy)]
pub(super) struct Panel {
    pub(super) from: usize,
    pub(super) count: usize,
    pub(super) vectors: usize,
}

/// The panels of the columns `first..columns`. A panel begins at `from * depth` of the packed values.
#[inline(always)]
pub(super) fn panels(first: usize, columns: usize, lanes: usize) -> impl Iterator<Item = Panel> {
    (first..columns).step_by(2 * lanes).map(move |from| {
        let count = (columns - from).min(2 * lanes);
        Panel { from, count, vectors: count.div_ceil(lanes) }
    })
}

/// Writes a matrix in panels, each row multiplied by its factor if there are any.
pub(super) struct Pack<'a> {
    pub(super) matrix: View<'a>,
    pub(super) factors: Option<&'a [f32]>,
    pub(super) values: &'a mut Aligned,
}

impl Kernel for Pack<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { matrix, factors, values } = self;
        let depth = matrix.rows;
        let packed = values.floats_mut(matrix.columns.next_multiple_of(S::LANES) * depth);
        if matrix.column_step == 1 {
            return pack_rows(simd, matrix, factors, packed);
        }
        for Panel { from, count, vectors } in panels(0, matrix.columns, S::LANES) {
            let width = vectors * S::LANES;
            let panel = &mut packed[from * depth..][..width * depth];
            panel_across(matrix, from, count, width, panel);
            for (row, factor) in panel.chunks_exact_mut(width).zip(factors.into_iter().flatten()) {
                row.iter_mut().for_each(|value| *value *= factor);
            }
        }
    }
}

/// Writes the panels of a matrix whose rows lie in one piece: row by row, as they are read.
#[inline(always)]
fn pack_rows<S: Simd>(simd: S, matrix: View, factors: Option<&[f32]>, packed: &mut [f32]) {
    let (depth, columns, width) = (matrix.rows, matrix.columns, 2 * S::LANES);
    let (whole, rest) = (columns / width, columns % width);
    let last = whole * width * depth;
    let last_width = rest.next_multiple_of(S::LANES);
    for row in 0..depth {
        let line = &matrix.values()[row * matrix.row_step..][..columns];
        let factor = simd.splat(factors.map_or(1.0, |factors| factors[row]));
        let mut pieces = line.chunks_exact(width);
        for (panel, piece) in (&mut pieces).enumerate() {
            let to = &mut packed[(panel * depth + row) * width..][..width];
            (simd.load(piece) * factor).store(to);
            (simd.load(&piece[S::LANES..]) * factor).store(&mut to[S::LANES..]);
        }
        let to = &mut packed[last + row * last_width..][..last_width];
        for (from, to) in pieces.remainder().chunks(S::LANES).zip(to.chunks_exact_mut(S::LANES)) {
            (simd.load_part(from) * factor).store(to);
        }
    }
}

/// Writes a panel of a matrix whose columns, not rows, lie in one piece or in no piece: squares of four
/// by four, so that both sides of the copy move along their lines.
#[inline(always)]
fn panel_across(matrix: View, from: usize, count: usize, width: usize, panel: &mut [f32]) {
    const SIDE: usize = 4;
    let (depth, step) = (matrix.rows, matrix.row_step);
    let squares = if step == 1 { depth - depth % SIDE } else { 0 };
    for left in (0..width).step_by(SIDE) {
        let squares = if left + SIDE <= count { squares } else { 0 };
        let column = |next: usize| &matrix.values()[(from + left + next) * matrix.column_step..];
        if squares > 0 {
            let lines = [column(0), column(1), column(2), column(3)].map(|line| &line[..squares]);
            let rows = panel.chunks_exact_mut(SIDE * width);
            for (top, rows) in rows.enumerate().take(squares / SIDE) {
                let square: [[f32; SIDE]; SIDE] =
                    std::array::from_fn(|next| std::array::from_fn(|row| lines[next][top * SIDE + row]));
                for (row, to) in rows.chunks_exact_mut(width).enumerate() {
                    to[left..][..SIDE].copy_from_slice(&square.map(|line| line[row]));
                }
            }
        }
        for (row, to) in panel.chunks_exact_mut(width).enumerate().skip(squares) {
            for (next, to) in to[left..][..SIDE].iter_mut().enumerate() {
                *to = if left + next < count { column(next)[row * step] } else { 0.0 };
            }
        }
    }
}
