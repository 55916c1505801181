//! The value of multipliers over all arcs: what makes a bound of them.

use super::depot::{Depot, Fleet};
use super::scaled::{Multipliers, Scaled};
use crate::{Stop, Weight};

/// What multipliers are worth, and the tree that says so.
pub(super) struct Value {
    /// The cost of a cheapest relaxed plan with multipliers, in parts, beside the worth of all prices of
    /// stops. No plan costs less.
    pub total: i64,
    /// The pairs of stops that the tree joins.
    pub tree: Vec<(u32, u32)>,
}

/// Stops joined between two looks at the clock.
const PATIENCE: usize = 64;

/// The exact value of `multipliers`, by Prim's algorithm on the whole table. `None` without stops, or when
/// told to stop.
///
/// For a bound every arc counts: any arc left out might have been in a cheaper tree. Absent arcs may be in
/// the tree, at what the table says; that is no harm, because plans without them are among those
/// relaxed here whatever they cost.
pub(super) fn value<W: Weight>(
    scaled: &Scaled<W>,
    fleet: Fleet,
    multipliers: &Multipliers,
    stop: Stop,
) -> Option<Value> {
    let nodes = scaled.nodes();
    let Multipliers { leave, enter } = multipliers;
    let mut depot = Depot::default();
    let mut tree = Vec::with_capacity(nodes);
    // Cost and other end of the cheapest arc to each stop outside, either way.
    let mut outside: Vec<(usize, i64, u32)> = (2..nodes).map(|stop| (stop, i64::MAX, 0)).collect();
    let mut joined = 1;
    while !outside.is_empty() {
        if outside.len().is_multiple_of(PATIENCE) && stop() {
            return None;
        }
        let mut nearest = (i64::MAX, 0);
        for (place, (node, least, from)) in outside.iter_mut().enumerate() {
            let there = scaled.at(joined, *node) - leave[joined] - enter[*node];
            let back = scaled.at(*node, joined) - leave[*node] - enter[joined];
            let cost = there.min(back);
            if cost < *least {
                (*least, *from) = (cost, joined as u32);
            }
            nearest = nearest.min((*least, place));
        }
        let (node, cost, from) = outside.swap_remove(nearest.1);
        tree.push((from, node as u32));
        depot.tree.push((cost, 0));
        joined = node;
    }
    let stops = 1..nodes;
    depot.out = stops.clone().map(|stop| (scaled.at(0, stop) - enter[stop], stop as u32)).collect();
    depot.back = stops.clone().map(|stop| (scaled.at(stop, 0) - leave[stop], stop as u32)).collect();
    let worth: i64 = stops.map(|stop| leave[stop] + enter[stop]).sum();
    let (cost, routes) = depot.cheapest(fleet);
    (routes > 0).then_some(Value { total: worth + cost, tree })
}
