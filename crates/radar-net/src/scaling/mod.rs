//! How a matrix is scaled before the network sees it. Each scaling fits a shift and a divisor to all
//! entries, the diagonal included, in f64.
//!
//! A new one is a file here and a line in the table.

use crate::family::family;
use crate::input::Stated;

family! {
    /// How a matrix is scaled before the network sees it.
    Scaling {
        /// Mean 0 and standard deviation 1 over all entries, the diagonal included.
        ZScore = "z-score" in z_score,
        /// Smallest entry 0, largest 1.
        MinMax = "min-max" in min_max,
        /// Not at all.
        None = "none" in none,
    }
}

/// What a scaling is.
pub(crate) struct Part {
    /// The fit to a matrix.
    pub fit: fn(&Stated) -> Fit,
    /// The shift and the divisor of the entries (N, N), in f64.
    pub naive: fn(&[f64]) -> (f64, f64),
}

/// What is taken off every entry, and what the rest is divided by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fit {
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
pub(crate) fn scaled(scaling: Scaling, matrix: &Stated) -> Vec<f32> {
    let Fit { shift, divisor } = (scaling.part().fit)(matrix);
    let mut scaled = Vec::with_capacity(matrix.nodes() * matrix.nodes());
    matrix.each_row(|row| scaled.extend(row.iter().map(|entry| ((entry - shift) / divisor) as f32)));
    scaled
}
