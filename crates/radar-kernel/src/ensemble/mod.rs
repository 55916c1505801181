//! An ensemble of routes: all routes at once, each as likely as it is cheap, at prices at which every stop is on one
//! of them on the average.
//!
//! A vehicle leaves the depot with all its room, every stop takes some of it, and where the route ends some may be left.
//! Routes are all walks that the room allows, at a weight of `e^((prices of its stops - its cost) / temperature)`. What
//! that comes to is summed by levels of the room that is left: backward from home for all ways on, forward from the
//! depot for all ways there, so that it takes no more time than levels times arcs. Entropic [`crate::transport`] asks where
//! one goes from a stop when all stops have to be left and reached; this asks the same of a vehicle with so much room.
//!
//! Prices begin with those of transport, and rise where a stop is on less than one route. Between stops those arcs
//! count that are among the least surprising of either end. Vehicles that have delivered may pick up with all of their room
//! again.
//!
//! When some stops are served, the rest have other prices ([`Outlook::rest`]): a few rounds from those before find them.

mod sums;
#[cfg(test)]
mod tests;

use crate::isa::Isa;
use crate::transport::{Prices, Transport};
use sums::{Plan, Sums};

/// How often prices are changed: at first, and when some stops were served.
const ROUNDS: usize = 60;
const ROUNDS_LATER: usize = 3;

/// The arcs of a stop that count: so many of those that leave it and of those that reach it.
const ARCS: usize = 12;

/// The way to a stop and back is at most so many temperatures: squares of its exponential are numbers yet.
const FARTHEST: f64 = 300.0;

/// What routes there are.
#[derive(Clone, Copy, Debug)]
pub struct Ensemble<'a> {
    /// The depot, which is the first, and the stops.
    pub nodes: usize,
    /// What arcs cost, row by row (nodes, nodes); none below 0.
    pub costs: &'a [f32],
    /// Which arcs there are between stops (nodes, nodes): none from a pickup to a delivery.
    pub may: &'a [bool],
    /// All of a vehicle's room, in levels.
    pub top: usize,
    /// How many levels each stop takes (nodes): from 1 to `top`.
    pub takes: &'a [u16],
    /// Which stops are pickups (nodes).
    pub gives: &'a [bool],
    /// How many routes there are at least, so far as is known.
    pub routes: f32,
    /// The temperature, as a part of what an arc costs.
    pub coolness: f32,
}

/// What arcs are worth to vehicles at the first prices. Weights have a gauge: what leads from one node to another counts the difference
/// of theirs, so that no sum is too large or too small for a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Fleet {
    nodes: usize,
    top: usize,
    /// Which stops are pickups (nodes).
    gives: Vec<bool>,
    /// What an arc costs less the first price of where it ends, in temperatures, with that one's gauge (nodes, nodes).
    steps: Vec<f32>,
}

/// What the routes of some stops come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook(Sums);

impl Ensemble<'_> {
    /// What it comes to, or nothing when it was stopped: asked in every round.
    pub fn found_until(&self, isa: Isa, stop: &dyn Fn() -> bool) -> Option<(Fleet, Outlook)> {
        let Self { nodes, costs, routes, coolness, .. } = *self;
        assert!(nodes > 0 && costs.len() == nodes * nodes && self.may.len() == nodes * nodes, "one per pair");
        let stops = self.takes.iter().skip(1);
        assert!(
            stops.clone().all(|&takes| (1..=self.top).contains(&takes.into())),
            "every stop takes some room"
        );
        let transport = Transport { nodes, costs, depot: Some(routes), coolness };
        let prices = transport.prices_until(isa, stop)?;
        let (fleet, plan) = self.begun(&prices);
        let outlook = Outlook::found(Sums::new(isa, plan), ROUNDS, stop)?;
        Some((fleet, outlook))
    }

    /// What arcs are worth at the prices of transport.
    fn begun(&self, begun: &Prices) -> (Fleet, Plan<'_>) {
        let nodes = self.nodes;
        let cost = |from: usize, to: usize| f64::from(self.costs[from * nodes + to]);
        let farthest = (1..nodes).map(|stop| cost(0, stop) + cost(stop, 0)).fold(0.0, f64::max);
        let temperature =
            f64::from(begun.temperature).max(farthest / FARTHEST).max(f64::from(f32::MIN_POSITIVE));

        // What the depot's price is, stops pay by what they take.
        let all: f64 = self.takes.iter().skip(1).map(|&takes| f64::from(takes)).sum();
        let depot = f64::from(begun.rows[0] + begun.columns[0]) * f64::from(begun.amount) / all.max(1.0);
        // No stop is worth more than a route of its own costs.
        let price = |stop: usize| {
            let alone = cost(0, stop) + cost(stop, 0);
            let price =
                f64::from(begun.rows[stop] + begun.columns[stop]) + depot * f64::from(self.takes[stop]);
            if stop == 0 { 0.0 } else { price.clamp(-alone, alone) }
        };
        let prices: Vec<f64> = (0..nodes).map(|node| price(node) / temperature).collect();
        let gauge = |stop: usize| 0.5 * (prices[stop] + (cost(stop, 0) - cost(0, stop)) / temperature);
        let gauge: Vec<f64> = (0..nodes).map(|node| if node == 0 { 0.0 } else { gauge(node) }).collect();
        let step = |from: usize, to: usize| cost(from, to) / temperature - prices[to] + gauge[to];
        let weight = |from: usize, to: usize| (gauge[from] - step(from, to)).clamp(-FARTHEST, FARTHEST).exp();

        let surprise =
            |from: usize, to: usize| self.costs[from * nodes + to] - begun.rows[from] - begun.columns[to];
        let mut arcs = least_surprising(nodes, &surprise);
        arcs.retain(|&(from, to)| self.may[from * nodes + to]);
        let plan = Plan {
            top: self.top,
            takes: self.takes,
            gives: self.gives,
            first: (0..nodes).map(|stop| weight(0, stop)).collect(),
            home: (0..nodes).map(|stop| weight(stop, 0)).collect(),
            arcs: arcs.into_iter().map(|(from, to)| (from, to, weight(from, to))).collect(),
        };
        let steps = (0..nodes * nodes).map(|at| step(at / nodes, at % nodes) as f32).collect();
        (Fleet { nodes, top: self.top, gives: self.gives.to_vec(), steps }, plan)
    }
}

impl Fleet {
    /// What arcs from a node cost in temperatures, less the first prices of where they end, with their gauges (nodes): less
    /// the logarithm of [`Outlook::ahead`] it is how surprising they are, but for what is the same for all of them.
    pub fn steps(&self, from: usize) -> &[f32] {
        &self.steps[from * self.nodes..(from + 1) * self.nodes]
    }

    /// All of a vehicle's room, in levels.
    pub fn top(&self) -> usize {
        self.top
    }

    /// Whether a stop is a pickup.
    pub fn gives(&self, stop: usize) -> bool {
        self.gives[stop]
    }
}

impl Outlook {
    fn found(mut sums: Sums, rounds: usize, stop: &dyn Fn() -> bool) -> Option<Self> {
        for _ in 0..rounds {
            if stop() {
                return None;
            }
            sums.backward();
            sums.forward();
            sums.reprice();
        }
        sums.backward();
        sums.forward();
        Some(Self(sums))
    }

    /// What the routes of those stops come to that are left (nodes).
    pub fn rest(&self, is_left: &[bool]) -> Self {
        Self::found(self.0.among(is_left), ROUNDS_LATER, &|| false).unwrap_or_else(|| self.clone())
    }

    /// The weight of all ways on from a stop where a vehicle comes with so much room; the least there is of stops that are not
    /// among these, or take more.
    pub fn ahead(&self, stop: usize, room: usize) -> f64 {
        let weight = self.0.place(stop).map_or(0.0, |place| self.0.ahead(place)[room]);
        weight.clamp(f64::MIN_POSITIVE, f64::MAX)
    }

    /// On how many routes each of its stops is.
    pub fn visits(&self) -> impl Iterator<Item = (usize, f32)> {
        (1..).zip(self.0.stops()).map(|(place, &stop)| (stop, self.0.visits(place) as f32))
    }

    /// Arcs from one of its stops to others, and how often each is used.
    pub fn used_from(&self, stop: usize) -> impl Iterator<Item = (usize, f32)> {
        let used = self.0.place(stop).map(|place| self.0.used_from(place));
        used.into_iter().flatten().map(|(to, used)| (to, used as f32))
    }
}

/// The arcs between stops that are among the least surprising of either end, in order.
fn least_surprising(nodes: usize, surprise: &dyn Fn(usize, usize) -> f32) -> Vec<(usize, usize)> {
    let mut arcs = Vec::new();
    for node in 1..nodes {
        for leaves in [true, false] {
            let arc = |other: usize| if leaves { (node, other) } else { (other, node) };
            let others = (1..nodes).filter(|&other| other != node).map(arc);
            let mut rated: Vec<(f32, (usize, usize))> =
                others.map(|(from, to)| (surprise(from, to), (from, to))).collect();
            if rated.len() > ARCS {
                rated.select_nth_unstable_by(ARCS, |one, other| {
                    one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))
                });
                rated.truncate(ARCS);
            }
            arcs.extend(rated.into_iter().map(|(_, arc)| arc));
        }
    }
    arcs.sort_unstable();
    arcs.dedup();
    arcs
}
