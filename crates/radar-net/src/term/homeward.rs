//! How surprising the arc from the candidate home would be: some stops are where routes end.

use radar_kernel::isa::Isa;

use super::{Amounts, Fixed, Part};
use crate::config::Mix;
use crate::input::Input;
use crate::reference::{Case, Step};

pub(super) const PART: Part = Part {
    initial: 0.0,
    wants: Some(Mix::TransportBack),
    matrices: 0,
    looks_at_loads: false,
    amounts,
    naive,
};

fn amounts(input: &Input, isa: Isa) -> Box<dyn Amounts + '_> {
    let (nodes, surprise) = (input.nodes(), input.matrix(Mix::TransportBack));
    let row = move |_, home: usize| &surprise[home * nodes..(home + 1) * nodes];
    Box::new(Fixed { isa, nodes, row })
}

// Naively: nothing below shares code with what is above.

fn naive(case: &Case, step: &Step<'_>, node: usize) -> f64 {
    case.matrix(Mix::TransportBack)[step.home * case.nodes + node]
}
