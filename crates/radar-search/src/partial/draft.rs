//! Routes that need not serve every stop, with what each stretch adds up to and a way back.

use radar_problem::{Instance, Objective, UNREACHABLE};

use super::worth::Worth;
use crate::fleet::{Excess, Penalties, Record, Yard};

/// On no route.
const NOWHERE: u32 = u32::MAX;

/// Where something stands, or may be put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub route: usize,
    pub place: usize,
}

/// What a route costs and breaks. An arc that cannot be driven counts as something out of order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Toll {
    pub cost: i64,
    pub excess: Excess,
    pub fine: i64,
}

/// A plan under change. What it breaks is fined, what it leaves out is missed.
pub(super) struct Draft<'a, R> {
    yard: &'a Yard<'a>,
    instance: &'a Instance,
    /// The objective, if arcs may be missing in the table of which it is not.
    other: Option<Objective>,
    pub worth: &'a Worth,
    pub penalties: Penalties,
    /// How many routes there may be.
    most: usize,
    routes: Vec<Vec<u32>>,
    /// How many stops at the start of each route must stay.
    frozen: Vec<usize>,
    tolls: Vec<Toll>,
    /// By stop: its route and its place there, or its place in the pool.
    spots: Vec<(u32, u32)>,
    /// The stops on no route.
    pool: Vec<u32>,
    /// By stop: from the depot up to and with it; from it to the end; and itself.
    prefix: Vec<R>,
    suffix: Vec<R>,
    single: Vec<R>,
    /// Driven up to and with a stop: cost and missing arcs.
    driven: Vec<(i64, i64)>,
    /// By route: likewise, back at the depot.
    ends: Vec<(i64, i64)>,
    arrival: R,
    departure: R,
    saved: Vec<(usize, Vec<u32>)>,
    is_saved: Vec<bool>,
}

impl<'a, R: Record> Draft<'a, R> {
    /// Takes routes over; the first have `frozen` beginnings.
    pub fn new(
        yard: &'a Yard<'a>,
        worth: &'a Worth,
        penalties: Penalties,
        routes: Vec<Vec<u32>>,
        frozen: Vec<usize>,
    ) -> Self {
        let instance = yard.instance();
        let nodes = instance.nodes();
        let single: Vec<R> = (0..nodes).map(|node| R::stop(yard, node)).collect();
        let is_single = std::ptr::eq(instance.distance(), instance.duration());
        let mut draft = Self {
            yard,
            instance,
            other: (instance.has_missing_arcs() && !is_single).then(|| instance.objective()),
            worth,
            penalties,
            most: instance.vehicles().unwrap_or(nodes).min(nodes),
            routes: Vec::new(),
            frozen: Vec::new(),
            tolls: Vec::new(),
            spots: vec![(NOWHERE, 0); nodes],
            pool: Vec::new(),
            prefix: single.clone(),
            suffix: single.clone(),
            single,
            driven: vec![(0, 0); nodes],
            ends: Vec::new(),
            arrival: R::arrival(yard),
            departure: R::departure(yard),
            saved: Vec::new(),
            is_saved: Vec::new(),
        };
        for (at, stops) in routes.into_iter().enumerate() {
            draft.open_route(frozen.get(at).copied().unwrap_or(0));
            draft.routes[at] = stops;
            draft.refresh_all(at);
        }
        for stop in instance.stops() {
            if draft.spots[stop].0 == NOWHERE {
                draft.dismiss(stop);
            }
        }
        draft.ensure_spare();
        draft
    }

    /// The same with other routes; those with frozen beginnings come first in both.
    pub fn with(&self, routes: Vec<Vec<u32>>) -> Self {
        Self::new(self.yard, self.worth, self.penalties.clone(), routes, self.frozen.clone())
    }

    fn open_route(&mut self, frozen: usize) {
        self.routes.push(Vec::new());
        self.frozen.push(frozen);
        self.tolls.push(Toll::default());
        self.ends.push((0, 0));
        self.is_saved.push(false);
    }

    /// Keeps one route without stops at hand while the fleet allows.
    pub fn ensure_spare(&mut self) {
        if self.routes.len() < self.most && !self.routes.iter().any(Vec::is_empty) {
            self.open_route(0);
        }
    }

    pub fn instance(&self) -> &'a Instance {
        self.instance
    }

    pub fn routes(&self) -> &[Vec<u32>] {
        &self.routes
    }

    /// The stops on no route.
    pub fn pool(&self) -> &[u32] {
        &self.pool
    }

    pub fn frozen(&self, route: usize) -> usize {
        self.frozen[route]
    }

    pub fn toll(&self, route: usize) -> Toll {
        self.tolls[route]
    }

    /// Where a stop is, unless it is in the pool.
    pub fn spot(&self, stop: u32) -> Option<Spot> {
        let (route, place) = self.spots[stop as usize];
        (route != NOWHERE).then_some(Spot { route: route as usize, place: place as usize })
    }

    /// Whether a stop must stay where it is.
    pub fn is_frozen(&self, stop: u32) -> bool {
        self.spot(stop).is_some_and(|spot| spot.place < self.frozen[spot.route])
    }

    /// How many stops are on routes.
    pub fn served(&self) -> usize {
        self.instance.stops().len() - self.pool.len()
    }

    /// The cost of an arc and whether it is missing.
    #[inline]
    pub fn way(&self, from: usize, to: usize) -> (i64, i64) {
        if to == 0 && self.instance.is_open() || from == to {
            return (0, 0);
        }
        let cost = self.instance.cost().at(from, to);
        let is_missing = cost == UNREACHABLE
            || self.other.is_some_and(|objective| {
                let other = match objective {
                    Objective::Distance => self.instance.duration(),
                    Objective::Duration => self.instance.distance(),
                };
                other.at(from, to) == UNREACHABLE
            });
        if is_missing { (0, 1) } else { (cost, 0) }
    }

    /// How many of the two arcs that lead to a stop and on are missing, if it is put at a place in the stead
    /// of the `out` stops there.
    #[inline]
    pub fn gaps_beside(&self, spot: Spot, out: usize, stop: usize) -> i64 {
        let stops = &self.routes[spot.route];
        let last = spot.place.checked_sub(1).map_or(0, |before| stops[before] as usize);
        let next = stops.get(spot.place + out).map_or(0, |&next| next as usize);
        self.way(last, stop).1 + self.way(stop, next).1
    }

    /// What a route would cost and break with `stop` (if any) put at a place in the stead of the `out`
    /// stops there.
    #[inline]
    pub fn weigh(&self, spot: Spot, out: usize, stop: Option<usize>) -> Toll {
        let stops = &self.routes[spot.route];
        let (mut record, mut last, (mut cost, mut gaps)) = match spot.place.checked_sub(1) {
            None => (self.departure, 0, (0, 0)),
            Some(before) => {
                let before = stops[before] as usize;
                (self.prefix[before], before, self.driven[before])
            }
        };
        if let Some(stop) = stop {
            let way = self.way(last, stop);
            (cost, gaps) = (cost + way.0, gaps + way.1);
            record = record.join(self.yard, last, stop, self.single[stop]);
            last = stop;
        }
        let next = stops.get(spot.place + out).map_or(0, |&next| next as usize);
        if last == 0 && next == 0 {
            return Toll::default();
        }
        let way = self.way(last, next);
        (cost, gaps) = (cost + way.0, gaps + way.1);
        if next > 0 {
            let (whole, part) = (self.ends[spot.route], self.driven[next]);
            (cost, gaps) = (cost + whole.0 - part.0, gaps + whole.1 - part.1);
        }
        let rest = if next == 0 { self.arrival } else { self.suffix[next] };
        self.toll_of(record.join(self.yard, last, next, rest), cost, gaps)
    }

    #[inline]
    fn toll_of(&self, record: R, cost: i64, gaps: i64) -> Toll {
        let mut excess = record.excess(self.yard);
        excess.order += gaps;
        Toll { cost, excess, fine: self.penalties.of(excess) }
    }

    /// Puts `stop` (if any) at a place in the stead of the `out` stops there, which go to the pool.
    pub fn exchange(&mut self, spot: Spot, out: usize, stop: Option<usize>) {
        self.remember(spot.route);
        for at in spot.place..spot.place + out {
            self.dismiss(self.routes[spot.route][at] as usize);
        }
        if let Some(stop) = stop {
            self.admit(stop);
        }
        let range = spot.place..spot.place + out;
        self.routes[spot.route].splice(range, stop.map(|stop| stop as u32));
        self.refresh(spot.route, spot.place, spot.place + usize::from(stop.is_some()));
    }

    /// Two routes exchange what follows these places.
    pub fn cross(&mut self, one: Spot, other: Spot) {
        self.remember(one.route);
        self.remember(other.route);
        let tail = self.routes[one.route].split_off(one.place);
        let other_tail = self.routes[other.route].split_off(other.place);
        self.routes[one.route].extend(other_tail);
        self.routes[other.route].extend(tail);
        self.refresh(one.route, one.place, one.place);
        self.refresh(other.route, other.place, other.place);
    }

    /// The stretches `from..middle` and `middle..until` of a route change places.
    pub fn turn(&mut self, route: usize, from: usize, middle: usize, until: usize) {
        self.remember(route);
        self.routes[route][from..until].rotate_left(middle - from);
        self.refresh(route, from, until);
    }

    fn dismiss(&mut self, stop: usize) {
        self.spots[stop] = (NOWHERE, self.pool.len() as u32);
        self.pool.push(stop as u32);
    }

    fn admit(&mut self, stop: usize) {
        let at = self.spots[stop].1 as usize;
        self.pool.swap_remove(at);
        if let Some(&moved) = self.pool.get(at) {
            self.spots[moved as usize].1 = at as u32;
        }
    }

    fn remember(&mut self, route: usize) {
        if !std::mem::replace(&mut self.is_saved[route], true) {
            self.saved.push((route, self.routes[route].clone()));
        }
    }

    /// Keeps all changes.
    pub fn keep(&mut self) {
        for (route, _) in self.saved.drain(..) {
            self.is_saved[route] = false;
        }
        self.ensure_spare();
    }

    /// Takes back all changes since the last call of [`Draft::keep`].
    pub fn undo(&mut self) {
        let saved = std::mem::take(&mut self.saved);
        for (route, _) in &saved {
            for at in 0..self.routes[*route].len() {
                self.dismiss(self.routes[*route][at] as usize);
            }
        }
        for (route, stops) in saved {
            for &stop in &stops {
                self.admit(stop as usize);
            }
            self.routes[route] = stops;
            self.is_saved[route] = false;
            self.refresh_all(route);
        }
    }

    fn refresh_all(&mut self, route: usize) {
        self.refresh(route, 0, self.routes[route].len());
    }

    /// Brings everything about a route up to date that is new from place `from` on and the same from
    /// place `until` on, but for where it stands.
    fn refresh(&mut self, route: usize, from: usize, until: usize) {
        let stops = std::mem::take(&mut self.routes[route]);
        let (mut record, mut last, (mut cost, mut gaps)) = match from.checked_sub(1) {
            None => (self.departure, 0, (0, 0)),
            Some(before) => {
                let before = stops[before] as usize;
                (self.prefix[before], before, self.driven[before])
            }
        };
        for (place, &stop) in stops.iter().enumerate().skip(from) {
            let stop = stop as usize;
            let way = self.way(last, stop);
            (cost, gaps) = (cost + way.0, gaps + way.1);
            record = record.join(self.yard, last, stop, self.single[stop]);
            (self.prefix[stop], self.driven[stop]) = (record, (cost, gaps));
            self.spots[stop] = (route as u32, place as u32);
            last = stop;
        }
        let (mut rest, mut next) = match stops.get(until) {
            None => (self.arrival, 0),
            Some(&after) => (self.suffix[after as usize], after as usize),
        };
        for &stop in stops[..until].iter().rev() {
            let stop = stop as usize;
            rest = self.single[stop].join(self.yard, stop, next, rest);
            self.suffix[stop] = rest;
            next = stop;
        }
        let way = self.way(last, 0);
        self.ends[route] = (cost + way.0, gaps + way.1);
        self.tolls[route] = match last {
            0 => Toll::default(),
            _ => self.toll_of(record.join(self.yard, last, 0, self.arrival), cost + way.0, gaps + way.1),
        };
        self.routes[route] = stops;
    }

    /// What all routes cost and break together.
    pub fn total(&self) -> Toll {
        let mut total = Toll::default();
        for toll in &self.tolls {
            total.cost += toll.cost;
            total.fine += toll.fine;
            total.excess.exchange(Excess::default(), toll.excess);
        }
        total
    }

    /// What the search makes small: cost, fines, and what is missed.
    pub fn energy(&self) -> i64 {
        let missed: i64 = self.pool.iter().map(|&stop| self.worth.of(stop as usize)).sum();
        let total = self.total();
        self.worth.of_cost(total.cost) + total.fine + missed
    }

    /// Lets the fines learn from the plan as it is.
    pub fn learn(&mut self) {
        if self.penalties.learn(self.total().excess) {
            for toll in &mut self.tolls {
                toll.fine = self.penalties.of(toll.excess);
            }
        }
    }
}
