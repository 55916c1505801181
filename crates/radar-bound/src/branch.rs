//! Tours proved the best: branch and bound on assignments.
//!
//! An assignment is a tour that may fall into several cycles, so the cheapest one costs no more than the
//! best tour. Where it falls into cycles, a tour must do without at least one arc of any of them: child
//! number `k` of a node excludes the `k`-th free arc of a cycle and fixes those before it, so that the
//! children together hold all tours of the node, each once. A child takes one augmentation.
//!
//! Why a proof can be trusted. All costs are integers and reduced, and that none is negative is checked
//! before anything else. Bounds are costs of cheapest assignments (see [`augment`]), over arcs that a
//! better tour can use (see [`kept`]). A node is dropped only when its bound is no less than the cost of a
//! tour that is known, legal and priced here. Nodes are looked at in the order of their bounds, so that the
//! least bound of those left open is the bound of the node at hand, and everything dropped so far costs at
//! least as much as the best tour: an interrupted proof states the lesser of the two. A tour with an absent
//! arc is no tour; it is no bound for anything, and never called optimal.

mod augment;
mod kept;
mod node;

use std::collections::BinaryHeap;

use augment::{Found, Rules, Search};
use kept::Kept;
use node::{NOWHERE, Node, Open};

use crate::cycles::{self, cycles};
use crate::patch::patch;
use crate::reduced::Reduced;
use crate::{Stop, Weight};

/// The best tour known, and how good it is at least.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// All nodes, from node 0 on.
    pub tour: Vec<u32>,
    /// What the tour costs, before reduction.
    pub cost: i64,
    /// What no tour costs less than.
    pub bound: i64,
    /// How many nodes of the tree were looked at.
    pub nodes: u64,
    /// Whether no tour costs less than this one. Never true of a tour with an absent arc.
    pub optimal: bool,
}

/// What the open nodes and the kept arcs may take together.
const MOST_BYTES: usize = 1 << 28;

/// Whether [`prove`] is likely to end soon: the assignment has few cycles, and the best tour known is
/// within a tenth of the bound.
pub fn is_promising<W: Weight>(reduced: &Reduced<W>, tour_cost: i64) -> bool {
    let Some(successor) = reduced.successor().filter(|_| reduced.is_tour()) else { return false };
    // Tiny trees end soon whatever the assignment is like.
    let few = (reduced.nodes() / 8).max(4);
    let gap = tour_cost.saturating_sub(reduced.bound());
    cycles::count(successor) <= few && gap < tour_cost / 10 + 1
}

/// Looks for a better tour than `tour` until there is none, or `most_nodes` nodes of the tree have been
/// looked at, or memory runs out, or it is told to stop.
///
/// `improve` may turn a tour into a better one; what it returns is not trusted.
pub fn prove<W: Weight>(
    reduced: &Reduced<W>,
    tour: &[u32],
    improve: &mut dyn FnMut(&[u32]) -> Vec<u32>,
    most_nodes: u64,
    stop: Stop,
) -> Proof {
    let mut best = Best::of(reduced, tour);
    let nodes = reduced.nodes();
    if !reduced.is_tour() || nodes < 2 {
        // One node is a tour on its own, without an arc.
        let trivial = reduced.is_tour() && cycles::is_permutation(nodes, tour);
        let bound = if trivial { best.cost } else { reduced.bound() };
        return Proof { tour: best.tour, cost: best.cost, bound, nodes: 0, optimal: trivial };
    }
    let least = reduced.least().to_i64();
    if least < 0 {
        // Not assignment-reduced after all: the worth of the prices is no bound, but with the least
        // reduced cost on every arc it is.
        let bound = reduced.worth(1).saturating_add(least.saturating_mul(nodes as i64));
        return Proof { tour: best.tour, cost: best.cost, bound, nodes: 0, optimal: false };
    }
    let (ended, nodes) = Tree::grow(reduced, &mut best, improve, most_nodes, stop);
    let cost = best.cost;
    match (ended, best.is_known()) {
        (Ended::Complete, true) => Proof { tour: best.tour, cost, bound: cost, nodes, optimal: true },
        // Without a tour to compare with, the end of the search says nothing that is fit to be stated.
        (Ended::Complete, false) => {
            Proof { tour: best.tour, cost, bound: reduced.bound(), nodes, optimal: false }
        }
        (Ended::Open(bound), is_known) => {
            let bound = reduced.worth(1) + bound;
            let optimal = is_known && bound >= cost;
            Proof {
                tour: best.tour,
                cost,
                bound: if is_known { bound.min(cost) } else { bound },
                nodes,
                optimal,
            }
        }
    }
}

/// The best tour so far.
struct Best<'a, W> {
    reduced: &'a Reduced<W>,
    tour: Vec<u32>,
    cost: i64,
    /// The reduced cost of the tour, or the most that can be computed with if that is less: a better tour
    /// costs less than this.
    limit: i64,
    /// Whether `limit` is the cost of the tour.
    is_exact: bool,
}

impl<'a, W: Weight> Best<'a, W> {
    fn of(reduced: &'a Reduced<W>, tour: &[u32]) -> Self {
        // Sums of a few prices and ways below this stay within the type.
        let limit = W::FORBIDDEN.to_i64() / 4;
        let mut best = Self { reduced, tour: tour.to_vec(), cost: i64::MAX, limit, is_exact: false };
        if cycles::is_permutation(reduced.nodes(), tour) {
            best.cost = best.legs(tour).map(|(from, to)| reduced.cost(from, to)).sum();
            best.consider(tour.to_vec());
        }
        best
    }

    fn is_known(&self) -> bool {
        self.is_exact
    }

    fn legs<'t>(&self, tour: &'t [u32]) -> impl Iterator<Item = (usize, usize)> + use<'t, W> {
        let next = tour.iter().skip(1).chain(tour.first());
        // A node alone does not go anywhere.
        let count = if tour.len() < 2 { 0 } else { tour.len() };
        tour.iter().zip(next).take(count).map(|(&from, &to)| (from as usize, to as usize))
    }

    /// Takes `tour` if it is one and better.
    fn consider(&mut self, mut tour: Vec<u32>) {
        let reduced = self.reduced;
        if !cycles::is_permutation(reduced.nodes(), &tour) {
            return;
        }
        if self.legs(&tour).any(|(from, to)| reduced.is_absent(from, to)) {
            return;
        }
        let cost: i64 = self.legs(&tour).map(|(from, to)| reduced.at(from, to).to_i64()).sum();
        if cost >= self.limit {
            return;
        }
        let start = tour.iter().position(|&node| node == 0).unwrap_or(0);
        tour.rotate_left(start);
        (self.limit, self.is_exact) = (cost, true);
        self.cost = cost + reduced.worth(1);
        self.tour = tour;
    }
}

/// How the search ended.
enum Ended {
    /// No tour costs less than the limit.
    Complete,
    /// Tours not looked at cost at least this in reduced costs.
    Open(i64),
}

struct Tree<'a, W> {
    reduced: &'a Reduced<W>,
    search: Search<W>,
    open: BinaryHeap<Open<W>>,
    bytes: usize,
    number: u64,
}

impl<'a, W: Weight> Tree<'a, W> {
    /// Searches to the end if it can. Returns how it ended and how many nodes were looked at.
    fn grow(
        reduced: &'a Reduced<W>,
        best: &mut Best<W>,
        improve: &mut dyn FnMut(&[u32]) -> Vec<u32>,
        most_nodes: u64,
        stop: Stop,
    ) -> (Ended, u64) {
        let Some(kept) = Kept::below(W::from_i64(best.limit), reduced, MOST_BYTES / 2) else {
            return (Ended::Open(0), 0);
        };
        let bytes = kept.bytes();
        let search = Search::over(kept, reduced.nodes());
        let mut tree = Self { reduced, search, open: BinaryHeap::new(), bytes, number: 0 };
        match tree.plant(best.limit, stop) {
            Found::Stopped => return (Ended::Open(0), 0),
            Found::Hopeless => return (Ended::Complete, 0),
            Found::Assigned => {}
        }
        let mut looked_at = 0;
        while let Some(open) = tree.open.pop() {
            let node = open.node;
            let bound = node.bound;
            if bound >= best.limit {
                break; // and so are all the others
            }
            if looked_at >= most_nodes || tree.bytes > MOST_BYTES || stop() {
                return (Ended::Open(bound), looked_at);
            }
            looked_at += 1;
            tree.bytes -= node.bytes().min(tree.bytes);
            let cycles = cycles(&node.successor);
            if let [_] = cycles[..] {
                // A tour at its bound, which is the least of all bounds.
                best.consider(cycles::tour(&node.successor));
                break;
            }
            best.consider(improve(&patch(reduced, &node.successor)));
            if tree.branch(node, &cycles, best.limit, stop) == Found::Stopped {
                return (Ended::Open(bound), looked_at);
            }
        }
        (Ended::Complete, looked_at)
    }

    /// The root: what the assignment says where it says something legal, the rest augmented.
    fn plant(&mut self, upper: i64, stop: Stop) -> Found {
        let nodes = self.reduced.nodes();
        let given = |from: usize| {
            let to = *self.reduced.successor()?.get(from)? as usize;
            let legal = !self.reduced.is_absent(from, to) && self.reduced.at(from, to) == W::ZERO;
            legal.then_some(to as u32)
        };
        let successor: Vec<u32> = (0..nodes).map(|from| given(from).unwrap_or(NOWHERE)).collect();
        let mut root = Node::root(successor);
        let mut predecessor = root.predecessor();
        let rules = Rules::of(&root);
        for row in 0..nodes {
            if root.successor[row] != NOWHERE {
                continue;
            }
            match self.search.assign(row, &mut root, &mut predecessor, &rules, upper, stop) {
                Found::Assigned => {}
                otherwise => return otherwise,
            }
        }
        if root.bound >= upper {
            return Found::Hopeless; // nothing had to be augmented, and the tour is at its bound
        }
        self.push(root, &rules, upper);
        Found::Assigned
    }

    /// Opens the children of a node: those that may hold a tour below `upper`.
    fn branch(&mut self, node: Node<W>, cycles: &[Vec<u32>], upper: i64, stop: Stop) -> Found {
        let mut rules = Rules::of(&node);
        let predecessor = node.predecessor();
        let free = |cycle: &&Vec<u32>| cycle.iter().filter(|&&from| !rules.is_fixed[from as usize]).count();
        // Any cycle will do; the one with the fewest free arcs has the fewest children. If none is free,
        // the fixed arcs close a cycle and there is no tour here.
        let Some(cycle) = cycles.iter().min_by_key(free) else { return Found::Hopeless };
        let free: Vec<u32> = cycle.iter().copied().filter(|&from| !rules.is_fixed[from as usize]).collect();
        for (place, &from) in free.iter().enumerate() {
            let row = from as usize;
            let to = node.successor[row];
            let mut child = node.clone();
            child.fixed.extend_from_slice(&free[..place]);
            child.excluded.push((from, to));
            child.successor[row] = NOWHERE;
            let mut predecessor = predecessor.clone();
            predecessor[to as usize] = NOWHERE;
            let had_excluded = std::mem::replace(&mut rules.has_excluded[row], true);
            match self.search.assign(row, &mut child, &mut predecessor, &rules, upper, stop) {
                Found::Assigned => self.push(child, &rules, upper),
                Found::Hopeless => {}
                Found::Stopped => return Found::Stopped,
            }
            rules.has_excluded[row] = had_excluded;
            rules.is_fixed[row] = true;
        }
        Found::Assigned
    }

    fn push(&mut self, node: Node<W>, rules: &Rules, upper: i64) {
        debug_assert!(node.bound < upper, "a hopeless node was kept");
        debug_assert!(self.is_proved(&node, rules, upper), "prices do not prove the assignment of a node");
        self.bytes += node.bytes();
        self.number += 1;
        self.open.push(Open::new(node, self.number));
    }

    /// Whether the prices of a node show that its assignment is a cheapest one.
    fn is_proved(&self, node: &Node<W>, rules: &Rules, upper: i64) -> bool {
        let predecessor = node.predecessor();
        let cost = |from: usize, to: u32| self.reduced.at(from, to as usize).to_i64();
        let total: i64 = node.successor.iter().enumerate().map(|(from, &to)| cost(from, to)).sum();
        let slack = |from: usize, to: u32| {
            cost(from, to) - node.leave[from].to_i64() - node.enter[to as usize].to_i64()
        };
        let rows = || (0..node.successor.len()).filter(|&from| !rules.is_fixed[from]);
        let may_use = |from: usize, to: u32| {
            let owner = predecessor[to as usize] as usize;
            cost(from, to) < upper && !rules.is_fixed[owner] && !node.excluded.contains(&(from as u32, to))
        };
        total == node.bound
            && rows().all(|from| slack(from, node.successor[from]) == 0)
            && rows().all(|from| {
                let usable = self.search.kept.out_of(from).iter().filter(|&&(_, to)| may_use(from, to));
                usable.map(|&(_, to)| slack(from, to)).all(|slack| slack >= 0)
            })
    }
}
