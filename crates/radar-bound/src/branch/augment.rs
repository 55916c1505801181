//! One more row assigned, at the least cost: a shortest path over the kept arcs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::kept::Kept;
use super::node::{NOWHERE, Node};
use crate::{Stop, Weight};

/// What a search for an augmenting path came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The row has been assigned and the bound has risen.
    Assigned,
    /// Every completion costs as much as the best tour known, or there is none: the node holds no better
    /// tour.
    Hopeless,
    /// Asked to stop; nothing is known.
    Stopped,
}

/// What a node rules, by row, so that the search need not look through lists.
pub(super) struct Rules {
    /// Whether the arc out of a row is fixed.
    pub is_fixed: Vec<bool>,
    /// Whether some arc out of a row is excluded.
    pub has_excluded: Vec<bool>,
}

impl Rules {
    pub fn of<W>(node: &Node<W>) -> Self {
        let mut rules = Self {
            is_fixed: vec![false; node.successor.len()],
            has_excluded: vec![false; node.successor.len()],
        };
        node.fixed.iter().for_each(|&row| rules.is_fixed[row as usize] = true);
        node.excluded.iter().for_each(|&(row, _)| rules.has_excluded[row as usize] = true);
        rules
    }
}

/// The arcs to search, and the state of a search, kept so that it need not be made again.
pub(super) struct Search<W> {
    pub kept: Kept<W>,
    /// The length of the way to each column; `FORBIDDEN` where none is known.
    ways: Vec<W>,
    reached_from: Vec<u32>,
    is_settled: Vec<bool>,
    touched: Vec<u32>,
    settled: Vec<u32>,
    queue: BinaryHeap<Reverse<(W, u32)>>,
}

impl<W: Weight> Search<W> {
    pub fn over(kept: Kept<W>, nodes: usize) -> Self {
        Self {
            kept,
            ways: vec![W::FORBIDDEN; nodes],
            reached_from: vec![0; nodes],
            is_settled: vec![false; nodes],
            touched: Vec::new(),
            settled: Vec::new(),
            queue: BinaryHeap::new(),
        }
    }

    /// Assigns `row`, which has no successor in `node`, along a shortest path to a column that nobody
    /// goes to, unless the bound would reach `upper`.
    ///
    /// Why the bound stays valid. Before the search, prices prove the partial assignment a cheapest one of
    /// its rows (Dijkstra needs what they assure: no arc shorter than 0). Afterwards a settled row's price
    /// has risen, and its column's fallen, by the path's length less the way to it. For an arc from a
    /// settled row to a column that is not settled, the new reduced cost is its way less the path's
    /// length; the way was at least as long as the path, or it would have been settled, or it was passed
    /// over because it reached the limit, which is never below the path's length. Arcs at or above
    /// `upper` are passed over, now and ever after, because no better tour uses them and `upper` only
    /// falls. Rows and columns of fixed arcs are in no path, here or further down the tree, so their
    /// prices do not matter. The bound, the cost of the assignment, rises by the path's length.
    ///
    /// Nothing overflows: prices are within the bound, ways within `upper`, and `upper` is within a
    /// quarter of the type.
    pub fn assign(
        &mut self,
        row: usize,
        node: &mut Node<W>,
        predecessor: &mut [u32],
        rules: &Rules,
        upper: i64,
        stop: Stop,
    ) -> Found {
        const PATIENCE: usize = 64;
        self.clear();
        let below = W::from_i64(upper);
        // Ways of this length or more are of no use; falls to the shortest way to a free column.
        let mut limit = W::from_i64(upper - node.bound);
        let (mut tail, mut travelled) = (row, W::ZERO);
        let end = loop {
            let offset = travelled - node.leave[tail];
            for &(cost, to) in self.kept.out_of(tail) {
                // Prices of entering are never above 0, so a dearer arc is no shorter way.
                if cost >= below || cost + offset >= limit {
                    break;
                }
                let column = to as usize;
                let way = cost + offset - node.enter[column];
                if way >= limit || way >= self.ways[column] || self.is_settled[column] {
                    continue;
                }
                let owner = predecessor[column];
                let is_excluded = rules.has_excluded[tail] && node.excluded.contains(&(tail as u32, to));
                if is_excluded || (owner != NOWHERE && rules.is_fixed[owner as usize]) {
                    continue;
                }
                if self.ways[column] == W::FORBIDDEN {
                    self.touched.push(to);
                }
                self.ways[column] = way;
                self.reached_from[column] = tail as u32;
                self.queue.push(Reverse((way, to)));
                if owner == NOWHERE {
                    // Ways as long as the shortest to a free column need no settling, but this one does.
                    limit = way;
                }
            }
            let Some((way, column)) = self.nearest() else { return Found::Hopeless };
            travelled = way;
            if predecessor[column] == NOWHERE {
                break column;
            }
            self.is_settled[column] = true;
            self.settled.push(column as u32);
            if self.settled.len().is_multiple_of(PATIENCE) && stop() {
                return Found::Stopped;
            }
            tail = predecessor[column] as usize;
        };
        node.bound += travelled.to_i64();
        node.leave[row] = node.leave[row] + travelled;
        for column in self.settled.iter().map(|&column| column as usize) {
            let rise = travelled - self.ways[column];
            node.enter[column] = node.enter[column] - rise;
            let owner = predecessor[column] as usize;
            node.leave[owner] = node.leave[owner] + rise;
        }
        self.pass_on(row, end, node, predecessor);
        Found::Assigned
    }

    /// The nearest column that is not settled.
    fn nearest(&mut self) -> Option<(W, usize)> {
        while let Some(Reverse((way, column))) = self.queue.pop() {
            let column = column as usize;
            if !self.is_settled[column] && way == self.ways[column] {
                return Some((way, column));
            }
        }
        None
    }

    /// Gives every row on the path from `row` to `end` the next column of it.
    fn pass_on(&self, row: usize, end: usize, node: &mut Node<W>, predecessor: &mut [u32]) {
        let mut column = end;
        loop {
            let tail = self.reached_from[column] as usize;
            let given_up = node.successor[tail];
            node.successor[tail] = column as u32;
            predecessor[column] = tail as u32;
            if tail == row {
                return;
            }
            column = given_up as usize;
        }
    }

    fn clear(&mut self) {
        for column in self.touched.drain(..) {
            self.ways[column as usize] = W::FORBIDDEN;
            self.is_settled[column as usize] = false;
        }
        self.settled.clear();
        self.queue.clear();
    }
}
