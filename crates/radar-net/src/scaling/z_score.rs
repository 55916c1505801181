//! Mean 0, standard deviation 1.

use super::{Fit, Part};
use crate::input::Stated;

pub(super) const PART: Part = Part { fit, naive };

/// The deviation is the unbiased one, as in the public code. That adds 1e-9 to it, for a deviation of 0;
/// here that is a case of its own, so that the unit of a matrix cannot be told from its scores.
fn fit(matrix: &Stated) -> Fit {
    let mean = matrix.mean();
    let mut squares = 0.0;
    matrix.each_row(|row| squares += row.iter().map(|entry| (entry - mean).powi(2)).sum::<f64>());
    let others = (matrix.nodes() * matrix.nodes()).saturating_sub(1).max(1);
    Fit::new(mean, (squares / others as f64).sqrt())
}

// Naively: nothing below shares code with what is above.

fn naive(matrix: &[f64]) -> (f64, f64) {
    let count = matrix.len() as f64;
    let mean = matrix.iter().sum::<f64>() / count;
    let squares: f64 = matrix.iter().map(|entry| (entry - mean).powi(2)).sum();
    // The unbiased form; one entry alone deviates by nothing.
    (mean, (squares / (count - 1.0).max(1.0)).sqrt() + 1e-9)
}
