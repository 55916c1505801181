//! Quickest paths over turns, by Dijkstra's algorithm.

use super::network::Network;
use super::trip::Trip;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A search that keeps its memory from one source to the next.
pub(super) struct Quickest {
    entry: Vec<Trip>,
    heap: BinaryHeap<Reverse<(Trip, usize)>>,
}

impl Quickest {
    pub fn new(network: &Network) -> Self {
        Self { entry: vec![Trip::NEVER; network.lanes.len()], heap: BinaryHeap::new() }
    }

    /// From a place that lies `done` along each of the given lanes: the quickest trip to the beginning
    /// of every lane. The lanes of the start count as entered only when a path comes back to them.
    pub fn search(&mut self, network: &Network, start: &[(usize, Trip)]) -> &[Trip] {
        self.entry.fill(Trip::NEVER);
        for &(lane, done) in start {
            for &(next, trip) in network.turns(lane) {
                self.reach(next, trip - done);
            }
        }
        while let Some(Reverse((trip, lane))) = self.heap.pop() {
            if trip > self.entry[lane] {
                continue;
            }
            for &(next, more) in network.turns(lane) {
                self.reach(next, trip + more);
            }
        }
        &self.entry
    }

    fn reach(&mut self, lane: usize, trip: Trip) {
        if trip < self.entry[lane] {
            self.entry[lane] = trip;
            self.heap.push(Reverse((trip, lane)));
        }
    }
}
