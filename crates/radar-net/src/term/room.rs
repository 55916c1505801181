//! How surprising the arc from where the vehicle is to the candidate is to a vehicle with so much room: of all routes that it could go
//! on with, each as likely as it is cheap, how few go there, among the nodes from which the candidate can still be reached. Counted is what
//! that is above the least surprising candidate.

use std::f32::consts::LN_2;

use radar_kernel::isa::Isa;
use radar_kernel::product::{Finish, Packed, View, multiply};

use super::{Amounts, Computed, Part, Scene, straight_log};
use crate::context::ROOM;
use crate::input::{Input, Rides};
use crate::reference::logs::straight;
use crate::reference::{Case, Step};

pub(super) const PART: Part = Part { initial: 0.5, wants: None, rides: true, matrices: 4, amounts, naive };

/// What is left of the ways to a candidate counts as no less.
const LEAST: f32 = 1e-9;

fn amounts(input: &Input, isa: Isa) -> Box<dyn Amounts + '_> {
    let nodes = input.nodes();
    let rides = input.rides().map(|rides| (rides, Packed::new(isa, View::new(rides.used(), nodes, nodes))));
    let of = move |scene: &Scene<'_>| match &rides {
        Some((rides, used)) => amounts_of(rides, used, nodes, scene),
        None => vec![0.0; scene.step.current.len() * scene.stride],
    };
    Box::new(Computed { isa, nodes, of })
}

/// The amounts of all rows (R, stride).
fn amounts_of(rides: &Rides, used: &Packed, nodes: usize, scene: &Scene<'_>) -> Vec<f32> {
    let (rows, stride) = (scene.step.current.len(), scene.stride);
    // From these the candidates can still be reached: from what is open, from here, from the depot.
    let mut from = scene.open.to_vec();
    for (from, &current) in from.chunks_exact_mut(stride.max(1)).zip(scene.step.current) {
        from[current] = 1.0;
        from[0] = 1.0;
    }
    let mut amounts = vec![0.0; rows * stride];
    multiply(View::with_step(&from, rows, nodes, stride), used, &mut amounts, stride, Finish::default());
    let numbers = scene.step.context.len() / rows.max(1);
    let places = scene.step.current.iter().zip(scene.step.context.chunks_exact(numbers.max(1)));
    let lines = amounts.chunks_exact_mut(stride.max(1)).zip(scene.open.chunks_exact(stride.max(1)));
    for ((row, open), (&current, context)) in lines.zip(places) {
        let row = &mut row[..nodes];
        row.iter_mut().for_each(|left| *left = LN_2 * straight_log(left.clamp(LEAST, 1.0)));
        // The depot can be reached from anywhere.
        row[0] = 0.0;
        rides.add_surprises(current, [context[ROOM], context[ROOM + 1]], row);
        let of_open = |(amount, open): (&f32, &f32)| if *open > 0.0 { *amount } else { f32::MAX };
        let least = row.iter().zip(open).map(of_open).fold(f32::MAX, f32::min);
        row.iter_mut().for_each(|amount| *amount = straight_log(1.0 + (*amount - least).max(0.0)));
    }
    amounts
}

// Naively: nothing below shares code with what is above.

fn naive(case: &Case, step: &Step<'_>, node: usize) -> f64 {
    let Some(trips) = &case.trips else { return 0.0 };
    let rides = trips.rides();
    let is_source = |from: usize| from == 0 || from == step.current || step.feasible[from];
    let surprise = |node: usize| {
        let sources = (0..case.nodes).filter(|&from| is_source(from));
        let left: f64 = sources.map(|from| rides.used[from * case.nodes + node]).sum();
        let left = if node == 0 { 1.0 } else { left.clamp(1e-9, 1.0) };
        let rooms = [step.context[0], step.context[1]];
        rides.surprise(step.current, rooms, node) + std::f64::consts::LN_2 * straight(left)
    };
    let least = (0..case.nodes).filter(|&other| step.feasible[other]).map(surprise).reduce(f64::min);
    straight(1.0 + (surprise(node) - least.unwrap_or(f64::INFINITY)).max(0.0))
}
