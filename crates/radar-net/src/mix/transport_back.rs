//! How surprising the way back is.

use super::Part;
use crate::input::Input;
use crate::reference::Ways;

pub(super) const PART: Part = Part { own: None, held: Input::transport_back, naive };

// Naively: nothing below shares code with what is above.

fn naive(ways: &Ways<'_>, from: usize, to: usize) -> f64 {
    ways.surprise[to * ways.nodes + from]
}
