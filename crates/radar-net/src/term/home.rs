//! Going home now. What speaks for it or against it is the context's: how full the vehicle is, how late it is, whether
//! what is left would then take one route more.

use radar_kernel::isa::Isa;

use super::{Amounts, Part, Scene};
use crate::input::Input;
use crate::reference::{Case, Step};

pub(super) const PART: Part = Part { initial: 0.0, wants: None, rides: false, matrices: 0, amounts, naive };

fn amounts(input: &Input, _: Isa) -> Box<dyn Amounts + '_> {
    Box::new(Home { has_depot: input.has_depot() })
}

/// 1 for the depot, 0 for all others.
struct Home {
    has_depot: bool,
}

impl Amounts for Home {
    fn take_off(&self, weights: &[f32], scene: &Scene<'_>, scores: &mut [f32]) {
        if self.has_depot {
            let rows = scores.chunks_exact_mut(scene.stride.max(1)).zip(weights);
            rows.for_each(|(row, weight)| row[0] -= weight);
        }
    }

    fn along(&self, scene: &Scene<'_>, slopes: &[f32]) -> Vec<f32> {
        let rows = slopes.chunks_exact(scene.stride.max(1));
        rows.map(|row| if self.has_depot { row[0] } else { 0.0 }).collect()
    }
}

// Naively: nothing below shares code with what is above.

fn naive(case: &Case, _: &Step<'_>, node: usize) -> f64 {
    if case.has_depot && node == 0 { 1.0 } else { 0.0 }
}
