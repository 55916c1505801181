//! The arc from the candidate to whichever other node is nearest: what going on from it costs at least.

use super::{Amounts, Part};
use crate::input::Input;
use crate::reference::{Case, Step};

pub(super) const PART: Part = Part { initial: 0.0, wants: None, amounts, naive };

fn amounts(input: &Input) -> Box<dyn Amounts + '_> {
    let nodes = input.nodes();
    let least = |from: usize| {
        let row = &input.distance()[from * nodes..(from + 1) * nodes];
        let others = row.iter().enumerate().filter(|&(to, _)| to != from).map(|(_, &amount)| amount);
        others.reduce(f32::min).unwrap_or(0.0)
    };
    Box::new(Ahead((0..nodes).map(least).collect()))
}

/// The least of every node (N): the same wherever a trajectory stands.
struct Ahead(Vec<f32>);

impl Amounts for Ahead {
    fn row(&self, _: usize, _: usize) -> &[f32] {
        &self.0
    }
}

// Naively: nothing below shares code with what is above.

fn naive(case: &Case, _: &Step<'_>, node: usize) -> f64 {
    let others = (0..case.nodes).filter(|&other| other != node).map(|other| case.entry(node, other));
    others.reduce(f64::min).unwrap_or(0.0)
}
