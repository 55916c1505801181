//! The scaled cost of the way back.

use super::Part;
use crate::input::Input;
use crate::reference::Ways;

pub(super) const PART: Part = Part { own: None, held: Input::distance_back, naive };

// Naively: nothing below shares code with what is above.

fn naive(ways: &Ways<'_>) -> Vec<f64> {
    ways.matrix(|from, to| ways.distance(to, from))
}
