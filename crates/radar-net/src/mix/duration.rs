//! The scaled duration of the way there.

use radar_problem::Objective;

use super::{Making, Part};
use crate::input::{Input, Stated};
use crate::reference::Ways;
use crate::scaling::scaled;

pub(super) const PART: Part = Part { own: Some(own), held: Input::distance, naive };

/// None where no times were stated or they are what is minimised: the cost stands for them.
pub(super) fn own(making: &Making<'_>) -> Option<Vec<f32>> {
    let instance = making.instance;
    let differs = instance.input().duration.is_some() && instance.objective() == Objective::Distance;
    let stated = || Stated::new(instance.duration(), instance.scales().duration);
    differs.then(|| scaled(making.config.scaling, &stated()))
}

// Naively: nothing below shares code with what is above.

fn naive(ways: &Ways<'_>) -> Vec<f64> {
    ways.matrix(|from, to| ways.duration(from, to))
}
