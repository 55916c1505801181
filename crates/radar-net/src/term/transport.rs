//! How surprising the arc from where the vehicle is to the candidate would be.

use radar_kernel::isa::Isa;

use super::{Amounts, Fixed, Part};
use crate::config::Mix;
use crate::input::Input;
use crate::reference::{Case, Step};

/// Greedily it is within a few hundredths of the best tour by itself; so little of it leaves chances to others.
pub(super) const PART: Part =
    Part { initial: 0.3, wants: Some(Mix::Transport), rides: false, matrices: 0, amounts, naive };

fn amounts(input: &Input, isa: Isa) -> Box<dyn Amounts + '_> {
    let (nodes, surprise) = (input.nodes(), input.matrix(Mix::Transport));
    let row = move |current: usize, _| &surprise[current * nodes..(current + 1) * nodes];
    Box::new(Fixed { isa, nodes, row })
}

// Naively: nothing below shares code with what is above.

fn naive(case: &Case, step: &Step<'_>, node: usize) -> f64 {
    case.matrix(Mix::Transport)[step.current * case.nodes + node]
}
