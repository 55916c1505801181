//! How surprising the arc from where the vehicle is to the candidate would be.

use super::{Amounts, Part};
use crate::config::Mix;
use crate::input::Input;
use crate::reference::{Case, Step};

/// Greedily it is within a few hundredths of the best tour by itself; so little of it leaves chances to others.
pub(super) const PART: Part = Part { initial: 0.3, wants: Some(Mix::Transport), amounts, naive };

fn amounts(input: &Input) -> Box<dyn Amounts + '_> {
    Box::new(Surprise { nodes: input.nodes(), of: input.matrix(Mix::Transport) })
}

/// Of every arc (N, N).
struct Surprise<'a> {
    nodes: usize,
    of: &'a [f32],
}

impl Amounts for Surprise<'_> {
    fn row(&self, current: usize, _: usize) -> &[f32] {
        &self.of[current * self.nodes..(current + 1) * self.nodes]
    }
}

// Naively: nothing below shares code with what is above.

fn naive(case: &Case, step: &Step<'_>, node: usize) -> f64 {
    case.matrix(Mix::Transport)[step.current * case.nodes + node]
}
