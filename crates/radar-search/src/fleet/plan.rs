//! Routes under change: where every stop is, what every stretch adds up to, and how to go back.
//!
//! Arcs are named by where they lead: the arc into a stop by the stop, the arc back to the depot of route
//! `r` by `nodes + r`. So an exchange is a list of names whatever it cuts.

use radar_bound::{Reduced, Weight};

use super::penalty::Penalties;
use super::record::{Excess, Record};
use super::yard::Yard;

/// Where an arc leads: a stop, or `nodes + route` for the way back of a route.
pub(crate) type Head = u32;

/// A place in a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    pub route: u32,
    pub place: u32,
}

/// On no route.
const NOWHERE: u32 = u32::MAX;

/// Routes with everything that moves ask for.
#[derive(Clone, Debug)]
pub(crate) struct Plan<'a, W, R> {
    pub reduced: &'a Reduced<W>,
    pub yard: &'a Yard<'a>,
    pub penalties: Penalties,
    nodes: usize,
    routes: Vec<Vec<u32>>,
    /// By head: where it is, what is before it, and what the arc into it costs.
    spots: Vec<Spot>,
    before: Vec<u32>,
    entry: Vec<W>,
    /// By stop: from the depot up to and with the stop; from the stop to the end (unless additive).
    prefix: Vec<R>,
    suffix: Vec<R>,
    single: Vec<R>,
    departure: R,
    arrival: R,
    /// By route.
    totals: Vec<R>,
    excesses: Vec<Excess>,
    fines: Vec<i64>,
    /// How many stops at the start of a route must stay.
    frozen: Vec<u32>,
    any_frozen: bool,
    /// Reduced cost of all routes, those without stops included.
    cost: i64,
    /// What the prices are worth on a plan without routes, and what each route adds.
    worth: (i64, i64),
    excess: Excess,
    fine: i64,
    /// Undo: what the routes were, and which have changed since.
    saved: Vec<Vec<u32>>,
    changed: Vec<u32>,
    is_changed: Vec<bool>,
    before_cost: i64,
    /// Stops whose neighbourhood changed.
    dirty: Vec<u32>,
    is_dirty: Vec<bool>,
    spare: Vec<Vec<u32>>,
}

impl<'a, W: Weight, R: Record> Plan<'a, W, R> {
    /// Takes routes over. Stops on none of them are nowhere; `frozen` says how many stops at the start of
    /// each route must stay (missing entries: none).
    pub fn new(
        reduced: &'a Reduced<W>,
        yard: &'a Yard<'a>,
        penalties: Penalties,
        routes: Vec<Vec<u32>>,
        frozen: &[u32],
    ) -> Self {
        let nodes = reduced.nodes();
        let departure = R::departure(yard);
        let single: Vec<R> = (0..nodes).map(|node| R::stop(yard, node)).collect();
        let suffix = if R::ADDITIVE { Vec::new() } else { single.clone() };
        let mut plan = Self {
            reduced,
            yard,
            penalties,
            nodes,
            routes: Vec::new(),
            spots: vec![Spot { route: NOWHERE, place: 0 }; nodes],
            before: vec![0; nodes],
            entry: vec![W::ZERO; nodes],
            prefix: single.clone(),
            suffix,
            single,
            departure,
            arrival: R::arrival(yard),
            totals: Vec::new(),
            excesses: Vec::new(),
            fines: Vec::new(),
            frozen: Vec::new(),
            any_frozen: frozen.iter().any(|&count| count > 0),
            cost: 0,
            worth: (reduced.worth(0), reduced.worth(1) - reduced.worth(0)),
            excess: Excess::default(),
            fine: 0,
            saved: Vec::new(),
            changed: Vec::new(),
            is_changed: Vec::new(),
            before_cost: 0,
            dirty: Vec::new(),
            is_dirty: vec![false; nodes],
            spare: vec![Vec::new(); 4],
        };
        for (route, stops) in routes.into_iter().enumerate() {
            plan.open_route(frozen.get(route).copied().unwrap_or(0));
            plan.routes[route] = stops;
            plan.refresh(route, 0);
        }
        plan.cost = plan.count_cost();
        plan.ensure_spare();
        plan
    }

    /// Adds a route without stops.
    fn open_route(&mut self, frozen: u32) {
        let route = self.routes.len();
        self.routes.push(Vec::new());
        self.saved.push(Vec::new());
        self.is_changed.push(false);
        self.totals.push(self.departure);
        self.excesses.push(Excess::default());
        self.fines.push(0);
        self.frozen.push(frozen);
        self.spots.push(Spot { route: route as u32, place: 0 });
        self.before.push(0);
        self.entry.push(self.reduced.at(0, 0));
        self.refresh(route, 0);
    }

    /// Keeps one route without stops at hand while the fleet allows.
    pub fn ensure_spare(&mut self) {
        if self.routes.len() < self.reduced.most_routes() && self.empty_route().is_none() {
            self.open_route(0);
            self.cost += self.reduced.at(0, 0).to_i64();
        }
    }

    /// A route without stops.
    pub fn empty_route(&self) -> Option<usize> {
        self.routes.iter().position(Vec::is_empty)
    }

    pub fn nodes(&self) -> usize {
        self.nodes
    }

    pub fn routes(&self) -> &[Vec<u32>] {
        &self.routes
    }

    /// The reduced cost.
    pub fn cost(&self) -> i64 {
        self.cost
    }

    /// The cost in full.
    pub fn full_cost(&self) -> i64 {
        self.cost + self.worth.0 + self.worth.1 * self.routes.len() as i64
    }

    /// What the plan breaks.
    pub fn excess(&self) -> Excess {
        self.excess
    }

    /// The fines of all routes.
    pub fn fine(&self) -> i64 {
        self.fine
    }

    /// The fine of one route.
    #[inline]
    pub fn fine_of(&self, route: usize) -> i64 {
        self.fines[route]
    }

    /// Where a head is. Means nothing for a stop on no route: ask [`Plan::is_placed`].
    #[inline(always)]
    pub fn spot(&self, head: Head) -> Spot {
        self.spots[head as usize]
    }

    /// Whether a stop is on a route.
    #[inline(always)]
    pub fn is_placed(&self, stop: usize) -> bool {
        self.spots[stop].route != NOWHERE
    }

    /// The node before a head.
    #[inline(always)]
    pub fn tail(&self, head: Head) -> usize {
        self.before[head as usize] as usize
    }

    /// The node that a head stands for.
    #[inline(always)]
    pub fn node(&self, head: Head) -> usize {
        if (head as usize) < self.nodes { head as usize } else { 0 }
    }

    /// The reduced cost of the arc into a head.
    #[inline(always)]
    pub fn entry(&self, head: Head) -> i64 {
        self.entry[head as usize].to_i64()
    }

    /// The head of the way back of a route.
    #[inline(always)]
    pub fn way_back(&self, route: usize) -> Head {
        (self.nodes + route) as Head
    }

    /// The head at a place of a route.
    #[inline(always)]
    pub fn head_at(&self, spot: Spot) -> Head {
        match self.routes[spot.route as usize].get(spot.place as usize) {
            Some(&stop) => stop,
            None => self.way_back(spot.route as usize),
        }
    }

    /// What follows a stop.
    #[inline(always)]
    pub fn after(&self, stop: usize) -> Head {
        let spot = self.spots[stop];
        self.head_at(Spot { place: spot.place + 1, ..spot })
    }

    /// Whether the arc into a head must stay.
    #[inline(always)]
    pub fn is_fixed(&self, head: Head) -> bool {
        self.any_frozen && {
            let spot = self.spots[head as usize];
            spot.place < self.frozen[spot.route as usize]
        }
    }

    /// How many stops at the start of a route must stay.
    pub fn frozen(&self, route: usize) -> usize {
        self.frozen[route] as usize
    }

    /// The reduced cost of an arc.
    #[inline(always)]
    pub fn at(&self, from: usize, to: usize) -> i64 {
        self.reduced.at(from, to).to_i64()
    }

    /// The record from the depot up to what is before `spot`.
    #[inline(always)]
    pub fn record_before(&self, spot: Spot, head: Head) -> R {
        if spot.place == 0 { self.departure } else { self.prefix[self.before[head as usize] as usize] }
    }

    /// The record from `spot` to the end of its route.
    #[inline(always)]
    pub fn record_from(&self, spot: Spot, head: Head) -> R {
        if R::ADDITIVE {
            self.totals[spot.route as usize].without(self.record_before(spot, head))
        } else if (head as usize) < self.nodes {
            self.suffix[head as usize]
        } else {
            self.arrival
        }
    }

    /// `record` (which ends in `last`) continued through the places `from..until` of a route.
    #[inline]
    pub fn continued(&self, record: R, last: usize, route: usize, from: u32, until: u32) -> R {
        let stops = &self.routes[route][from as usize..until as usize];
        if R::ADDITIVE {
            let (Some(&first), Some(&end)) = (stops.first(), stops.last()) else { return record };
            let before = self.record_before(self.spots[first as usize], first);
            let middle = self.prefix[end as usize].without(before);
            return record.join(self.yard, last, first as usize, middle);
        }
        self.through(record, last, stops.iter().copied()).0
    }

    /// `record` (which ends in `last`) continued through `stops`, and where it then ends.
    #[inline]
    pub fn through(&self, mut record: R, mut last: usize, stops: impl Iterator<Item = u32>) -> (R, usize) {
        for stop in stops {
            let stop = stop as usize;
            record = record.join(self.yard, last, stop, self.single[stop]);
            last = stop;
        }
        (record, last)
    }

    /// The record of one stop.
    #[inline(always)]
    pub fn single(&self, stop: usize) -> R {
        self.single[stop]
    }

    /// The fine of a route of this record.
    #[inline(always)]
    pub fn fine_for(&self, record: R) -> i64 {
        self.penalties.of(record.excess(self.yard))
    }

    /// Marks a node whose neighbourhood changed.
    #[inline]
    pub fn mark(&mut self, node: usize) {
        if node != 0 && node < self.nodes && !self.is_dirty[node] {
            self.is_dirty[node] = true;
            self.dirty.push(node as u32);
        }
    }

    /// Marks every stop.
    pub fn mark_all(&mut self) {
        for node in 1..self.nodes {
            self.mark(node);
        }
    }

    /// The next marked stop, which is marked no longer: the one marked last, whose surroundings are still
    /// in the cache.
    #[inline]
    pub fn next_marked(&mut self) -> Option<usize> {
        let node = self.dirty.pop()? as usize;
        self.is_dirty[node] = false;
        Some(node)
    }

    /// Forgets all marks.
    pub fn unmark(&mut self) {
        for &node in &self.dirty {
            self.is_dirty[node as usize] = false;
        }
        self.dirty.clear();
    }

    /// A cleared buffer for a new route; give it to [`Plan::replace`].
    pub fn buffer(&mut self) -> Vec<u32> {
        let mut buffer = self.spare.pop().unwrap_or_default();
        buffer.clear();
        buffer
    }

    /// Puts `stops` in the place of a route that is the same up to `from`. The caller accounts for the cost.
    pub fn replace(&mut self, route: usize, stops: Vec<u32>, from: usize) {
        self.remember(route);
        let old = std::mem::replace(&mut self.routes[route], stops);
        self.spare.push(old);
        self.refresh(route, from);
    }

    /// Changes a route in place; it stays the same up to `from`. The caller accounts for the cost.
    pub fn edit(&mut self, route: usize, from: usize, change: impl FnOnce(&mut Vec<u32>)) {
        self.remember(route);
        change(&mut self.routes[route]);
        self.refresh(route, from);
    }

    /// Takes a stop off its records after it was removed from its route.
    pub fn displace(&mut self, stop: usize) {
        self.spots[stop].route = NOWHERE;
    }

    /// Accounts for a change of reduced cost.
    #[inline]
    pub fn charge(&mut self, cost: i64) {
        self.cost += cost;
    }

    fn remember(&mut self, route: usize) {
        if !self.is_changed[route] {
            self.is_changed[route] = true;
            self.changed.push(route as u32);
            let (saved, stops) = (&mut self.saved[route], &self.routes[route]);
            saved.clear();
            saved.extend_from_slice(stops);
        }
    }

    /// Brings everything about a route up to date from place `from` on.
    fn refresh(&mut self, route: usize, from: usize) {
        let yard = self.yard;
        let stops = &self.routes[route];
        let mut last = if from == 0 { 0 } else { stops[from - 1] as usize };
        let mut record = if from == 0 { self.departure } else { self.prefix[last] };
        for (place, &stop) in stops.iter().enumerate().skip(from) {
            let stop = stop as usize;
            record = record.join(yard, last, stop, self.single[stop]);
            self.prefix[stop] = record;
            self.spots[stop] = Spot { route: route as u32, place: place as u32 };
            self.before[stop] = last as u32;
            self.entry[stop] = self.reduced.at(last, stop);
            last = stop;
        }
        let end = self.nodes + route;
        self.spots[end] = Spot { route: route as u32, place: stops.len() as u32 };
        self.before[end] = last as u32;
        self.entry[end] = self.reduced.at(last, 0);
        let total = if stops.is_empty() { record } else { record.join(yard, last, 0, self.arrival) };
        if !R::ADDITIVE {
            let (mut record, mut next) = (self.arrival, 0);
            for &stop in stops.iter().rev() {
                let stop = stop as usize;
                record = self.single[stop].join(yard, stop, next, record);
                self.suffix[stop] = record;
                next = stop;
            }
        }
        self.totals[route] = total;
        let excess = if stops.is_empty() { Excess::default() } else { total.excess(yard) };
        let fine = self.penalties.of(excess);
        self.excess.exchange(self.excesses[route], excess);
        self.fine += fine - self.fines[route];
        self.excesses[route] = excess;
        self.fines[route] = fine;
    }

    /// Keeps all changes since the last call of this or [`Plan::undo`].
    pub fn keep(&mut self) {
        for &route in &self.changed {
            self.is_changed[route as usize] = false;
        }
        self.changed.clear();
        self.before_cost = self.cost;
    }

    /// Takes all changes back.
    pub fn undo(&mut self) {
        let changed = std::mem::take(&mut self.changed);
        for &route in &changed {
            let route = route as usize;
            self.is_changed[route] = false;
            std::mem::swap(&mut self.routes[route], &mut self.saved[route]);
        }
        for &route in &changed {
            self.refresh(route as usize, 0);
        }
        self.changed = changed;
        self.changed.clear();
        self.cost = self.before_cost;
        self.unmark();
    }

    /// Lets the penalties learn from the plan as it is.
    pub fn learn(&mut self) {
        if self.penalties.learn(self.excess) {
            self.fine_anew();
        }
    }

    /// Computes all fines anew after the penalties changed.
    pub fn fine_anew(&mut self) {
        self.fine = 0;
        for route in 0..self.routes.len() {
            self.fines[route] = self.penalties.of(self.excesses[route]);
            self.fine += self.fines[route];
        }
    }

    /// The reduced cost, counted anew.
    pub fn count_cost(&self) -> i64 {
        let of_route = |stops: &Vec<u32>| {
            let nodes = stops.iter().map(|&stop| stop as usize).chain([0]);
            let mut last = 0;
            nodes.map(|node| self.at(std::mem::replace(&mut last, node), node)).sum::<i64>()
        };
        self.routes.iter().map(of_route).sum()
    }
}
