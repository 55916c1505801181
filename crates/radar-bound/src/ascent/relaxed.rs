//! Relaxed plans on the sparse graph: trees, ways of the depot, and how often each stop is left and
//! entered.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::depot::{Depot, Fleet};
use super::graph::Graph;
use super::scaled::{Multipliers, Scaled};
use crate::Weight;

/// A cheapest relaxed plan, made again and again under changing multipliers.
pub(super) struct Relaxed {
    out: Vec<i64>,
    back: Vec<i64>,
    fleet: Fleet,
    depot: Depot,
    /// The cost of each edge in its cheaper direction.
    costs: Vec<i64>,
    is_there: Vec<bool>,
    least: Vec<i64>,
    by: Vec<u32>,
    queue: BinaryHeap<Reverse<(i64, u32)>>,
    /// How often each stop is left too rarely (1), or too often (below 0).
    pub leave: Vec<i32>,
    /// The same of entering.
    pub enter: Vec<i32>,
}

impl Relaxed {
    pub fn new<W: Weight>(scaled: &Scaled<W>, fleet: Fleet) -> Self {
        let nodes = scaled.nodes();
        Self {
            out: (0..nodes).map(|stop| scaled.at(0, stop)).collect(),
            back: (0..nodes).map(|stop| scaled.at(stop, 0)).collect(),
            fleet,
            depot: Depot::default(),
            costs: Vec::new(),
            is_there: Vec::new(),
            least: vec![0; nodes],
            by: vec![0; nodes],
            queue: BinaryHeap::new(),
            leave: vec![0; nodes],
            enter: vec![0; nodes],
        }
    }

    /// The value of `multipliers` on `graph` alone, which is no bound, and what each stop lacks. `None`
    /// when the graph is not connected.
    pub fn value(&mut self, graph: &Graph, multipliers: &Multipliers) -> Option<i64> {
        let Multipliers { leave, enter } = multipliers;
        let stops = 1..leave.len();
        self.span(graph, multipliers)?;
        let depot = &mut self.depot;
        depot.out.clear();
        depot.out.extend(stops.clone().map(|stop| (self.out[stop] - enter[stop], stop as u32)));
        depot.back.clear();
        depot.back.extend(stops.clone().map(|stop| (self.back[stop] - leave[stop], stop as u32)));
        let (cost, routes) = depot.cheapest(self.fleet);
        let worth: i64 = stops.map(|stop| leave[stop] + enter[stop]).sum();

        self.leave.fill(1);
        self.enter.fill(1);
        for &(_, edge) in self.depot.tree.iter().skip(routes - 1) {
            let ends = graph.edges[edge as usize];
            let (from, to) = if self.is_there[edge as usize] { (ends.a, ends.b) } else { (ends.b, ends.a) };
            self.leave[from as usize] -= 1;
            self.enter[to as usize] -= 1;
        }
        self.depot.out.iter().take(routes).for_each(|way| self.enter[way.1 as usize] -= 1);
        self.depot.back.iter().take(routes).for_each(|way| self.leave[way.1 as usize] -= 1);
        Some(worth + cost)
    }

    /// A cheapest spanning tree, by Prim's algorithm.
    fn span(&mut self, graph: &Graph, multipliers: &Multipliers) -> Option<()> {
        const JOINED: i64 = i64::MIN;
        let Multipliers { leave, enter } = multipliers;
        self.costs.clear();
        self.is_there.clear();
        for edge in &graph.edges {
            let (a, b) = (edge.a as usize, edge.b as usize);
            let (there, back) = (edge.there - leave[a] - enter[b], edge.back - leave[b] - enter[a]);
            self.costs.push(there.min(back));
            self.is_there.push(there <= back);
        }
        self.least.fill(i64::MAX);
        self.queue.clear();
        self.depot.tree.clear();
        let mut joined = 1;
        self.least[joined] = JOINED;
        for _ in 2..leave.len() {
            for &(other, edge) in graph.at(joined) {
                let cost = self.costs[edge as usize];
                if cost < self.least[other as usize] {
                    self.least[other as usize] = cost;
                    self.by[other as usize] = edge;
                    self.queue.push(Reverse((cost, other)));
                }
            }
            let stop = loop {
                let Reverse((cost, stop)) = self.queue.pop()?;
                if cost == self.least[stop as usize] {
                    break stop as usize;
                }
            };
            self.depot.tree.push((self.least[stop], self.by[stop]));
            self.least[stop] = JOINED;
            joined = stop;
        }
        Some(())
    }
}
