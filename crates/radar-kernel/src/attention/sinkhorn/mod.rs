//! Attention weights from scores: softmax over rows, or Sinkhorn's rows and columns in turn.
//!
//! Normalising rows and columns only ever multiplies each by a number, so the weights are
//! `diag(u) K diag(g)` with `K = exp(scores)`: one exponential per entry, then products of `K` with vectors.
//! Where scores are so far apart that this would underflow, the logarithms are iterated instead.

mod backward;
mod logarithms;

pub use backward::normalise_backward;

use super::load;
use crate::isa::Isa;
use crate::simd::{Kernel, Lanes, Simd, add_scaled_with, exp, maximum_with};
use logarithms::logarithmic;

/// Which sums are exactly one at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Last {
    /// Rows first, columns last.
    Columns,
    /// Columns first, rows last.
    Rows,
}

/// How scores become weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normalisation {
    /// Every row sums to one.
    Softmax,
    /// Rows and columns in turn, so often.
    Sinkhorn {
        /// How often both are normalised.
        iterations: usize,
        /// Which come last.
        last: Last,
    },
}

/// The factors of rows and columns, of every iteration: what [`normalise_backward`] needs.
#[derive(Clone, Debug, Default)]
pub struct Scaling {
    nodes: usize,
    stride: usize,
    /// The factors of the rows after each iteration, one after the other.
    rows: Vec<f32>,
    /// The factors of the columns, likewise, `stride` each, 0 beyond the nodes; one more if they begin.
    columns: Vec<f32>,
    /// Whether the logarithms were iterated; the factors are then all 1, and `K` holds the weights.
    by_logarithms: bool,
}

impl Scaling {
    /// The factors of the rows, (nodes).
    pub fn rows(&self) -> &[f32] {
        &self.rows[self.rows.len() - self.nodes..]
    }

    /// The factors of the columns, (nodes).
    pub fn columns(&self) -> &[f32] {
        &self.columns[self.columns.len() - self.stride..][..self.nodes]
    }

    /// Whether scores were too far apart for factors.
    pub fn by_logarithms(&self) -> bool {
        self.by_logarithms
    }
}

/// Writes `K` (nodes, stride) and the factors with which `diag(rows) K diag(columns)` are the weights of
/// `scores` (nodes x nodes). The stride is a number of whole vectors; beyond the nodes `K` is 0.
pub fn normalise(
    isa: Isa,
    how: Normalisation,
    nodes: usize,
    scores: &[f32],
    kernel: &mut [f32],
    scaling: &mut Scaling,
) {
    let stride = kernel.len() / nodes.max(1);
    assert!(scores.len() == nodes * nodes && kernel.len() == nodes * stride, "one score per pair of nodes");
    assert!(stride >= nodes && stride.is_multiple_of(isa.lanes()), "rows of whole vectors");
    (scaling.nodes, scaling.stride) = (nodes, stride);
    scaling.by_logarithms = false;
    isa.run(Forward { how, scores, kernel, scaling });
    if scaling.by_logarithms {
        logarithmic(how, nodes, scores, kernel);
        for (factors, count) in [(&mut scaling.rows, nodes), (&mut scaling.columns, stride)] {
            factors.clear();
            factors.resize(count, 1.0);
        }
    }
}

/// Factors beyond this, or below its inverse, are left to the logarithms: products of a few must still be
/// numbers.
const FAR: f32 = 1e25;

struct Forward<'a> {
    how: Normalisation,
    scores: &'a [f32],
    kernel: &'a mut [f32],
    scaling: &'a mut Scaling,
}

impl Kernel for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { how, scores, kernel, scaling } = self;
        let Scaling { nodes, stride, rows, columns, by_logarithms } = scaling;
        let (nodes, stride) = (*nodes, *stride);
        rows.clear();
        columns.clear();
        if nodes == 0 {
            return;
        }
        let iterations = match how {
            Normalisation::Softmax => 1,
            Normalisation::Sinkhorn { iterations, .. } => iterations,
        };
        let ends_on_rows = matches!(how, Normalisation::Sinkhorn { last: Last::Rows, .. });
        exponentials(simd, nodes, scores, kernel, stride, ends_on_rows);
        let mut sums = vec![0.0; stride];
        let invert = |sums: &[f32], columns: &mut Vec<f32>| {
            columns.extend(sums[..nodes].iter().map(|sum| sum.recip()));
            columns.resize(columns.len().next_multiple_of(stride), 0.0);
        };
        if ends_on_rows && iterations > 0 {
            for row in kernel.chunks_exact(stride) {
                add_scaled_with(simd, &mut sums, 1.0, row);
            }
        } else {
            sums.fill(1.0);
        }
        invert(&sums, columns);
        for iteration in 0..iterations {
            let is_last = iteration + 1 == iterations;
            let wants_columns = match how {
                Normalisation::Softmax => false,
                Normalisation::Sinkhorn { last: Last::Columns, .. } => true,
                Normalisation::Sinkhorn { last: Last::Rows, .. } => !is_last,
            };
            let before = &columns[columns.len() - stride..];
            sweep(
                simd,
                kernel,
                before,
                &mut sums,
                #[inline(always)]
                |_, sum| {
                    let factor = sum.recip();
                    rows.push(factor);
                    factor
                },
            );
            if wants_columns {
                invert(&sums, columns);
            }
        }
        if iterations == 0 {
            rows.resize(nodes, 1.0);
        }
        // NaN is in no range.
        let is_near = |factors: &[f32]| factors.iter().all(|factor| (FAR.recip()..FAR).contains(factor));
        *by_logarithms =
            !(is_near(rows) && columns.chunks_exact(stride).all(|columns| is_near(&columns[..nodes])));
    }
}

/// Rows of a table that pass together.
const ROWS: usize = 4;

/// With y = f(K x), row by row: writes K' y to `out`. Each row of `kernel` has the length of `x` and `out`.
#[inline(always)]
pub(crate) fn sweep<S: Simd>(
    simd: S,
    kernel: &[f32],
    x: &[f32],
    out: &mut [f32],
    mut f: impl FnMut(usize, f32) -> f32,
) {
    let stride = x.len();
    out.fill(0.0);
    let mut blocks = kernel.chunks_exact(ROWS * stride);
    let mut row = 0;
    for block in &mut blocks {
        sweep_rows::<S, ROWS>(simd, block, x, out, row, &mut f);
        row += ROWS;
    }
    for block in blocks.remainder().chunks_exact(stride) {
        sweep_rows::<S, 1>(simd, block, x, out, row, &mut f);
        row += 1;
    }
}

#[inline(always)]
fn sweep_rows<S: Simd, const COUNT: usize>(
    simd: S,
    block: &[f32],
    x: &[f32],
    out: &mut [f32],
    first: usize,
    f: &mut impl FnMut(usize, f32) -> f32,
) {
    let stride = x.len();
    assert!(block.len() == COUNT * stride && out.len() == stride && stride.is_multiple_of(S::LANES));
    let (x, block, out) = (x.as_ptr(), block.as_ptr(), out.as_mut_ptr());
    let mut sums = [simd.splat(0.0); COUNT];
    for at in (0..stride).step_by(S::LANES) {
        // SAFETY: a whole vector follows in x and in each of the rows.
        unsafe {
            let x = simd.read(x.add(at));
            for line in 0..COUNT {
                sums[line] = simd.read(block.add(line * stride + at)).mul_add(x, sums[line]);
            }
        }
    }
    let mut factors = [simd.splat(0.0); COUNT];
    for line in 0..COUNT {
        factors[line] = simd.splat(f(first + line, sums[line].sum()));
    }
    for at in (0..stride).step_by(S::LANES) {
        // SAFETY: a whole vector follows in the output and in each of the rows.
        unsafe {
            let mut sum = simd.read(out.add(at));
            for line in 0..COUNT {
                sum = simd.read(block.add(line * stride + at)).mul_add(factors[line], sum);
            }
            sum.write(out.add(at));
        }
    }
}

/// e^score, with the greatest of each row taken off before; or of each column, if columns are normalised
/// first. What is normalised first does not feel it.
#[inline(always)]
fn exponentials<S: Simd>(
    simd: S,
    nodes: usize,
    scores: &[f32],
    kernel: &mut [f32],
    stride: usize,
    by_column: bool,
) {
    let mut most = Vec::new();
    if by_column {
        most.resize(nodes, f32::NEG_INFINITY);
        for row in scores.chunks_exact(nodes) {
            for (most, &score) in most.iter_mut().zip(row) {
                *most = score.max(*most);
            }
        }
    }
    for (row, to) in scores.chunks_exact(nodes).zip(kernel.chunks_exact_mut(stride)) {
        let of_row = if by_column { 0.0 } else { maximum_with(simd, row) };
        for at in (0..nodes).step_by(S::LANES) {
            let less = if by_column { load(simd, &most[at..]) } else { simd.splat(of_row) };
            exp(simd, load(simd, &row[at..]) - less).store(&mut to[at..]);
        }
        to[nodes..].fill(0.0);
    }
}

/// The steps of a normalisation in order: `true` for rows.
fn steps(how: Normalisation) -> Vec<bool> {
    match how {
        Normalisation::Softmax => vec![true],
        Normalisation::Sinkhorn { iterations, last } => {
            (0..2 * iterations).map(|step| (step % 2 == 0) == (last == Last::Columns)).collect()
        }
    }
}
