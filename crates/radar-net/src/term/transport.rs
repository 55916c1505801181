//! How surprising the arc from where the vehicle is to the candidate would be.

use super::{Amounts, Part};
use crate::input::Input;
use crate::reference::{Case, Step};

/// Greedily it is within a few hundredths of the best tour by itself; so little of it leaves chances to others.
pub(super) const PART: Part = Part { initial: 0.3, amounts, naive };

fn amounts(input: &Input) -> Box<dyn Amounts + '_> {
    Box::new(Surprise(input))
}

struct Surprise<'a>(&'a Input);

impl Amounts for Surprise<'_> {
    fn row(&self, current: usize, _: usize) -> &[f32] {
        let nodes = self.0.nodes();
        &self.0.transport()[current * nodes..(current + 1) * nodes]
    }
}

// Naively: nothing below shares code with what is above.

fn naive(case: &Case, step: &Step<'_>, node: usize) -> f64 {
    case.surprise[step.current * case.nodes + node]
}
