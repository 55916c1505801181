//! The shortest tour of a few nodes, by dynamic programming over sets.

use crate::Weight;
use crate::reduced::Reduced;

/// Tours of at most so many nodes are solved at once.
const MOST_NODES: usize = 12;

/// The shortest tour from node 0, if there are few enough nodes (at least 2); arcs that no plan can use count
/// at what the table says.
///
/// For every set of nodes besides 0 and every last node in it, the cheapest way from 0 through the set is
/// that of the set without the last node, and one arc.
pub fn shortest_tour<W: Weight>(reduced: &Reduced<W>) -> Option<Vec<u32>> {
    let nodes = reduced.nodes();
    if !(2..=MOST_NODES).contains(&nodes) || !reduced.is_tour() {
        return None;
    }
    let others = nodes - 1;
    let cost = |from: usize, to: usize| reduced.at(from, to).to_i64();
    let place = |set: usize, last: usize| set * others + last;
    let mut ways = vec![i64::MAX; (1 << others) * others];
    for last in 0..others {
        ways[place(1 << last, last)] = cost(0, last + 1);
    }
    for set in 1..1_usize << others {
        for last in (0..others).filter(|last| set >> last & 1 == 1 && set != 1 << last) {
            let before = set & !(1 << last);
            let through = (0..others).filter(|node| before >> node & 1 == 1);
            let least = through.map(|node| ways[place(before, node)] + cost(node + 1, last + 1)).min();
            ways[place(set, last)] = least.unwrap_or(i64::MAX);
        }
    }
    let mut set = (1 << others) - 1;
    let mut tour = Vec::with_capacity(nodes);
    let mut next = 0;
    while set != 0 {
        let inside = (0..others).filter(|node| set >> node & 1 == 1);
        let last = inside.min_by_key(|&node| ways[place(set, node)] + cost(node + 1, next))?;
        tour.push(last as u32 + 1);
        set &= !(1 << last);
        next = last + 1;
    }
    tour.push(0);
    tour.reverse();
    Some(tour)
}
