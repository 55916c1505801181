//! The same by logarithms, in f64, where scores are too far apart for factors.

use super::{Normalisation, steps};

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
pub(super) fn logarithmic(how: Normalisation, nodes: usize, scores: &[f32], weights: &mut [f32]) {
    let (rows, columns) = sides(&logarithms(how, nodes, scores), nodes);
    let stride = weights.len() / nodes.max(1);
    for (at, &score) in scores.iter().enumerate() {
        let (row, column) = (at / nodes, at % nodes);
        weights[row * stride + column] = libm::exp(f64::from(score) + rows[row] + columns[column]) as f32;
    }
}

/// The backward of [`logarithmic`]: each step's logarithms are minus a log-sum-exp, whose slopes are the
/// entries normalised at that step.
pub(super) fn logarithmic_backward(how: Normalisation, nodes: usize, scores: &[f32], slopes: &mut [f32]) {
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
