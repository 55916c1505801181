//! How surprising the arc from the candidate home would be: some stops are where routes end. Who is home need not go there.

use radar_kernel::isa::Isa;

use super::{Amounts, Computed, Part, Scene};
use crate::config::Mix;
use crate::input::Input;
use crate::reference::{Case, Step};

pub(super) const PART: Part =
    Part { initial: 0.0, wants: Some(Mix::TransportBack), rides: false, matrices: 0, amounts, naive };

fn amounts(input: &Input, isa: Isa) -> Box<dyn Amounts + '_> {
    let (nodes, surprise) = (input.nodes(), input.matrix(Mix::TransportBack));
    let of = move |scene: &Scene<'_>| {
        let mut amounts = vec![0.0; scene.step.home.len() * scene.stride];
        for (row, &home) in amounts.chunks_exact_mut(scene.stride.max(1)).zip(scene.step.home) {
            row[..nodes].copy_from_slice(&surprise[home * nodes..(home + 1) * nodes]);
            row[home] = 0.0;
        }
        amounts
    };
    Box::new(Computed { isa, nodes, of })
}

// Naively: nothing below shares code with what is above.

fn naive(case: &Case, step: &Step<'_>, node: usize) -> f64 {
    if node == step.home {
        return 0.0;
    }
    case.matrix(Mix::TransportBack)[step.home * case.nodes + node]
}
