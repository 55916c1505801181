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

use crate::isa::Isa;
use crate::transport::{Prices, Transport};

/// How often prices are changed.
const ROUNDS: usize = 30;

/// What of a price's error is mended at once, and what of the last change goes on.
const PACE: f64 = 0.15;
const MOMENTUM: f64 = 0.6;

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

/// What an ensemble comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Likely {
    /// What an arc costs less the price of where it ends, in temperatures (nodes, nodes).
    pub steps: Vec<f32>,
    /// The logarithm of the weights of all ways on from a node, by the room left after it (nodes, top + 1).
    pub ahead: Vec<f32>,
    /// How often an arc is used (nodes, nodes).
    pub used: Vec<f32>,
}

impl Ensemble<'_> {
    /// What it comes to, or nothing when it was stopped: asked in every round.
    pub fn likely_until(&self, isa: Isa, stop: &dyn Fn() -> bool) -> Option<Likely> {
        let Self { nodes, costs, routes, coolness, .. } = *self;
        assert!(nodes > 0 && costs.len() == nodes * nodes && self.may.len() == nodes * nodes, "one per pair");
        let stops = self.takes.iter().skip(1);
        assert!(
            stops.clone().all(|&takes| (1..=self.top).contains(&takes.into())),
            "every stop takes some room"
        );
        let transport = Transport { nodes, costs, depot: Some(routes), coolness };
        let prices = transport.prices_until(isa, stop)?;
        let mut sums = Sums::new(self, &prices);
        for _ in 0..ROUNDS {
            if stop() {
                return None;
            }
            sums.backward();
            sums.forward();
            sums.reprice();
        }
        sums.backward();
        sums.forward();
        Some(sums.likely(self))
    }
}

/// The sums over all routes, and what they are made of. Weights have a gauge: what leads from one node to another counts
/// the difference of theirs, so that no sum is too large or too small for a number.
struct Sums {
    nodes: usize,
    top: usize,
    /// Numbers per row of a node: as many zeros as an arc takes at most, and the levels, or the other way round.
    stride: usize,
    ground: usize,
    temperature: f64,
    /// The first prices in temperatures, what they have changed since, how fast, and e^change (nodes).
    prices: Vec<f64>,
    change: Vec<f64>,
    speed: Vec<f64>,
    factor: Vec<f64>,
    gauge: Vec<f64>,
    /// Weights from the depot and to it, by stop; how much room is left at most behind a stop (nodes).
    first: Vec<f64>,
    home: Vec<f64>,
    most: Vec<usize>,
    /// Arcs within deliveries and within pickups by where they begin, and by where they end.
    out: Legs,
    into: Legs,
    /// Arcs from a delivery to a pickup: from, to, weight.
    turns: Vec<(usize, usize, f64)>,
    deliveries: Vec<usize>,
    pickups: Vec<usize>,
    /// Weights of all ways on from a node, times its factor (nodes, stride): zeros first.
    ahead: Vec<f64>,
    /// Weights of all ways to a node (nodes, stride): zeros last.
    behind: Vec<f64>,
}

/// Arcs as seen from one of their ends: those of a node are side by side.
#[derive(Default)]
struct Legs {
    list: Vec<Leg>,
    until: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Leg {
    /// Where the row of the other end begins, moved by what the arc takes.
    at: usize,
    weight: f64,
}

impl Legs {
    /// From arcs by their near end.
    fn new(nodes: usize, mut arcs: Vec<(usize, Leg)>) -> Self {
        arcs.sort_by_key(|(near, leg)| (*near, leg.at));
        let until = (0..nodes).map(|node| arcs.partition_point(|(near, _)| *near <= node)).collect();
        Self { list: arcs.into_iter().map(|(_, leg)| leg).collect(), until }
    }

    fn of(&self, node: usize) -> &[Leg] {
        let from = if node == 0 { 0 } else { self.until[node - 1] };
        &self.list[from..self.until[node]]
    }

    /// The weights of a node's arcs with what `rows` have at their other ends.
    fn sum(&self, node: usize, level: usize, rows: &[f64]) -> f64 {
        self.of(node).iter().fold(0.0, |sum, leg| sum + leg.weight * rows[leg.at + level])
    }
}

impl Sums {
    fn new(of: &Ensemble<'_>, begun: &Prices) -> Self {
        let (nodes, top) = (of.nodes, of.top);
        let cost = |from: usize, to: usize| f64::from(of.costs[from * nodes + to]);
        let farthest = (1..nodes).map(|stop| cost(0, stop) + cost(stop, 0)).fold(0.0, f64::max);
        let temperature =
            f64::from(begun.temperature).max(farthest / FARTHEST).max(f64::from(f32::MIN_POSITIVE));

        // What the depot's price is, stops pay by what they take.
        let all: f64 = of.takes.iter().skip(1).map(|&takes| f64::from(takes)).sum();
        let depot = f64::from(begun.rows[0] + begun.columns[0]) * f64::from(begun.amount) / all.max(1.0);
        // No stop is worth more than a route of its own costs.
        let price = |stop: usize| {
            let alone = cost(0, stop) + cost(stop, 0);
            let price = f64::from(begun.rows[stop] + begun.columns[stop]) + depot * f64::from(of.takes[stop]);
            if stop == 0 { 0.0 } else { price.clamp(-alone, alone) }
        };
        let prices: Vec<f64> = (0..nodes).map(|node| price(node) / temperature).collect();
        let gauge = |stop: usize| 0.5 * (prices[stop] + (cost(stop, 0) - cost(0, stop)) / temperature);
        let gauge: Vec<f64> = (0..nodes).map(|node| if node == 0 { 0.0 } else { gauge(node) }).collect();
        let weight = |from: usize, to: usize| {
            let gain = prices[to] - cost(from, to) / temperature + gauge[from] - gauge[to];
            gain.clamp(-FARTHEST, FARTHEST).exp()
        };

        let surprise =
            |from: usize, to: usize| of.costs[from * nodes + to] - begun.rows[from] - begun.columns[to];
        let mut arcs = least_surprising(nodes, &surprise);
        arcs.retain(|&(from, to)| of.may[from * nodes + to]);
        let (turns, arcs): (Vec<_>, Vec<_>) =
            arcs.into_iter().partition(|&(from, to)| of.gives[to] && !of.gives[from]);
        let takes = |stop: usize| usize::from(of.takes[stop]);
        let ground = (1..nodes).map(takes).max().unwrap_or(0);
        let stride = ground + top + 1;
        let out = |&(from, to): &(usize, usize)| {
            (from, Leg { at: to * stride + ground - takes(to), weight: weight(from, to) })
        };
        let into = |&(from, to): &(usize, usize)| {
            (to, Leg { at: from * stride + takes(to), weight: weight(from, to) })
        };
        let (pickups, deliveries) = (1..nodes).partition(|&stop| of.gives[stop]);
        Self {
            nodes,
            top,
            stride,
            ground,
            temperature,
            change: vec![0.0; nodes],
            speed: vec![0.0; nodes],
            factor: vec![1.0; nodes],
            first: (0..nodes).map(|stop| weight(0, stop)).collect(),
            home: (0..nodes).map(|stop| weight(stop, 0)).collect(),
            most: (0..nodes).map(|stop| top - takes(stop).min(top)).collect(),
            out: Legs::new(nodes, arcs.iter().map(out).collect()),
            into: Legs::new(nodes, arcs.iter().map(into).collect()),
            turns: turns.into_iter().map(|(from, to)| (from, to, weight(from, to))).collect(),
            deliveries,
            pickups,
            ahead: vec![0.0; nodes * stride],
            behind: vec![0.0; nodes * stride],
            prices,
            gauge,
        }
    }

    /// Sums all ways on, from the lowest level up.
    fn backward(&mut self) {
        let Self { stride, ground, .. } = *self;
        // What begins with a pickup.
        let mut turned = vec![0.0; self.nodes];
        for stops in [&self.pickups, &self.deliveries] {
            for level in 0..=self.top {
                for &stop in stops.iter().filter(|&&stop| level <= self.most[stop]) {
                    let on = self.home[stop] + turned[stop] + self.out.sum(stop, level, &self.ahead);
                    self.ahead[stop * stride + ground + level] = on * self.factor[stop];
                }
            }
            for &(from, to, weight) in &self.turns {
                turned[from] += weight * self.ahead[to * stride + ground + self.most[to]];
            }
        }
    }

    /// Sums all ways there, from the highest level down.
    fn forward(&mut self) {
        let stride = self.stride;
        let mut turned = vec![0.0; self.nodes];
        for stops in [&self.deliveries, &self.pickups] {
            for level in (0..=self.top).rev() {
                for &stop in stops.iter().filter(|&&stop| level <= self.most[stop]) {
                    let first = if level == self.most[stop] { self.first[stop] + turned[stop] } else { 0.0 };
                    let there = first + self.into.sum(stop, level, &self.behind);
                    self.behind[stop * stride + level] = there * self.factor[stop];
                }
            }
            for &(from, to, weight) in &self.turns {
                turned[to] += weight * self.behind(from).iter().sum::<f64>();
            }
        }
    }

    /// By level: all ways to a stop, and all ways on from it times its factor (top + 1).
    fn behind(&self, stop: usize) -> &[f64] {
        &self.behind[stop * self.stride..][..=self.top]
    }

    fn ahead(&self, stop: usize) -> &[f64] {
        &self.ahead[stop * self.stride + self.ground..][..=self.top]
    }

    /// On how many routes a stop is, and on how many it is the first.
    fn visits(&self, stop: usize) -> f64 {
        let levels = self.behind(stop).iter().zip(self.ahead(stop));
        levels.map(|(behind, ahead)| behind * ahead).sum::<f64>() / self.factor[stop]
    }

    fn begins(&self, stop: usize) -> f64 {
        self.first[stop] * self.ahead(stop)[self.most[stop]]
    }

    fn routes(&self) -> f64 {
        (1..self.nodes).map(|stop| self.begins(stop)).sum()
    }

    /// Changes the prices so that visits come nearer to one. What all stops lack together each mends by its part of a route.
    fn reprice(&mut self) {
        let visits: Vec<f64> = (1..self.nodes).map(|stop| self.visits(stop)).collect();
        let all: f64 = visits.iter().sum();
        let stops = visits.len().max(1) as f64;
        let lack = |visits: f64| -visits.clamp(1e-30, 1e30).ln();
        let common = lack(all / stops);
        let of_route = (all / self.routes().max(1e-30)).clamp(1.0, stops);
        for (stop, visits) in (1..).zip(visits) {
            let own = (lack(visits) - common).clamp(-2.0, 2.0);
            self.speed[stop] = MOMENTUM * self.speed[stop] + PACE * own;
            let change = self.change[stop] + self.speed[stop] + common.clamp(-4.0, 4.0) / of_route;
            self.change[stop] = change.clamp(-60.0, 60.0);
            self.factor[stop] = self.change[stop].exp();
        }
    }

    fn likely(&self, of: &Ensemble<'_>) -> Likely {
        let (nodes, levels) = (self.nodes, self.top + 1);
        let step = |at: usize| {
            let (cost, to) = (f64::from(of.costs[at]) / self.temperature, at % nodes);
            (cost - self.prices[to] - self.change[to]) as f32
        };
        let mut ahead = Vec::with_capacity(nodes * levels);
        let mut used = vec![0.0; nodes * nodes];
        ahead.resize(levels, logarithm(self.routes()) as f32);
        for stop in 1..nodes {
            // More than can be left is as much as can be.
            let most = self.most[stop];
            let of_level = |level: usize| self.ahead(stop)[level.min(most)];
            let base = self.change[stop] + self.gauge[stop];
            ahead.extend((0..levels).map(|level| (logarithm(of_level(level)) - base) as f32));

            used[stop] = self.begins(stop) as f32;
            let behind = self.behind(stop);
            used[stop * nodes] = (self.home[stop] * behind.iter().sum::<f64>()) as f32;
            for leg in self.out.of(stop) {
                let to = leg.at / self.stride;
                let ahead = self.ahead[leg.at..].iter();
                let sum: f64 = behind.iter().zip(ahead).map(|(behind, ahead)| behind * ahead).sum();
                used[stop * nodes + to] = (leg.weight * sum) as f32;
            }
        }
        for &(from, to, weight) in &self.turns {
            let behind: f64 = self.behind(from).iter().sum();
            used[from * nodes + to] = (behind * weight * self.ahead(to)[self.most[to]]) as f32;
        }
        Likely { steps: (0..nodes * nodes).map(step).collect(), ahead, used }
    }
}

/// Of a weight that may be too small for a number.
fn logarithm(weight: f64) -> f64 {
    weight.clamp(f64::MIN_POSITIVE, f64::MAX).ln()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    /// Routes with random costs and loads, every third stop a pickup if there are any.
    struct Case {
        nodes: usize,
        costs: Vec<f32>,
        may: Vec<bool>,
        top: usize,
        takes: Vec<u16>,
        gives: Vec<bool>,
    }

    impl Case {
        fn new(nodes: usize, seed: u64, with_pickups: bool) -> Self {
            let mut stream = Stream::new(seed, "routes", nodes as u64);
            let mut costs: Vec<f32> = (0..nodes * nodes).map(|_| stream.unit() as f32).collect();
            (0..nodes).for_each(|node| costs[node * nodes + node] = 0.0);
            // Shortest ways.
            for over in 0..nodes {
                for at in 0..nodes * nodes {
                    let way = costs[at / nodes * nodes + over] + costs[over * nodes + at % nodes];
                    costs[at] = costs[at].min(way);
                }
            }
            let gives: Vec<bool> = (0..nodes).map(|node| with_pickups && node % 3 == 1).collect();
            let may = (0..nodes * nodes).map(|at| !gives[at / nodes] || gives[at % nodes]).collect();
            let takes =
                (0..nodes).map(|node| if node == 0 { 0 } else { 1 + (9.0 * stream.unit()) as u16 }).collect();
            Self { nodes, costs, may, top: 50, takes, gives }
        }

        fn ensemble(&self) -> Ensemble<'_> {
            let Self { nodes, costs, may, top, takes, gives } = self;
            Ensemble { nodes: *nodes, costs, may, top: *top, takes, gives, routes: 2.0, coolness: 0.1 }
        }

        fn likely(&self) -> Likely {
            self.ensemble().likely_until(Isa::best(), &|| false).expect("not stopped")
        }
    }

    #[test]
    fn stops_are_left_as_often_as_they_are_reached_and_about_once() {
        for (nodes, seed, with_pickups) in [(20, 2, false), (40, 3, false), (60, 4, true), (101, 5, false)] {
            let case = Case::new(nodes, seed, with_pickups);
            let Likely { used, .. } = case.likely();
            let (mut routes, mut off) = (0.0, 0.0);
            for stop in 1..nodes {
                let left: f32 = used[stop * nodes..(stop + 1) * nodes].iter().sum();
                let reached: f32 = used.iter().skip(stop).step_by(nodes).sum();
                assert!((left - reached).abs() < 1e-4, "{nodes}: {left} {reached}");
                // Rounds are few.
                assert!((0.3..2.0).contains(&left), "{nodes}: {left}");
                off += (left - 1.0).abs() / (nodes - 1) as f32;
                routes += used[stop];
            }
            assert!(off < 0.2, "{nodes}: {off}");
            let ended: f32 = used.iter().step_by(nodes).sum();
            assert!((routes - ended).abs() < 1e-3, "{routes} {ended}");
            let load = |gives: bool| {
                let of = case.takes.iter().zip(&case.gives).filter(|(_, of)| **of == gives);
                of.map(|(&takes, _)| usize::from(takes)).sum::<usize>() as f32 / case.top as f32
            };
            assert!(routes > 0.9 * load(false).max(load(true)), "{routes} carry {}", load(false));
        }
    }

    /// All ways on from a stop with so much room, one by one.
    fn by_hand(case: &Case, steps: &[f32], stop: usize, room: usize) -> f64 {
        let nodes = case.nodes;
        let weight = |to: usize| f64::from(-steps[stop * nodes + to]).exp();
        let on = |to: usize| {
            if to == stop || !case.may[stop * nodes + to] {
                return 0.0;
            }
            let room = if case.gives[to] && !case.gives[stop] { case.top } else { room };
            let left = room.checked_sub(case.takes[to].into());
            left.map_or(0.0, |left| weight(to) * by_hand(case, steps, to, left))
        };
        weight(0) + (1..nodes).map(on).sum::<f64>()
    }

    #[test]
    fn ways_on_are_all_that_the_room_allows() {
        for with_pickups in [false, true] {
            let mut case = Case::new(7, 5, with_pickups);
            case.top = 12;
            let Likely { steps, ahead, .. } = case.likely();
            for stop in 1..case.nodes {
                for room in 0..=case.top - usize::from(case.takes[stop]) {
                    let (one, other) = (ahead[stop * 13 + room], by_hand(&case, &steps, stop, room).ln());
                    assert!((f64::from(one) - other).abs() < 1e-3, "{stop} with {room}: {one} {other}");
                }
            }
        }
    }

    #[test]
    fn the_order_of_the_stops_does_not_matter() {
        let case = Case::new(24, 6, true);
        let nodes = case.nodes;
        let other = |node: usize| if node == 0 { 0 } else { nodes - node };
        let turn = |at: usize| other(at / nodes) * nodes + other(at % nodes);
        let turned = Case {
            costs: (0..nodes * nodes).map(|at| case.costs[turn(at)]).collect(),
            may: (0..nodes * nodes).map(|at| case.may[turn(at)]).collect(),
            takes: (0..nodes).map(|node| case.takes[other(node)]).collect(),
            gives: (0..nodes).map(|node| case.gives[other(node)]).collect(),
            ..case
        };
        let (one, two) = (case.likely(), turned.likely());
        (0..nodes * nodes).for_each(|at| assert!((one.used[turn(at)] - two.used[at]).abs() < 1e-3));
    }

    #[test]
    fn odd_routes_give_numbers() {
        for nodes in [1, 2, 3, 30] {
            for scale in [0.0, 1e-20, 1.0, 1e20] {
                for far in [1.0, 1e6] {
                    let mut case = Case::new(nodes, 7, true);
                    for (at, cost) in case.costs.iter_mut().enumerate() {
                        *cost *= if at < nodes || at.is_multiple_of(nodes) { far * scale } else { scale };
                    }
                    case.takes.iter_mut().skip(1).step_by(2).for_each(|takes| *takes = 50);
                    let Likely { steps, ahead, used } = case.likely();
                    let all = steps.iter().chain(&ahead).chain(&used);
                    assert!(all.clone().all(|one| one.is_finite()), "{nodes} nodes, {scale}, {far}");
                }
            }
        }
    }
}
