//! A tour without an assignment: always on to the cheapest node that is left.

use radar_bound::{Reduced, Weight};

use crate::pace::Pace;

/// A tour from node 0 by reduced cost. What is left when the budget is over follows in the order of
/// numbers.
pub(crate) fn tour<W: Weight>(reduced: &Reduced<W>, pace: &dyn Pace) -> Vec<u32> {
    let nodes = reduced.nodes();
    let mut left: Vec<u32> = (1..nodes as u32).collect();
    let mut tour = vec![0_u32];
    let mut node = 0;
    while !left.is_empty() {
        if tour.len() % 64 == 0 && pace.is_over() {
            left.sort_unstable();
            tour.append(&mut left);
            break;
        }
        let row = reduced.row(node);
        let costs = left.iter().enumerate().map(|(at, &to)| (row[to as usize], to, at));
        let Some((_, to, at)) = costs.min() else { break };
        left.swap_remove(at);
        tour.push(to);
        node = to as usize;
    }
    tour
}
