//! The arc from the candidate back home.

use radar_kernel::isa::Isa;

use super::{Amounts, Fixed, Part};
use crate::input::Input;
use crate::reference::{Case, Step};

pub(super) const PART: Part = Part { initial: 0.0, wants: None, rides: false, matrices: 0, amounts, naive };

fn amounts(input: &Input, isa: Isa) -> Box<dyn Amounts + '_> {
    let nodes = input.nodes();
    let row = move |_, home: usize| &input.distance_back()[home * nodes..(home + 1) * nodes];
    Box::new(Fixed { isa, nodes, row })
}

// Naively: nothing below shares code with what is above.

fn naive(case: &Case, step: &Step<'_>, node: usize) -> f64 {
    case.entry(node, step.home)
}
