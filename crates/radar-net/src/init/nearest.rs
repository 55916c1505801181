//! The smallest entries of a node's row, then those of its column, each in rising order: how far the
//! nearest nodes are, whichever they are. The node itself is among them.

use super::{Marks, Sight};
use crate::error::NetError;

/// Columns (N, 2 neighbours). Where there are fewer nodes than that, the largest entry is repeated.
pub(super) fn marks(sight: &Sight) -> Result<Marks, NetError> {
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
