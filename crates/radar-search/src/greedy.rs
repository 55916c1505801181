//! A tour without an assignment: cheapest candidate arcs first, as long as they make paths; then from the end
//! of each path on to the nearest beginning of another.

use radar_bound::{Reduced, Weight};

use crate::candidates::Neighbours;
use crate::pace::Pace;

/// A tour by reduced cost. Paths that are left when the budget is over follow in the order of numbers.
pub(crate) fn tour<W: Weight>(reduced: &Reduced<W>, neighbours: &Neighbours<W>, pace: &dyn Pace) -> Vec<u32> {
    let nodes = reduced.nodes();
    let next = paths(nodes, neighbours);
    let mut begins = vec![true; nodes];
    for &to in next.iter().flatten() {
        begins[to as usize] = false;
    }
    let mut left: Vec<u32> = (0..nodes as u32).filter(|&node| begins[node as usize]).collect();
    let mut tour = Vec::with_capacity(nodes);
    let (mut at, mut is_over) = (0, false);
    while !left.is_empty() {
        let mut node = Some(left.remove(at));
        while let Some(here) = node {
            tour.push(here);
            node = next[here as usize];
        }
        is_over = is_over || (left.len().is_multiple_of(64) && pace.is_over());
        let last = tour[tour.len() - 1] as usize;
        let costs = left.iter().enumerate().map(|(at, &to)| (reduced.at(last, to as usize), at));
        at = if is_over { 0 } else { costs.min().map_or(0, |(_, at)| at) };
    }
    tour
}

/// What follows each node on paths of cheap arcs.
fn paths<W: Weight>(nodes: usize, neighbours: &Neighbours<W>) -> Vec<Option<u32>> {
    let mut arcs: Vec<(W, u32, u32)> = Vec::new();
    for from in 0..nodes {
        arcs.extend(neighbours.out.of(from).iter().map(|&(to, cost)| (cost, from as u32, to)));
    }
    arcs.sort_unstable();
    let mut next: Vec<Option<u32>> = vec![None; nodes];
    let mut is_entered = vec![false; nodes];
    // The other end of the path that begins or ends with a node.
    let mut other_end: Vec<u32> = (0..nodes as u32).collect();
    for (_, from, to) in arcs {
        let is_free = next[from as usize].is_none() && !is_entered[to as usize];
        if !is_free || other_end[from as usize] == to {
            continue;
        }
        next[from as usize] = Some(to);
        is_entered[to as usize] = true;
        let (begin, end) = (other_end[from as usize], other_end[to as usize]);
        other_end[begin as usize] = end;
        other_end[end as usize] = begin;
    }
    next
}

#[cfg(test)]
mod tests {
    use radar_bound::Arcs;
    use radar_problem::{Problem, Table};

    use super::*;
    use crate::pace::Steps;

    #[test]
    fn every_node_is_visited_once_at_any_size() {
        for nodes in 1..40_usize {
            let value = |at: usize| ((at * 7919) % 97) as f64;
            let table = Table::from_values(nodes, nodes, (0..nodes * nodes).map(value).collect());
            let instance = Problem::atsp(table).validate().instance.expect("sound");
            let reduced = Reduced::by_minima(Arcs::<i32>::of(&instance));
            let neighbours = Neighbours::of(&reduced, 5, None);
            for cancelled in [false, true] {
                let pace = Steps { most: 10, cancelled: &|| cancelled };
                let mut tour = tour(&reduced, &neighbours, &pace);
                tour.sort_unstable();
                assert_eq!(tour, (0..nodes as u32).collect::<Vec<u32>>());
            }
        }
    }
}
