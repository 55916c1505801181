//! The scaled duration of the way back.

use radar_problem::Instance;

use super::{Part, duration};
use crate::config::Config;
use crate::input::{Input, transposed};
use crate::reference::Ways;

pub(super) const PART: Part = Part { own: Some(own), held: Input::distance_back, naive };

fn own(config: &Config, instance: &Instance, input: &Input) -> Option<Vec<f32>> {
    duration::own(config, instance, input).map(|there| transposed(input.nodes(), &there))
}

// Naively: nothing below shares code with what is above.

fn naive(ways: &Ways<'_>, from: usize, to: usize) -> f64 {
    ways.duration(to, from)
}
