//! The arc from where the vehicle is to the candidate.

use super::{Amounts, Part};
use crate::input::Input;
use crate::reference::{Case, Step};

/// It is known to help, so it begins at full weight.
pub(super) const PART: Part = Part { initial: 1.0, wants: None, amounts, naive };

fn amounts(input: &Input) -> Box<dyn Amounts + '_> {
    Box::new(Edge(input))
}

struct Edge<'a>(&'a Input);

impl Amounts for Edge<'_> {
    fn row(&self, current: usize, _: usize) -> &[f32] {
        let nodes = self.0.nodes();
        &self.0.distance()[current * nodes..(current + 1) * nodes]
    }
}

// Naively: nothing below shares code with what is above.

fn naive(case: &Case, step: &Step<'_>, node: usize) -> f64 {
    case.entry(step.current, node)
}
