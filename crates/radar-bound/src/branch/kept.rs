//! The arcs that a better tour can still use.

use crate::Weight;
use crate::reduced::Reduced;

/// The arcs cheaper than a limit, per row and cheapest first.
///
/// A tour that costs less than `limit` in reduced costs uses arcs below `limit` only, because no reduced
/// cost is negative: an arc at the limit leaves at best a tie. Absent arcs are in no tour at all.
pub(super) struct Kept<W> {
    starts: Vec<usize>,
    arcs: Vec<(W, u32)>,
}

impl<W: Weight> Kept<W> {
    /// The arcs below `limit`, or `None` when they would take more than `most_bytes`.
    pub fn below(limit: W, reduced: &Reduced<W>, most_bytes: usize) -> Option<Self> {
        const CHUNK: usize = 32;
        let most = most_bytes / size_of::<(W, u32)>();
        let nodes = reduced.nodes();
        let mut starts = Vec::with_capacity(nodes + 1);
        let mut arcs = Vec::new();
        for from in 0..nodes {
            starts.push(arcs.len());
            for (chunk, costs) in reduced.row(from).chunks(CHUNK).enumerate() {
                if !costs.iter().fold(false, |any, &cost| any | (cost < limit)) {
                    continue;
                }
                let places = costs.iter().enumerate().map(|(place, &cost)| (cost, chunk * CHUNK + place));
                let cheap = places.filter(|&(cost, to)| cost < limit && !reduced.is_absent(from, to));
                arcs.extend(cheap.map(|(cost, to)| (cost, to as u32)));
            }
            if arcs.len() > most {
                return None;
            }
            arcs[starts[from]..].sort_unstable();
        }
        starts.push(arcs.len());
        Some(Self { starts, arcs })
    }

    /// The arcs out of `from`.
    #[inline]
    pub fn out_of(&self, from: usize) -> &[(W, u32)] {
        &self.arcs[self.starts[from]..self.starts[from + 1]]
    }

    /// What they take.
    pub fn bytes(&self) -> usize {
        self.arcs.capacity() * size_of::<(W, u32)>()
    }
}
