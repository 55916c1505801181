//! Attention weights from scores: softmax over rows, or Sinkhorn's rows and columns in turn.
//!
//! Normalising rows and columns only ever multiplies each by a number, so the weights are
//! `diag(u) K diag(g)` with `K = exp(scores)`: one exponential per entry, then products of `K` with vectors.
//! Where scores are so far apart that this would underflow, the logarithms are iterated instead.

use super::{load, store};
use crate::isa::Isa;
use crate::simd::{Kernel, Lanes, Simd, add_scaled_with, dot_with, exp, maximum_with};

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
    /// The factors of the rows after each iteration, one after the other.
    rows: Vec<f32>,
    /// The factors of the columns, likewise; one more if they begin.
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
        &self.columns[self.columns.len() - self.nodes..]
    }

    /// Whether scores were too far apart for factors.
    pub fn by_logarithms(&self) -> bool {
        self.by_logarithms
    }
}

/// Writes `K` (nodes x nodes) and the factors with which `diag(rows) K diag(columns)` are the weights of
/// `scores` (nodes x nodes).
pub fn normalise(
    isa: Isa,
    how: Normalisation,
    nodes: usize,
    scores: &[f32],
    kernel: &mut [f32],
    scaling: &mut Scaling,
) {
    assert!(scores.len() == nodes * nodes && kernel.len() == scores.len(), "one score per pair of nodes");
    scaling.nodes = nodes;
    scaling.by_logarithms = false;
    isa.run(Forward { how, nodes, scores, kernel, scaling });
    if scaling.by_logarithms {
        logarithmic(how, nodes, scores, kernel);
        for factors in [&mut scaling.rows, &mut scaling.columns] {
            factors.clear();
            factors.resize(nodes, 1.0);
        }
    }
}

/// Factors beyond this, or below its inverse, are left to the logarithms: products of a few must still be
/// numbers.
const FAR: f32 = 1e25;

struct Forward<'a> {
    how: Normalisation,
    nodes: usize,
    scores: &'a [f32],
    kernel: &'a mut [f32],
    scaling: &'a mut Scaling,
}

impl Kernel for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { how, nodes, scores, kernel, scaling } = self;
        let Scaling { rows, columns, by_logarithms, .. } = scaling;
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
        exponentials(simd, nodes, scores, kernel, ends_on_rows);
        let mut sums = vec![0.0; nodes];
        if ends_on_rows && iterations > 0 {
            for row in kernel.chunks_exact(nodes) {
                add_scaled_with(simd, &mut sums, 1.0, row);
            }
            columns.extend(sums.iter().map(|sum| sum.recip()));
        } else {
            columns.resize(nodes, 1.0);
        }
        for iteration in 0..iterations {
            let is_last = iteration + 1 == iterations;
            let wants_columns = match how {
                Normalisation::Softmax => false,
                Normalisation::Sinkhorn { last: Last::Columns, .. } => true,
                Normalisation::Sinkhorn { last: Last::Rows, .. } => !is_last,
            };
            sums.fill(0.0);
            let begin = columns.len() - nodes;
            for row in kernel.chunks_exact(nodes) {
                let factor = dot_with(simd, row, &columns[begin..]).recip();
                rows.push(factor);
                if wants_columns {
                    add_scaled_with(simd, &mut sums, factor, row);
                }
            }
            if wants_columns {
                columns.extend(sums.iter().map(|sum| sum.recip()));
            }
        }
        if iterations == 0 {
            rows.resize(nodes, 1.0);
        }
        // NaN is in no range.
        let is_near = |factors: &[f32]| factors.iter().all(|factor| (FAR.recip()..FAR).contains(factor));
        *by_logarithms = !(is_near(rows) && is_near(columns));
    }
}

/// e^score, with the greatest of each row taken off before; or of each column, if columns are normalised
/// first. What is normalised first does not feel it.
#[inline(always)]
fn exponentials<S: Simd>(simd: S, nodes: usize, scores: &[f32], kernel: &mut [f32], by_column: bool) {
    let mut most = Vec::new();
    if by_column {
        most.resize(nodes, f32::NEG_INFINITY);
        for row in scores.chunks_exact(nodes) {
            for (most, &score) in most.iter_mut().zip(row) {
                *most = score.max(*most);
            }
        }
    }
    for (row, to) in scores.chunks_exact(nodes).zip(kernel.chunks_exact_mut(nodes)) {
        let of_row = if by_column { 0.0 } else { maximum_with(simd, row) };
        for at in (0..nodes).step_by(S::LANES) {
            let less = if by_column { load(simd, &most[at..]) } else { simd.splat(of_row) };
            store::<S>(exp(simd, load(simd, &row[at..]) - less), &mut to[at..]);
        }
    }
}

/// Replaces `slopes`, the gradient of the weights (nodes x nodes), by the gradient of the scores. `kernel`
/// and `scaling` are what [`normalise`] left of `scores`.
pub fn normalise_backward(
    isa: Isa,
    how: Normalisation,
    scores: &[f32],
    kernel: &[f32],
    scaling: &Scaling,
    slopes: &mut [f32],
) {
    assert!(slopes.len() == scores.len() && kernel.len() == scores.len(), "one slope per score");
    if scaling.by_logarithms {
        logarithmic_backward(how, scaling.nodes, scores, slopes);
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
        let nodes = scaling.nodes;
        if nodes == 0 {
            return;
        }
        let (u, g) = (scaling.rows(), scaling.columns());
        // Slopes of the last factors; and the direct slope of K, times K.
        let mut of_rows = vec![0.0; nodes];
        let mut of_columns = vec![0.0; nodes];
        let table = kernel.chunks_exact(nodes).zip(slopes.chunks_exact_mut(nodes));
        for ((row, slopes), (of_row, &u)) in table.zip(of_rows.iter_mut().zip(u)) {
            let factor = simd.splat(u);
            let mut sum = simd.splat(0.0);
            for at in (0..nodes).step_by(S::LANES) {
                let product = load(simd, &slopes[at..]) * load(simd, &row[at..]);
                let by_row = product * load(simd, &g[at..]);
                sum = sum + by_row;
                let of_column = product.mul_add(factor, load(simd, &of_columns[at..]));
                store::<S>(of_column, &mut of_columns[at..]);
                store::<S>(by_row * factor, &mut slopes[at..]);
            }
            *of_row = sum.sum();
        }
        // The pairs of vectors (per row, per column) whose products, times K, are added.
        let mut low_rank: Vec<(Vec<f32>, Vec<f32>)> = Vec::new();
        let steps = steps(how);
        let ones = vec![1.0; nodes];
        let list = |factors: &'_ [f32], at: usize| factors[at * nodes..][..nodes].to_vec();
        // The list of columns begins with ones if rows are normalised first.
        let begun = usize::from(steps.first() != Some(&false));
        for step in (0..steps.len()).rev() {
            let rows_before = steps[..step].iter().filter(|&&of_rows| of_rows).count();
            let columns_before = step - rows_before;
            if steps[step] {
                let u = list(&scaling.rows, rows_before);
                let slope: Vec<f32> = of_rows.iter().zip(u).map(|(of, u)| -(of * u) * u).collect();
                for (&slope, row) in slope.iter().zip(kernel.chunks_exact(nodes)) {
                    add_scaled_with(simd, &mut of_columns, slope, row);
                }
                of_rows.fill(0.0);
                low_rank.push((slope, list(&scaling.columns, columns_before + begun - 1)));
            } else {
                let g = list(&scaling.columns, columns_before + begun);
                let slope: Vec<f32> = of_columns.iter().zip(g).map(|(of, g)| -(of * g) * g).collect();
                for (of_row, row) in of_rows.iter_mut().zip(kernel.chunks_exact(nodes)) {
                    *of_row += dot_with(simd, row, &slope);
                }
                of_columns.fill(0.0);
                let u = if rows_before == 0 { ones.clone() } else { list(&scaling.rows, rows_before - 1) };
                low_rank.push((u, slope));
            }
        }
        let mut sums = vec![0.0; nodes];
        for (at, (row, slopes)) in kernel.chunks_exact(nodes).zip(slopes.chunks_exact_mut(nodes)).enumerate()
        {
            sums.fill(0.0);
            for (of_row, of_column) in &low_rank {
                add_scaled_with(simd, &mut sums, of_row[at], of_column);
            }
            for at in (0..nodes).step_by(S::LANES) {
                let slope =
                    load(simd, &row[at..]).mul_add(load(simd, &sums[at..]), load(simd, &slopes[at..]));
                store::<S>(slope, &mut slopes[at..]);
            }
        }
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

/// After each step, the logarithms of the factors of that side.
fn logarithms(how: Normalisation, nodes: usize, scores: &[f32]) -> Vec<(bool, Vec<f64>)> {
    let mut sides = [vec![0.0_f64; nodes], vec![0.0_f64; nodes]];
    let mut all = Vec::new();
    for of_rows in steps(how) {
        let [rows, columns] = &sides;
        let entry = |row: usize, column: usize| f64::from(scores[row * nodes + column]);
        let new: Vec<f64> = (0..nodes)
            .map(|at| match of_rows {
                true => -log_sum_exp((0..nodes).map(|column| entry(at, column) + columns[column])),
                false => -log_sum_exp((0..nodes).map(|row| entry(row, at) + rows[row])),
            })
            .collect();
        all.push((of_rows, new.clone()));
        sides[usize::from(!of_rows)] = new;
    }
    all
}

fn log_sum_exp(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = values.clone().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    most + libm::log(values.map(|value| libm::exp(value - most)).sum::<f64>())
}

/// The last factors of both sides among the first `count` steps.
fn sides(all: &[(bool, Vec<f64>)], nodes: usize) -> (Vec<f64>, Vec<f64>) {
    let last = |side: bool| {
        let found = all.iter().rev().find(|(of_rows, _)| *of_rows == side);
        found.map_or_else(|| vec![0.0; nodes], |(_, factors)| factors.clone())
    };
    (last(true), last(false))
}

/// The weights themselves, by logarithms.
fn logarithmic(how: Normalisation, nodes: usize, scores: &[f32], weights: &mut [f32]) {
    let (rows, columns) = sides(&logarithms(how, nodes, scores), nodes);
    for (at, (weight, &score)) in weights.iter_mut().zip(scores).enumerate() {
        let (row, column) = (at / nodes, at % nodes);
        *weight = libm::exp(f64::from(score) + rows[row] + columns[column]) as f32;
    }
}

/// The backward of [`logarithmic`]: each step's logarithms are minus a log-sum-exp, whose slopes are the
/// entries normalised at that step.
fn logarithmic_backward(how: Normalisation, nodes: usize, scores: &[f32], slopes: &mut [f32]) {
    let all = logarithms(how, nodes, scores);
    let entry = |row: usize, column: usize| f64::from(scores[row * nodes + column]);
    let mut gradient = vec![0.0_f64; nodes * nodes];
    let (mut of_rows, mut of_columns) = (vec![0.0_f64; nodes], vec![0.0_f64; nodes]);
    let (rows, columns) = sides(&all, nodes);
    for row in 0..nodes {
        for column in 0..nodes {
            let at = row * nodes + column;
            let slope = f64::from(slopes[at]) * libm::exp(entry(row, column) + rows[row] + columns[column]);
            gradient[at] = slope;
            of_rows[row] += slope;
            of_columns[column] += slope;
        }
    }
    for step in (0..all.len()).rev() {
        let (side, factors) = &all[step];
        let (rows, columns) = sides(&all[..step], nodes);
        for row in 0..nodes {
            for column in 0..nodes {
                let at = row * nodes + column;
                if *side {
                    let share = libm::exp(entry(row, column) + factors[row] + columns[column]);
                    gradient[at] -= of_rows[row] * share;
                    of_columns[column] -= of_rows[row] * share;
                } else {
                    let share = libm::exp(entry(row, column) + rows[row] + factors[column]);
                    gradient[at] -= of_columns[column] * share;
                    of_rows[row] -= of_columns[column] * share;
                }
            }
        }
        match side {
            true => of_rows.fill(0.0),
            false => of_columns.fill(0.0),
        }
    }
    for (slope, gradient) in slopes.iter_mut().zip(gradient) {
        *slope = gradient as f32;
    }
}
