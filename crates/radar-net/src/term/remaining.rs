//! How surprising the arc from where the vehicle is to the candidate would be, among the nodes from which the
//! candidate can still be reached. Where the better ways to it are gone, a poor one is all that is left.

use radar_kernel::isa::Isa;
use radar_kernel::product::{Finish, Packed, View, multiply};

use super::{Amounts, Computed, Part, Scene, plan_behind};
use crate::config::Mix;
use crate::input::Input;
use crate::logs::straight_log;
use crate::reference::logs::straight;
use crate::reference::{Case, Step};

/// As `transport`, of which it is a closer look.
pub(super) const PART: Part =
    Part { initial: 0.3, wants: Some(Mix::Transport), rides: false, matrices: 2, amounts, naive };

fn amounts(input: &Input, isa: Isa) -> Box<dyn Amounts + '_> {
    let nodes = input.nodes();
    let (bits, plan) = plan_behind(nodes, input.matrix(Mix::Transport));
    let plan = Packed::new(isa, View::new(&plan, nodes, nodes));
    let remaining = Remaining { nodes, has_depot: input.has_depot(), bits, plan };
    Box::new(Computed { isa, nodes, of: move |scene: &Scene<'_>| remaining.of(scene) })
}

struct Remaining {
    nodes: usize,
    has_depot: bool,
    /// The surprise of every arc in bits (N, N).
    bits: Vec<f32>,
    /// How much of each arc the plan uses (N, N).
    plan: Packed,
}

impl Remaining {
    /// The amounts of all rows (R, stride).
    fn of(&self, scene: &Scene<'_>) -> Vec<f32> {
        let (nodes, stride, rows) = (self.nodes, scene.stride, scene.step.current.len());
        // From these the candidates can still be reached: from what is open, from here, from the depot.
        let mut from = scene.open.to_vec();
        for (from, &current) in from.chunks_exact_mut(stride.max(1)).zip(scene.step.current) {
            from[current] = 1.0;
            from[0] = if self.has_depot { 1.0 } else { from[0] };
        }
        let mut amounts = vec![0.0; rows * stride];
        let from = View::with_step(&from, rows, nodes, stride);
        multiply(from, &self.plan, &mut amounts, stride, Finish::default());
        for (row, &current) in amounts.chunks_exact_mut(stride.max(1)).zip(scene.step.current) {
            let bits = &self.bits[current * nodes..(current + 1) * nodes];
            for (amount, &bits) in row.iter_mut().zip(bits) {
                *amount = straight_log(1.0 + (bits + straight_log(*amount)).max(0.0));
            }
        }
        amounts
    }
}

// Naively: nothing below shares code with what is above.

fn naive(case: &Case, step: &Step<'_>, node: usize) -> f64 {
    let surprise = |from: usize, to: usize| case.matrix(Mix::Transport)[from * case.nodes + to].exp() - 1.0;
    let is_source = |from: usize| {
        from != node && (step.feasible[from] || from == step.current || (case.has_depot && from == 0))
    };
    let used: f64 =
        (0..case.nodes).filter(|&from| is_source(from)).map(|from| (-surprise(from, node)).exp()).sum();
    let bits = surprise(step.current, node) / std::f64::consts::LN_2;
    straight(1.0 + (bits + straight(used)).max(0.0))
}
