//! How surprising the arc from the candidate home would be, the more the less room would be left: a route that is nearly full ends
//! soon, and should be where others end.

use radar_kernel::isa::Isa;

use super::{Amounts, Computed, Part, Scene};
use crate::config::Mix;
use crate::context::ROOM;
use crate::features::Shares;
use crate::input::Input;
use crate::reference::{Case, Step};

pub(super) const PART: Part =
    Part { initial: 0.0, wants: Some(Mix::TransportBack), rides: false, matrices: 0, amounts, naive };

fn amounts(input: &Input, isa: Isa) -> Box<dyn Amounts + '_> {
    let nodes = input.nodes();
    let home = &input.matrix(Mix::TransportBack)[..nodes];
    let of = move |scene: &Scene<'_>| {
        let (rows, stride) = (scene.step.current.len(), scene.stride);
        let mut amounts = vec![0.0; rows * stride];
        if let Some(shares) = input.shares() {
            let numbers = scene.step.context.len() / rows.max(1);
            let contexts = scene.step.context.chunks_exact(numbers.max(1));
            for (row, context) in amounts.chunks_exact_mut(stride.max(1)).zip(contexts) {
                fill(home, shares, context, row);
            }
        }
        amounts
    };
    Box::new(Computed { isa, nodes, of })
}

/// The surprise times mean / (mean + room left): all of it if the vehicle would be full, half of it if one more stop like the mean would
/// fit. Deliveries have room of their own, so that one that empties the vehicle counts though pickups may follow.
fn fill(home: &[f32], shares: &Shares, context: &[f32], row: &mut [f32]) {
    for (kind, (loads, mean)) in shares.of.iter().zip(shares.means).enumerate() {
        let room = context[ROOM + kind];
        for ((amount, &load), home) in row.iter_mut().zip(loads).zip(home) {
            if load > 0.0 {
                *amount = home * mean / (mean + (room - load).max(0.0));
            }
        }
    }
}

// Naively: nothing below shares code with what is above.

fn naive(case: &Case, step: &Step<'_>, node: usize) -> f64 {
    let Some(trips) = &case.trips else { return 0.0 };
    let Some(kind) = [0, 1].into_iter().find(|&kind| trips.amount(kind, node) > 0.0) else { return 0.0 };
    let loads = (1..case.nodes).map(|stop| trips.amount(kind, stop)).filter(|&load| load > 0.0);
    let mean = loads.clone().sum::<f64>() / loads.count() as f64;
    let left = (step.context[kind] - trips.amount(kind, node)).max(0.0);
    case.matrix(Mix::TransportBack)[node] * mean / (mean + left)
}
