//! The smallest entry is 0, the largest 1.

use super::{Fit, Part};
use crate::input::Stated;

pub(super) const PART: Part = Part { fit, naive };

fn fit(matrix: &Stated) -> Fit {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    matrix.each_row(|row| {
        low = row.iter().copied().fold(low, f64::min);
        high = row.iter().copied().fold(high, f64::max);
    });
    Fit::new(low, high - low)
}

// Naively: nothing below shares code with what is above.

fn naive(matrix: &[f64]) -> (f64, f64) {
    let low = matrix.iter().copied().fold(f64::INFINITY, f64::min);
    let high = matrix.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (low, high - low + 1e-9)
}
