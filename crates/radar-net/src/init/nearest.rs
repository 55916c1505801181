//! The smallest entries of a node's row, then those of its column, each in rising order: how far the
//! nearest nodes are, whichever they are. The node itself is among them.

use super::{Marks, Part, Sight};
use crate::error::NetError;
use crate::reference;

pub(super) const PART: Part = Part {
    columns: |config| 2 * config.neighbours,
    alone: true,
    draws: |_| false,
    words: |config| format!("{} nearest there and back", config.neighbours),
    marks,
    naive,
};

/// Columns (N, 2 neighbours). Where there are fewer nodes than that, the largest entry is repeated.
fn marks(sight: &Sight) -> Result<Marks, NetError> {
    let (nodes, count) = (sight.nodes, sight.config.neighbours);
    let mut columns = Vec::with_capacity(nodes * 2 * count);
    let mut entries = Vec::with_capacity(nodes);
    for node in 0..nodes {
        for matrix in [sight.there, sight.back] {
            entries.clear();
            entries.extend_from_slice(&matrix[node * nodes..(node + 1) * nodes]);
            if (1..nodes).contains(&count) {
                entries.select_nth_unstable_by(count - 1, f32::total_cmp);
                entries.truncate(count);
            }
            entries.sort_unstable_by(f32::total_cmp);
            let largest = entries.last().copied().unwrap_or(0.0);
            columns.extend(entries.iter().copied().chain(std::iter::repeat(largest)).take(count));
        }
    }
    Ok(Marks { columns, ..Marks::default() })
}

// Naively: nothing below shares code with what is above.

fn naive(sight: &reference::Sight<'_>) -> reference::Marks {
    let nodes = sight.nodes;
    let mut columns = Vec::new();
    for node in 0..nodes {
        let row = (0..nodes).map(|to| sight.distance[node * nodes + to]).collect();
        let column = (0..nodes).map(|from| sight.distance[from * nodes + node]).collect();
        let both: [Vec<f64>; 2] = [row, column];
        for mut entries in both {
            entries.sort_by(f64::total_cmp);
            columns.extend((0..sight.config.neighbours).map(|rank| entries[rank.min(nodes - 1)]));
        }
    }
    reference::Marks { columns, ..reference::Marks::default() }
}
