//! The shortest tour, by dynamic programming over sets of nodes.

use radar_problem::{Instance, Routes, UNREACHABLE};

/// The most nodes [`tour`] takes.
pub const MAX_NODES: usize = 12;

/// The cheapest tour and its scaled cost, or `None` when there is no tour.
///
/// # Panics
/// When the instance is not a tour (ATSP) or has more than [`MAX_NODES`] nodes.
pub fn tour(instance: &Instance) -> Option<(i64, Routes)> {
    let nodes = instance.nodes();
    assert!(instance.is_tour(), "this oracle is for tours; use `routes`");
    assert!(nodes <= MAX_NODES, "{nodes} nodes; the oracle takes {MAX_NODES}");
    let arc = |from: usize, to: usize| {
        let missing = |entry: i64| entry == UNREACHABLE;
        let gone = missing(instance.distance().at(from, to)) || missing(instance.duration().at(from, to));
        (!gone).then(|| instance.cost().at(from, to))
    };

    // The cheapest way from node 0 through all of a set, ending at one of it; and whom it came from.
    let mut best: Vec<Vec<Option<(i64, usize)>>> = vec![vec![None; nodes]; 1 << nodes];
    best[1][0] = Some((0, 0));
    for set in 1..1_usize << nodes {
        for last in 0..nodes {
            let Some((cost, _)) = best[set][last] else { continue };
            for next in (0..nodes).filter(|next| set >> next & 1 == 0) {
                let Some(step) = arc(last, next) else { continue };
                let entry = &mut best[set | 1 << next][next];
                if entry.is_none_or(|(known, _)| cost + step < known) {
                    *entry = Some((cost + step, last));
                }
            }
        }
    }

    let mut set = (1 << nodes) - 1;
    let closing = |last: usize| Some((best[set][last]?.0 + arc(last, 0)?, last));
    let (cost, mut last) = (0..nodes).filter_map(closing).min()?;
    let mut order = Vec::with_capacity(nodes);
    while let Some((_, previous)) = best[set][last].filter(|_| last != 0) {
        order.push(last);
        set &= !(1 << last);
        last = previous;
    }
    order.push(0);
    order.reverse();
    Some((cost, Routes(vec![order])))
}
