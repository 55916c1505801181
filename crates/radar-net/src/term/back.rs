//! The arc from the candidate back home.

use super::{Amounts, Part};
use crate::input::Input;
use crate::reference::{Case, Step};

pub(super) const PART: Part = Part { initial: 0.0, wants: None, amounts, naive };

fn amounts(input: &Input) -> Box<dyn Amounts + '_> {
    Box::new(Back(input))
}

struct Back<'a>(&'a Input);

impl Amounts for Back<'_> {
    fn row(&self, _: usize, home: usize) -> &[f32] {
        let nodes = self.0.nodes();
        &self.0.distance_back()[home * nodes..(home + 1) * nodes]
    }
}

// Naively: nothing below shares code with what is above.

fn naive(case: &Case, step: &Step<'_>, node: usize) -> f64 {
    case.entry(node, step.home)
}
