//! The scaled duration of the way there.

use radar_problem::{Instance, Objective};

use super::Part;
use crate::config::Config;
use crate::input::{Input, Stated};
use crate::reference::Ways;
use crate::scaling::scaled;

pub(super) const PART: Part = Part { own: Some(own), held: Input::distance, naive };

/// None where no times were stated or they are what is minimised: the cost stands for them.
pub(super) fn own(config: &Config, instance: &Instance, _: &Input) -> Option<Vec<f32>> {
    let differs = instance.input().duration.is_some() && instance.objective() == Objective::Distance;
    let stated = || Stated::new(instance.duration(), instance.scales().duration);
    differs.then(|| scaled(config.scaling, &stated()))
}

// Naively: nothing below shares code with what is above.

fn naive(ways: &Ways<'_>, from: usize, to: usize) -> f64 {
    ways.duration(from, to)
}
