//! How surprising it would be to go on from the candidate at all: of what the plan sends on from there, what goes to nodes that are
//! still open. Where the better ways on are gone, whoever gets there pays for it.

use radar_kernel::isa::Isa;
use radar_kernel::product::{Finish, Packed, View, multiply};

use super::{Amounts, Computed, Part, Scene, plan_behind};
use crate::config::Mix;
use crate::input::Input;
use crate::logs::straight_log;
use crate::reference::logs::straight;
use crate::reference::{Case, Step};

pub(super) const PART: Part =
    Part { initial: 0.0, wants: Some(Mix::TransportBack), rides: false, matrices: 1, amounts, naive };

/// Of the logarithm: if a sixteenth is left, that is 1.
const PART_OF_LOG: f32 = 0.25;

fn amounts(input: &Input, isa: Isa) -> Box<dyn Amounts + '_> {
    let (nodes, has_depot) = (input.nodes(), input.has_depot());
    let (_, plan) = plan_behind(nodes, input.matrix(Mix::TransportBack));
    let plan = Packed::new(isa, View::new(&plan, nodes, nodes));
    let of = move |scene: &Scene<'_>| {
        let (stride, rows) = (scene.stride, scene.step.current.len());
        // To these a candidate can go on: what is open, and home.
        let mut to = scene.open.to_vec();
        for (to, &home) in to.chunks_exact_mut(stride.max(1)).zip(scene.step.home) {
            to[home] = 1.0;
        }
        let mut amounts = vec![0.0; rows * stride];
        multiply(View::with_step(&to, rows, nodes, stride), &plan, &mut amounts, stride, Finish::default());
        for row in amounts.chunks_exact_mut(stride.max(1)) {
            row.iter_mut().for_each(|amount| *amount = -PART_OF_LOG * straight_log(amount.clamp(1e-6, 1.0)));
            if has_depot {
                row[0] = 0.0;
            }
        }
        amounts
    };
    Box::new(Computed { isa, nodes, of })
}

// Naively: nothing below shares code with what is above.

fn naive(case: &Case, step: &Step<'_>, node: usize) -> f64 {
    if case.has_depot && node == 0 {
        return 0.0;
    }
    let share = |to: usize| {
        let surprise = case.matrix(Mix::TransportBack)[to * case.nodes + node].exp() - 1.0;
        (-surprise).exp()
    };
    let is_way_on = |to: usize| to != node && (step.feasible[to] || to == step.home);
    let left: f64 = (0..case.nodes).filter(|&to| is_way_on(to)).map(share).sum();
    -straight(left.clamp(1e-6, 1.0)) / 4.0
}
