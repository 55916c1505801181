//! Routes to start from, by savings over candidate arcs: quick at any size, and on every constraint,
//! because joined records tell what a merged route would break.

use radar_bound::{Reduced, Weight};

use super::record::Record;
use super::yard::Yard;
use crate::candidates::Neighbours;

/// A route under construction, from its first stop to its last.
struct Fragment<R> {
    stops: Vec<u32>,
    record: R,
}

/// Begins with a route per stop and merges the end of one with the beginning of another, most saved first,
/// while nothing is broken. There may be more routes than vehicles; the largest come first.
pub(crate) fn savings<W: Weight, R: Record>(
    reduced: &Reduced<W>,
    yard: &Yard<'_>,
    neighbours: &Neighbours<W>,
) -> Vec<Vec<u32>> {
    let nodes = reduced.nodes();
    let mut fragments: Vec<Fragment<R>> =
        (0..nodes).map(|node| Fragment { stops: vec![node as u32], record: R::stop(yard, node) }).collect();
    let mut home: Vec<u32> = (0..nodes as u32).collect();
    for (_, from, to) in worthwhile(reduced, neighbours) {
        let (front, back) = (home[from as usize] as usize, home[to as usize] as usize);
        let ends_meet =
            fragments[front].stops.last() == Some(&from) && fragments[back].stops.first() == Some(&to);
        if front == back || !ends_meet {
            continue;
        }
        let record = fragments[front].record.join(yard, from as usize, to as usize, fragments[back].record);
        let (first, last) = (fragments[front].stops[0] as usize, fragments[back].stops.last());
        let last = last.map_or(0, |&last| last as usize);
        if !whole(yard, first, last, record).excess(yard).is_none() {
            continue;
        }
        let moved = std::mem::take(&mut fragments[back].stops);
        for &stop in &moved {
            home[stop as usize] = front as u32;
        }
        fragments[front].stops.extend(moved);
        fragments[front].record = record;
    }
    let mut routes: Vec<Vec<u32>> = fragments.into_iter().skip(1).map(|fragment| fragment.stops).collect();
    routes.retain(|stops| !stops.is_empty());
    routes.sort_by_key(|stops| std::cmp::Reverse(stops.len()));
    routes
}

/// The record of a whole route from that of its stops.
pub(crate) fn whole<R: Record>(yard: &Yard<'_>, first: usize, last: usize, stops: R) -> R {
    R::departure(yard).join(yard, 0, first, stops).join(yard, last, 0, R::arrival(yard))
}

/// The candidate arcs between stops that save something, most first.
fn worthwhile<W: Weight>(reduced: &Reduced<W>, neighbours: &Neighbours<W>) -> Vec<(i64, u32, u32)> {
    let nodes = reduced.nodes();
    let back: Vec<i64> = (0..nodes).map(|stop| reduced.at(stop, 0).to_i64()).collect();
    let saving = |from: u32, to: u32, cost: W| {
        back[from as usize] + reduced.at(0, to as usize).to_i64() - cost.to_i64() + reduced.per_route()
    };
    let mut arcs = Vec::new();
    for node in 1..nodes as u32 {
        let out = neighbours.out.of(node as usize).iter().map(|&(to, cost)| (node, to, cost));
        arcs.extend(out.filter(|arc| arc.1 != 0).map(|(from, to, cost)| (-saving(from, to, cost), from, to)));
    }
    arcs.retain(|arc| arc.0 < 0);
    arcs.sort_unstable();
    arcs
}
