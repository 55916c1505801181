//! The way back through Sinkhorn's factors.

use super::logarithms::logarithmic_backward;
use super::{Normalisation, ROWS, Scaling, steps, sweep};
use crate::attention::{load, store};
use crate::isa::Isa;
use crate::simd::{Kernel, Lanes, Simd};

/// Replaces `slopes`, the gradient of the weights (nodes x nodes), by the gradient of the scores. `kernel`
/// and `scaling` are what [`normalise`] left of the scores, which are asked for only where they were too far
/// apart for factors.
pub fn normalise_backward(
    isa: Isa,
    how: Normalisation,
    scores: impl FnOnce() -> Vec<f32>,
    kernel: &[f32],
    scaling: &Scaling,
    slopes: &mut [f32],
) {
    let nodes = scaling.nodes;
    assert!(slopes.len() == nodes * nodes && kernel.len() == nodes * scaling.stride, "one slope per score");
    if scaling.by_logarithms {
        logarithmic_backward(how, nodes, &scores(), slopes);
    } else {
        isa.run(Backward { how, kernel, scaling, slopes });
    }
}

struct Backward<'a> {
    how: Normalisation,
    kernel: &'a [f32],
    scaling: &'a Scaling,
    slopes: &'a mut [f32],
}

impl Kernel for Backward<'_> {
    type Output = ();

    /// With u = 1 / (K g) and g = 1 / (K' u) in turn, every factor's slope falls back on the one before;
    /// all of them together add a matrix of low rank to the slope of K.
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { how, kernel, scaling, slopes } = self;
        let (nodes, stride) = (scaling.nodes, scaling.stride);
        if nodes == 0 {
            return;
        }
        let (u, g) = (scaling.rows(), &scaling.columns[scaling.columns.len() - stride..]);
        let (mut of_rows, mut of_columns) = (vec![0.0; nodes], vec![0.0; stride]);
        let table = kernel.chunks_exact(stride).zip(slopes.chunks_exact(nodes));
        for ((row, slopes), (of_row, &u)) in table.zip(of_rows.iter_mut().zip(u)) {
            let factor = simd.splat(u);
            let mut sum = simd.splat(0.0);
            for at in (0..nodes).step_by(S::LANES) {
                let product = load(simd, &slopes[at..]) * simd.load(&row[at..]);
                sum = product.mul_add(simd.load(&g[at..]), sum);
                product.mul_add(factor, simd.load(&of_columns[at..])).store(&mut of_columns[at..]);
            }
            *of_row = sum.sum();
        }
        let mut low_rank = LowRank::default();
        let ones = vec![1.0; nodes];
        let rows_at = |at: usize| &scaling.rows[at * nodes..][..nodes];
        let columns_at = |at: usize| &scaling.columns[at * stride..][..stride];
        let steps = steps(how);
        // The list of columns begins with ones if rows are normalised first.
        let begun = usize::from(steps.first() != Some(&false));
        let mut slope = vec![0.0; stride];
        let mut left = steps.len();
        while left > 0 {
            let of_rows_too = steps[left - 1];
            let rows_before = steps[..left].iter().filter(|&&of_rows| of_rows).count();
            let columns_before = left - rows_before;
            slope.fill(0.0);
            if !of_rows_too {
                let g = columns_at(columns_before + begun - 1);
                slope.iter_mut().zip(of_columns.iter().zip(g)).for_each(|(to, (of, g))| *to = -(of * g) * g);
                low_rank.add(if rows_before == 0 { &ones } else { rows_at(rows_before - 1) }, &slope);
                of_columns.fill(0.0);
                left -= 1;
            }
            if left > 0 {
                // A step of the rows: before it, a step of the columns may just have moved their slopes.
                let (u, columns_before) =
                    (rows_at(rows_before - 1), columns_before - usize::from(!of_rows_too));
                let mut of_factor = Vec::with_capacity(nodes);
                let direct = std::mem::take(&mut of_columns);
                of_columns.resize(stride, 0.0);
                sweep(
                    simd,
                    kernel,
                    &slope,
                    &mut of_columns,
                    #[inline(always)]
                    |row, sum| {
                        let slope = -((of_rows[row] + sum) * u[row]) * u[row];
                        of_factor.push(slope);
                        slope
                    },
                );
                of_columns.iter_mut().zip(direct).for_each(|(of, direct)| *of += direct);
                low_rank.add(&of_factor, columns_at(columns_before + begun - 1));
                of_rows.fill(0.0);
                left -= 1;
            }
        }
        low_rank.finish(simd, kernel, (u, g), slopes);
    }
}

/// Pairs of vectors, one entry per row and one per column, whose products are summed.
#[derive(Default)]
struct LowRank {
    rank: usize,
    rows: Vec<f32>,
    columns: Vec<f32>,
}

impl LowRank {
    fn add(&mut self, rows: &[f32], columns: &[f32]) {
        self.rank += 1;
        self.rows.extend_from_slice(rows);
        self.columns.extend_from_slice(columns);
    }

    /// Replaces slopes (nodes x nodes) by `K (slope u g + sum of the products)`.
    #[inline(always)]
    fn finish<S: Simd>(&self, simd: S, kernel: &[f32], (u, g): (&[f32], &[f32]), slopes: &mut [f32]) {
        let (nodes, stride) = (u.len(), g.len());
        let mut row = 0;
        while row < nodes {
            let count = if row + ROWS <= nodes { ROWS } else { 1 };
            for at in (0..nodes).step_by(S::LANES) {
                match count {
                    ROWS => self.finish_rows::<S, ROWS>(simd, kernel, (u, g), slopes, row, at),
                    _ => self.finish_rows::<S, 1>(simd, kernel, (u, g), slopes, row, at),
                }
            }
            row += count;
        }
        debug_assert!(stride >= nodes);
    }

    #[inline(always)]
    fn finish_rows<S: Simd, const COUNT: usize>(
        &self,
        simd: S,
        kernel: &[f32],
        (u, g): (&[f32], &[f32]),
        slopes: &mut [f32],
        first: usize,
        at: usize,
    ) {
        let (nodes, stride) = (u.len(), g.len());
        let mut sums = [simd.splat(0.0); COUNT];
        let pairs = self.rows.chunks_exact(nodes).zip(self.columns.chunks_exact(stride));
        for (rows, columns) in pairs {
            let column = simd.load(&columns[at..]);
            let rows = &rows[first..first + COUNT];
            for line in 0..COUNT {
                sums[line] = column.mul_add(simd.splat(rows[line]), sums[line]);
            }
        }
        let g = simd.load(&g[at..]);
        for line in 0..COUNT {
            let row = first + line;
            let slopes = &mut slopes[row * nodes..(row + 1) * nodes][at..];
            let slope = (load(simd, slopes) * simd.splat(u[row])).mul_add(g, sums[line]);
            store::<S>(slope * simd.load(&kernel[row * stride + at..]), slopes);
        }
    }
}
