//! How a matrix is scaled before the network sees it. Each scaling fits a shift and a divisor to all
//! entries, the diagonal included, in f64.
//!
//! A new one is a file here, a name in the configuration and a line in [`scaled`].

mod min_max;
mod none;
mod z_score;

use super::Stated;
use crate::config::Scaling;

/// What is taken off every entry, and what the rest is divided by.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fit {
    shift: f64,
    divisor: f64,
}

impl Fit {
    /// A divisor of 0 means that all entries are equal; nothing is left of them then.
    fn new(shift: f64, divisor: f64) -> Self {
        Self { shift, divisor: if divisor > 0.0 { divisor } else { 1.0 } }
    }
}

/// The scaled matrix (N, N).
pub(super) fn scaled(scaling: Scaling, matrix: &Stated) -> Vec<f32> {
    let fit: fn(&Stated) -> Fit = match scaling {
        Scaling::ZScore => z_score::fit,
        Scaling::MinMax => min_max::fit,
        Scaling::None => none::fit,
    };
    let Fit { shift, divisor } = fit(matrix);
    let mut scaled = Vec::with_capacity(matrix.nodes() * matrix.nodes());
    matrix.each_row(|row| scaled.extend(row.iter().map(|entry| ((entry - shift) / divisor) as f32)));
    scaled
}
