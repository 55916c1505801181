//! How surprising the candidate is to a vehicle with so much room, which a step is told ([`crate::journey`]).

use radar_kernel::isa::Isa;
use radar_kernel::simd::{add_scaled, dot};

use super::{Amounts, Part, Scene};
use crate::input::Input;
use crate::reference::{Case, Step};

pub(super) const PART: Part = Part { initial: 1.5, wants: None, rides: true, matrices: 2, amounts, naive };

fn amounts(input: &Input, isa: Isa) -> Box<dyn Amounts + '_> {
    Box::new(Told { isa, nodes: input.nodes() })
}

/// Amounts that the step brings along; none on a tour.
struct Told {
    isa: Isa,
    nodes: usize,
}

impl Amounts for Told {
    fn take_off(&self, weights: &[f32], scene: &Scene<'_>, scores: &mut [f32]) {
        let rows = scores
            .chunks_exact_mut(scene.stride.max(1))
            .zip(scene.step.surprises.chunks_exact(self.nodes.max(1)));
        for ((scores, amounts), weight) in rows.zip(weights) {
            add_scaled(self.isa, &mut scores[..self.nodes], -weight, amounts);
        }
    }

    fn along(&self, scene: &Scene<'_>, slopes: &[f32]) -> Vec<f32> {
        let rows = slopes
            .chunks_exact(scene.stride.max(1))
            .zip(scene.step.surprises.chunks_exact(self.nodes.max(1)));
        let mut along: Vec<f32> =
            rows.map(|(slopes, amounts)| dot(self.isa, &slopes[..self.nodes], amounts)).collect();
        along.resize(scene.step.current.len(), 0.0);
        along
    }
}

fn naive(_: &Case, step: &Step<'_>, node: usize) -> f64 {
    step.surprises.get(node).copied().unwrap_or(0.0)
}
