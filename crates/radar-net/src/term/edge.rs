//! The arc from where the vehicle is to the candidate.

use radar_kernel::isa::Isa;

use super::{Amounts, Fixed, Part};
use crate::input::Input;
use crate::reference::{Case, Step};

/// It is known to help, so it begins at full weight.
pub(super) const PART: Part = Part { initial: 1.0, wants: None, rides: false, matrices: 0, amounts, naive };

fn amounts(input: &Input, isa: Isa) -> Box<dyn Amounts + '_> {
    let nodes = input.nodes();
    let row = move |current: usize, _| &input.distance()[current * nodes..(current + 1) * nodes];
    Box::new(Fixed { isa, nodes, row })
}

// Naively: nothing below shares code with what is above.

fn naive(case: &Case, step: &Step<'_>, node: usize) -> f64 {
    case.entry(step.current, node)
}
