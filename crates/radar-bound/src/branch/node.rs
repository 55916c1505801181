//! A part of all tours, and the cheapest assignment within it.

use std::cmp::Ordering;

use crate::Weight;
use crate::cycles;

/// The tours that use all of some arcs and none of others, with a cheapest assignment that does so.
///
/// The assignment is held together with prices, on top of those of the reduced costs, which prove it: no
/// arc that the node may use costs less than its two prices, and the assigned ones cost just as much,
/// fixed ones aside. Prices of leaving start at 0 and only rise, those of entering start at 0 and only
/// fall, and neither by more than the bound.
#[derive(Clone)]
pub(super) struct Node<W> {
    /// What the assignment costs in reduced costs: no tour of the node costs less.
    pub bound: i64,
    pub leave: Vec<W>,
    pub enter: Vec<W>,
    /// Where the assignment goes from each node; [`NOWHERE`] while it is incomplete.
    pub successor: Vec<u32>,
    /// The nodes whose arc is fixed.
    pub fixed: Vec<u32>,
    /// The arcs that are ruled out.
    pub excluded: Vec<(u32, u32)>,
}

/// No successor, or no predecessor, yet.
pub(super) const NOWHERE: u32 = u32::MAX;

impl<W: Weight> Node<W> {
    /// All tours, with nothing assigned but what `successor` says. Prices of 0 are feasible, because no
    /// reduced cost is negative; the given arcs must cost 0.
    pub fn root(successor: Vec<u32>) -> Self {
        let nothing = vec![W::ZERO; successor.len()];
        Self {
            bound: 0,
            leave: nothing.clone(),
            enter: nothing,
            successor,
            fixed: Vec::new(),
            excluded: Vec::new(),
        }
    }

    /// Who goes to each node.
    pub fn predecessor(&self) -> Vec<u32> {
        let mut predecessor = vec![NOWHERE; self.successor.len()];
        for (from, &to) in self.successor.iter().enumerate().filter(|&(_, &to)| to != NOWHERE) {
            predecessor[to as usize] = from as u32;
        }
        predecessor
    }

    /// What it takes, without what the lists might hold in reserve.
    pub fn bytes(&self) -> usize {
        let per_node = 2 * size_of::<W>() + size_of::<u32>();
        self.successor.len() * per_node
            + self.fixed.len() * 4
            + self.excluded.len() * 8
            + size_of::<Open<W>>()
    }
}

/// A node whose tours have not been looked at. The greatest is the most promising: the one with the least
/// bound, then the fewest cycles, then the latest found.
pub(super) struct Open<W> {
    pub node: Node<W>,
    cycles: usize,
    number: u64,
}

impl<W: Weight> Open<W> {
    pub fn new(node: Node<W>, number: u64) -> Self {
        Self { cycles: cycles::count(&node.successor), node, number }
    }

    fn rank(&self) -> (i64, usize, std::cmp::Reverse<u64>) {
        (self.node.bound, self.cycles, std::cmp::Reverse(self.number))
    }
}

impl<W: Weight> Ord for Open<W> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.rank().cmp(&self.rank())
    }
}

impl<W: Weight> PartialOrd for Open<W> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<W: Weight> PartialEq for Open<W> {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl<W: Weight> Eq for Open<W> {}
