//! A tour to start from, from what somebody gave.

use radar_bound::{Reduced, Weight};
use radar_problem::Routes;

/// The tour of a plan: one list that visits nothing twice. Nodes that it misses are put in one after the other
/// where that costs least.
pub(crate) fn given<W: Weight>(reduced: &Reduced<W>, routes: &Routes) -> Option<Vec<u32>> {
    let [given] = routes.0.as_slice() else { return None };
    let mut seen = vec![false; reduced.nodes()];
    for &node in given {
        if node >= seen.len() || std::mem::replace(&mut seen[node], true) {
            return None;
        }
    }
    let mut tour: Vec<u32> = given.iter().map(|&node| node as u32).collect();
    let cost = |from: u32, to: u32| reduced.at(from as usize, to as usize).to_i64();
    for node in (0..seen.len()).filter(|&node| !seen[node]).map(|node| node as u32) {
        let detour = |at: usize| {
            let (from, to) = (tour[at], tour[(at + 1) % tour.len()]);
            cost(from, node) + cost(node, to) - cost(from, to)
        };
        let behind = (0..tour.len()).min_by_key(|&at| detour(at))?;
        tour.insert(behind + 1, node);
    }
    Some(tour)
}
