//! How surprising the way back is.

use super::{Making, Mix, Part, transport};
use crate::input::Input;
use crate::reference::Ways;

pub(super) const PART: Part = Part { own: Some(own), held: Input::distance_back, naive };

fn own(making: &Making<'_>) -> Option<Vec<f32>> {
    making.turned(Mix::Transport, transport::own)
}

// Naively: nothing below shares code with what is above.

fn naive(ways: &Ways<'_>) -> Vec<f64> {
    let there = transport::naive(ways);
    ways.matrix(|from, to| there[to * ways.nodes + from])
}
