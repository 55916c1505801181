//! The few arcs among stops that cheap trees are made of.

use super::scaled::{Multipliers, Scaled};
use crate::{Stop, Weight};

/// A pair of stops and what it costs to go from one to the other, both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub a: u32,
    pub b: u32,
    pub there: i64,
    pub back: i64,
}

/// A sparse graph of stops.
pub(super) struct Graph {
    pub edges: Vec<Edge>,
    /// Where the neighbours of each node start.
    starts: Vec<u32>,
    /// The other end, and the number of the edge.
    neighbours: Vec<(u32, u32)>,
}

impl Graph {
    /// The `count` cheapest arcs out of each stop and into each stop under `multipliers`, and `more` pairs.
    /// `None` when told to stop.
    pub fn of<'m, W: Weight>(
        scaled: &Scaled<W>,
        multipliers: &Multipliers,
        count: usize,
        more: impl Iterator<Item = &'m (u32, u32)>,
        stop: Stop,
    ) -> Option<Self> {
        const PATIENCE: usize = 64;
        let nodes = scaled.nodes();
        let Multipliers { leave, enter } = multipliers;
        let mut pairs: Vec<(u32, u32)> = more.map(|&(a, b)| (a.min(b), a.max(b))).collect();
        let mut costs = Vec::with_capacity(nodes);
        for node in 1..nodes {
            let others = || (1..nodes).filter(|&other| other != node);
            if node.is_multiple_of(PATIENCE) && stop() {
                return None;
            }
            for inwards in [false, true] {
                costs.clear();
                match inwards {
                    false => costs.extend(others().map(|to| (scaled.at(node, to) - enter[to], to as u32))),
                    true => {
                        costs.extend(others().map(|from| (scaled.at(from, node) - leave[from], from as u32)))
                    }
                }
                if costs.len() > count {
                    costs.select_nth_unstable(count);
                    costs.truncate(count);
                }
                let node = node as u32;
                pairs.extend(costs.iter().map(|&(_, other)| (node.min(other), node.max(other))));
            }
        }
        Some(Self::with_pairs(scaled, pairs))
    }

    /// This graph with more pairs.
    pub fn extended<W: Weight>(&self, scaled: &Scaled<W>, more: &[(u32, u32)]) -> Self {
        let pairs = self.edges.iter().map(|edge| (edge.a, edge.b));
        let more = more.iter().map(|&(a, b)| (a.min(b), a.max(b)));
        Self::with_pairs(scaled, pairs.chain(more).collect())
    }

    fn with_pairs<W: Weight>(scaled: &Scaled<W>, mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let edge = |&(a, b): &(u32, u32)| {
            let (from, to) = (a as usize, b as usize);
            Edge { a, b, there: scaled.at(from, to), back: scaled.at(to, from) }
        };
        let edges: Vec<Edge> = pairs.iter().map(edge).collect();
        let mut starts = vec![0; scaled.nodes() + 1];
        for &(a, b) in &pairs {
            starts[a as usize + 1] += 1;
            starts[b as usize + 1] += 1;
        }
        for node in 0..scaled.nodes() {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut neighbours = vec![(0, 0); 2 * pairs.len()];
        for (number, &(a, b)) in pairs.iter().enumerate() {
            for (node, other) in [(a, b), (b, a)] {
                let place = &mut next[node as usize];
                neighbours[*place as usize] = (other, number as u32);
                *place += 1;
            }
        }
        Self { edges, starts, neighbours }
    }

    /// The other ends and the numbers of the edges at `node`.
    #[inline]
    pub fn at(&self, node: usize) -> &[(u32, u32)] {
        &self.neighbours[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}
