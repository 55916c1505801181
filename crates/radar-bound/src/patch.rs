//! One tour out of the cycles of an assignment.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::Weight;
use crate::cycles::{cycles, is_permutation, tour};
use crate::reduced::Reduced;

/// Joins the cycles of `successor`, a permutation of the nodes, into one tour from node 0 on.
///
/// Karp and Steele: two cycles become one when a node of each takes over the other's successor. The
/// smallest cycle is joined to whichever other costs least, until there is one. Anything but a
/// permutation gives the nodes in order.
pub fn patch<W: Weight>(reduced: &Reduced<W>, successor: &[u32]) -> Vec<u32> {
    let nodes = reduced.nodes();
    if !is_permutation(nodes, successor) {
        return (0..nodes as u32).collect();
    }
    let mut patchwork = Patchwork::of(reduced, successor);
    patchwork.join_all();
    tour(&patchwork.successor)
}

struct Patchwork<'a, W> {
    reduced: &'a Reduced<W>,
    successor: Vec<u32>,
    predecessor: Vec<u32>,
    /// What the arc into each node costs; an arc to itself, which no tour has, counts nothing.
    held: Vec<W>,
    cycle_of: Vec<u32>,
    members: Vec<Vec<u32>>,
}

impl<'a, W: Weight> Patchwork<'a, W> {
    fn of(reduced: &'a Reduced<W>, successor: &[u32]) -> Self {
        let members = cycles(successor);
        let mut predecessor = vec![0; successor.len()];
        for (from, &to) in successor.iter().enumerate() {
            predecessor[to as usize] = from as u32;
        }
        let mut cycle_of = vec![0; successor.len()];
        for (cycle, nodes) in members.iter().enumerate() {
            nodes.iter().for_each(|&node| cycle_of[node as usize] = cycle as u32);
        }
        let mut work =
            Self { reduced, successor: successor.to_vec(), predecessor, held: Vec::new(), cycle_of, members };
        work.held = (0..successor.len()).map(|to| work.held_into(to)).collect();
        work
    }

    fn held_into(&self, to: usize) -> W {
        let from = self.predecessor[to] as usize;
        if from == to { W::ZERO } else { self.reduced.at(from, to) }
    }

    fn join_all(&mut self) {
        let sizes = self.members.iter().map(Vec::len).enumerate();
        let mut queue: BinaryHeap<_> = sizes.map(|(cycle, size)| Reverse((size, cycle))).collect();
        while let Some(Reverse((size, cycle))) = queue.pop() {
            // A cycle that has grown or gone since is in the queue under its old size.
            if self.members[cycle].len() != size {
                continue;
            }
            let Some((inner, outer)) = self.cheapest_exchange(cycle) else { return };
            let joined = self.join(cycle, inner, outer);
            queue.push(Reverse((self.members[joined].len(), joined)));
        }
    }

    /// The node of `cycle` and the one outside that exchange successors at the least cost.
    fn cheapest_exchange(&self, cycle: usize) -> Option<(usize, usize)> {
        const CHUNK: usize = 32;
        let first = *self.members[cycle].first()? as usize;
        let outside = |to: &usize| self.cycle_of[*to] as usize != cycle;
        // Somewhere to begin: the cheapest arc out of the cycle from one of its nodes.
        let begin = (0..self.successor.len()).filter(outside).min_by_key(|&to| self.reduced.at(first, to))?;
        let (mut least, mut best) = self.exchange(first, begin);
        for inner in self.members[cycle].iter().map(|&node| node as usize) {
            let given_up = self.held[self.successor[inner] as usize].to_i64();
            // As no reduced cost is negative, an arc must cost so little more than the one it replaces to be
            // part of a cheaper exchange.
            let mut below = self.at_most(least, given_up);
            let rows = self.reduced.row(inner).chunks(CHUNK).zip(self.held.chunks(CHUNK));
            for (chunk, (costs, held)) in rows.enumerate() {
                let pairs = || costs.iter().zip(held);
                if !pairs().fold(false, |any, (&cost, &held)| any | (cost - held < below)) {
                    continue;
                }
                for (place, (&cost, &held)) in pairs().enumerate() {
                    let to = chunk * CHUNK + place;
                    if cost - held < below && outside(&to) {
                        (least, best) = self.exchange(inner, to).min((least, best));
                        below = self.at_most(least, given_up);
                    }
                }
            }
        }
        Some(best)
    }

    /// The sum in the type of the costs, or its largest value if that is less.
    fn at_most(&self, least: i64, given_up: i64) -> W {
        W::from_i64(least.saturating_add(given_up).min(W::FORBIDDEN.to_i64()))
    }

    /// What it costs that `inner` goes to `to`, and whoever went there to the successor of `inner`; and
    /// those two.
    fn exchange(&self, inner: usize, to: usize) -> (i64, (usize, usize)) {
        let (outer, inner_to) = (self.predecessor[to] as usize, self.successor[inner] as usize);
        let taken = self.reduced.at(inner, to).to_i64() + self.reduced.at(outer, inner_to).to_i64();
        (taken - self.held[to].to_i64() - self.held[inner_to].to_i64(), (inner, outer))
    }

    /// Exchanges the successors of two nodes; the cycle of `outer` takes in `cycle`. Returns its number.
    fn join(&mut self, cycle: usize, inner: usize, outer: usize) -> usize {
        self.successor.swap(inner, outer);
        for from in [inner, outer] {
            let to = self.successor[from] as usize;
            self.predecessor[to] = from as u32;
            self.held[to] = self.held_into(to);
        }
        let joined = self.cycle_of[outer] as usize;
        let taken = std::mem::take(&mut self.members[cycle]);
        taken.iter().for_each(|&node| self.cycle_of[node as usize] = joined as u32);
        self.members[joined].extend(taken);
        joined
    }
}
