//! The smallest entry is 0, the largest 1.

use super::Fit;
use crate::input::Stated;

pub(super) fn fit(matrix: &Stated) -> Fit {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    matrix.each_row(|row| {
        low = row.iter().copied().fold(low, f64::min);
        high = row.iter().copied().fold(high, f64::max);
    });
    Fit::new(low, high - low)
}
