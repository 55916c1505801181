//! The arc from the candidate to whichever other node is nearest: what going on from it costs at least.

use radar_kernel::isa::Isa;
use radar_kernel::simd::{add_scaled, dot};

use super::{Amounts, Part, Scene};
use crate::input::Input;
use crate::reference::{Case, Step};

pub(super) const PART: Part = Part { initial: 0.0, wants: None, rides: false, matrices: 0, amounts, naive };

fn amounts(input: &Input, isa: Isa) -> Box<dyn Amounts + '_> {
    let nodes = input.nodes();
    let least = |from: usize| {
        let row = &input.distance()[from * nodes..(from + 1) * nodes];
        let others = row.iter().enumerate().filter(|&(to, _)| to != from).map(|(_, &amount)| amount);
        others.reduce(f32::min).unwrap_or(0.0)
    };
    Box::new(Ahead { isa, least: (0..nodes).map(least).collect() })
}

struct Ahead {
    isa: Isa,
    /// Of every node (N): the same wherever a trajectory stands.
    least: Vec<f32>,
}

impl Amounts for Ahead {
    fn take_off(&self, weights: &[f32], scene: &Scene<'_>, scores: &mut [f32]) {
        let rows = scores.chunks_exact_mut(scene.stride.max(1)).zip(weights);
        rows.for_each(|(row, weight)| {
            add_scaled(self.isa, &mut row[..self.least.len()], -weight, &self.least)
        });
    }

    fn along(&self, scene: &Scene<'_>, slopes: &[f32]) -> Vec<f32> {
        let rows = slopes.chunks_exact(scene.stride.max(1));
        rows.map(|row| dot(self.isa, &row[..self.least.len()], &self.least)).collect()
    }
}

// Naively: nothing below shares code with what is above.

fn naive(case: &Case, _: &Step<'_>, node: usize) -> f64 {
    let others = (0..case.nodes).filter(|&other| other != node).map(|other| case.entry(node, other));
    others.reduce(f64::min).unwrap_or(0.0)
}
