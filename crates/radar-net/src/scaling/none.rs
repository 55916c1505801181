//! As it was stated.

use super::{Fit, Part};
use crate::input::Stated;

pub(super) const PART: Part = Part { fit, naive };

fn fit(_: &Stated) -> Fit {
    Fit { shift: 0.0, divisor: 1.0 }
}

// Naively: nothing below shares code with what is above.

fn naive(_: &[f64]) -> (f64, f64) {
    (0.0, 1.0)
}
