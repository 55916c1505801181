//! How surprising the arc from where the vehicle is to the candidate would be, among the nodes from which the
//! candidate can still be reached. Where the better ways to it are gone, a poor one is all that is left.

use std::f32::consts::LN_2;

use radar_kernel::isa::Isa;
use radar_kernel::product::{Finish, Packed, View, multiply};
use radar_kernel::simd::{add_scaled, dot};

use super::{Amounts, Part, Scene};
use crate::config::Mix;
use crate::input::Input;
use crate::reference::{Case, Step};

/// As `transport`, of which it is a closer look.
pub(super) const PART: Part = Part { initial: 0.3, wants: Some(Mix::Transport), matrices: 2, amounts, naive };

fn amounts(input: &Input, isa: Isa) -> Box<dyn Amounts + '_> {
    let nodes = input.nodes();
    let bits: Vec<f32> = input.matrix(Mix::Transport).iter().map(|one| one.exp_m1() / LN_2).collect();
    let mut plan: Vec<f32> = bits.iter().map(|bits| (-bits).exp2()).collect();
    (0..nodes).for_each(|node| plan[node * nodes + node] = 0.0);
    let plan = Packed::new(isa, View::new(&plan, nodes, nodes));
    Box::new(Remaining { isa, nodes, has_depot: input.has_depot(), bits, plan })
}

struct Remaining {
    isa: Isa,
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
                *amount = log(1.0 + (bits + log(*amount)).max(0.0));
            }
        }
        amounts
    }
}

/// The logarithm to base 2, straight between powers of 2: cheap, continuous and increasing, which is all it is for.
fn log(x: f32) -> f32 {
    const STEP: f32 = 1.0 / (1 << 23) as f32;
    x.max(f32::MIN_POSITIVE).to_bits() as f32 * STEP - 127.0
}

impl Amounts for Remaining {
    fn take_off(&self, weights: &[f32], scene: &Scene<'_>, scores: &mut [f32]) {
        let amounts = self.of(scene);
        let rows =
            scores.chunks_exact_mut(scene.stride.max(1)).zip(amounts.chunks_exact(scene.stride.max(1)));
        rows.zip(weights).for_each(|((scores, amounts), weight)| {
            add_scaled(self.isa, &mut scores[..self.nodes], -weight, &amounts[..self.nodes]);
        });
    }

    fn along(&self, scene: &Scene<'_>, slopes: &[f32]) -> Vec<f32> {
        let amounts = self.of(scene);
        let rows = slopes.chunks_exact(scene.stride.max(1)).zip(amounts.chunks_exact(scene.stride.max(1)));
        rows.map(|(slopes, amounts)| dot(self.isa, &slopes[..self.nodes], &amounts[..self.nodes])).collect()
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
    let straight = |x: f64| {
        let power = x.max(f64::from(f32::MIN_POSITIVE)).log2().floor();
        power + x.max(f64::from(f32::MIN_POSITIVE)) / power.exp2() - 1.0
    };
    let bits = surprise(step.current, node) / std::f64::consts::LN_2;
    straight(1.0 + (bits + straight(used)).max(0.0))
}
