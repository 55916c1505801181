//! Insertion: stops in some order, each where it costs least.

use radar_kernel::random::Stream;
use radar_problem::Instance;

use super::Construction;
use super::plan::Plan;
use super::serve::{place, serve};
use super::yard::Yard;
use crate::Stop;

/// In which order stops are inserted, and when a route is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The farthest first: from the depot, on a tour from what is already there.
    Farthest,
    /// The farthest first, and no route is opened while a stop fits into another: for scarce fleets.
    Packed,
    /// Any order, by seed and number.
    Shuffled(u64, u64),
}

/// Inserts stops in `order`, each where it costs least.
pub fn insertion(instance: &Instance, order: Order, stop: Stop<'_>) -> Construction {
    let yard = Yard::new(instance);
    let mut plan = Plan::new(&yard);
    let mut waiting = arranged(&yard, order, std::mem::take(&mut plan.unserved), stop).into_iter();
    for node in waiting.by_ref() {
        if !place(&yard, &mut plan, node, order != Order::Packed) {
            plan.unserved.push(node);
        }
        if stop() {
            break;
        }
    }
    plan.unserved.extend(waiting);
    serve(&yard, &mut plan, stop);
    plan.settle(&yard);
    plan.finish(&yard)
}

fn arranged(yard: &Yard<'_>, order: Order, mut stops: Vec<usize>, stop: Stop<'_>) -> Vec<usize> {
    let far = |node: usize| std::cmp::Reverse(apart(yard, 0, node));
    match order {
        Order::Farthest if yard.instance.is_tour() => return farthest_from_all(yard, stops, stop),
        Order::Farthest | Order::Packed => stops.sort_by_key(|&node| far(node)),
        Order::Shuffled(seed, number) => Stream::new(seed, "insertion", number).shuffle(&mut stops),
    }
    stops
}

/// There and back; a missing arc counts as very far.
fn apart(yard: &Yard<'_>, one: usize, other: usize) -> i64 {
    let cost = yard.instance.cost();
    cost.at(one, other).saturating_add(cost.at(other, one))
}

/// Starting from the depot, again and again the stop that is farthest from all before it.
fn farthest_from_all(yard: &Yard<'_>, mut left: Vec<usize>, stop: Stop<'_>) -> Vec<usize> {
    let mut away: Vec<i64> = (0..yard.instance.nodes()).map(|node| apart(yard, 0, node)).collect();
    let mut order = Vec::with_capacity(left.len());
    while !stop() {
        let farthest = left.iter().enumerate().max_by_key(|&(_, &node)| (away[node], usize::MAX - node));
        let Some((at, &next)) = farthest else { break };
        left.swap_remove(at);
        order.push(next);
        for &node in &left {
            away[node] = away[node].min(apart(yard, next, node));
        }
    }
    order.append(&mut left);
    order
}
