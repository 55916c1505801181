//! The scaled duration of the way back.

use super::{Making, Mix, Part, duration};
use crate::input::Input;
use crate::reference::Ways;

pub(super) const PART: Part = Part { own: Some(own), held: Input::distance_back, naive };

fn own(making: &Making<'_>) -> Option<Vec<f32>> {
    making.turned(Mix::Duration, duration::own)
}

// Naively: nothing below shares code with what is above.

fn naive(ways: &Ways<'_>) -> Vec<f64> {
    ways.matrix(|from, to| ways.duration(to, from))
}
