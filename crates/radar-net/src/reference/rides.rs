//! The ensemble of routes that vehicles may drive: every walk that the room allows, and where length has a limit what is left of the
//! slack, or where stops have hours what is left of the day, in 48 ticks; one recursion each way. Between two stops of a pair nobody goes straight back.

use super::Trips;
use super::hours::Hours;
use super::logs::straight;

/// Weights of all ways, by the node before (or behind) if that may not be the next one, node, level and tick: those that have been
/// asked for.
type Known = Vec<Vec<Vec<Vec<Option<f64>>>>>;

/// All walks over the stops that are left.
#[derive(Clone, Debug)]
pub(super) struct Walks {
    nodes: usize,
    top: usize,
    takes: Vec<usize>,
    gives: Vec<bool>,
    is_left: Vec<bool>,
    /// Whether an arc counts, what it costs in temperatures (N, N), the prices, and how fast they change (N).
    counts: Vec<bool>,
    /// Whether two stops are a pair (N, N).
    are_pairs: Vec<bool>,
    costs: Vec<f64>,
    prices: Vec<f64>,
    speed: Vec<f64>,
    /// The pace of that, as a part of the usual one.
    calm: f64,
    /// What arcs take of the slack, in ticks, if it counts.
    slack: Option<Slack>,
}

/// What runs out beside room.
#[derive(Clone, Debug)]
struct Slack {
    /// What arcs take of it, in ticks (N, N).
    arcs: Vec<f64>,
    /// What routes take of it at least on the average where it counts.
    idle: f64,
    /// How much is spent when nodes open, and at their last moment (N).
    windows: Option<Vec<[f64; 2]>>,
}

/// All of the slack.
const LAST: usize = 47;

impl Walks {
    fn stops(&self) -> impl Iterator<Item = usize> {
        (1..self.nodes).filter(|&stop| self.is_left[stop])
    }

    fn goes(&self, from: usize, to: usize) -> bool {
        self.counts[from * self.nodes + to]
    }

    /// Where one may not go straight back to from a stop: the other one of a pair, or nothing that is a stop.
    fn barred(&self, stop: usize, other: usize) -> usize {
        if self.are_pairs[stop * self.nodes + other] { other } else { 0 }
    }

    fn most(&self, stop: usize) -> usize {
        self.top - self.takes[stop]
    }

    /// What is left after going on to a stop, if there is room for it.
    fn left(&self, from: usize, to: usize, room: usize) -> Option<usize> {
        let room = if self.gives[to] && !self.gives[from] { self.top } else { room };
        room.checked_sub(self.takes[to])
    }

    fn weight(&self, from: usize, to: usize) -> f64 {
        (-self.costs[from * self.nodes + to]).exp()
    }

    /// The ticks that are told apart: one if slack does not count.
    fn last(&self) -> usize {
        if self.slack.is_some() { LAST } else { 0 }
    }

    /// Which ticks an arc leads to from one, and with what part: nothing if no slack allows it.
    fn moved(&self, from: usize, to: usize, tick: usize) -> Vec<(usize, f64)> {
        let takes = self.slack.as_ref().map_or(0.0, |slack| slack.arcs[from * self.nodes + to]);
        if takes > self.last() as f64 {
            return Vec::new();
        }
        let whole = takes.floor();
        let ends = [(tick + whole as usize, 1.0 - takes + whole), (tick + whole as usize + 1, takes - whole)];
        ends.into_iter().filter(|&(end, part)| end <= self.last() && part > 0.0).collect()
    }

    /// At which ticks a vehicle is let in that comes to a stop at one, and with what part: whoever is early waits.
    fn let_in(&self, stop: usize, tick: usize) -> Vec<(usize, f64)> {
        let windows = self.slack.as_ref().and_then(|slack| slack.windows.as_ref());
        let [opens, latest] = windows.map_or([0.0, f64::INFINITY], |windows| windows[stop]);
        let (opens, at) = (opens.clamp(0.0, LAST as f64), tick as f64);
        if at < opens {
            let whole = opens.floor().min((LAST - 1) as f64);
            return vec![(whole as usize, 1.0 - opens + whole), (whole as usize + 1, opens - whole)];
        }
        if at > latest + 0.5 { Vec::new() } else { vec![(tick, 1.0)] }
    }

    /// From which ticks an arc may lead to one at which a vehicle is let in: waiting aside, from one of two.
    fn ticks_before(&self, from: usize, to: usize, tick: usize) -> std::ops::Range<usize> {
        let Some(slack) = &self.slack else { return tick..tick + 1 };
        let end = (tick + 1).saturating_sub(slack.arcs[from * self.nodes + to].min(1e6) as usize);
        if slack.windows.is_some() { 0..end } else { end.saturating_sub(2)..end }
    }

    /// All ways on from a stop with so much room, when so much of the slack was spent at arrival, but for those that go straight to a
    /// barred one.
    fn on(&self, barred: usize, stop: usize, room: usize, spent: usize, known: &mut Known) -> f64 {
        if let Some(sum) = known[barred][stop][room][spent] {
            return sum;
        }
        let mut sum = 0.0;
        for (begin, share) in self.let_in(stop, spent) {
            sum += share * self.weight(stop, 0);
            for to in self.stops().filter(|&to| self.goes(stop, to) && to != barred) {
                if let Some(left) = self.left(stop, to, room) {
                    for (end, part) in self.moved(stop, to, begin) {
                        let arc = share * part * self.weight(stop, to) * self.prices[to].exp();
                        sum += arc * self.on(self.barred(to, stop), to, left, end, known);
                    }
                }
            }
        }
        known[barred][stop][room][spent] = Some(sum);
        sum
    }

    /// All ways to a stop that leave so much room after it, and have spent so much of the slack when they are let in, but for those that
    /// come straight from a barred one.
    fn there(&self, barred: usize, stop: usize, room: usize, spent: usize, known: &mut Known) -> f64 {
        if let Some(sum) = known[barred][stop][room][spent] {
            return sum;
        }
        let part = |from: usize, tick: usize| {
            let begins = self.moved(from, stop, tick).into_iter().flat_map(|(arrival, part)| {
                self.let_in(stop, arrival).into_iter().map(move |(begin, share)| (begin, part * share))
            });
            begins.filter(|begin| begin.0 == spent).map(|begin| begin.1).sum::<f64>()
        };
        let mut sum = if room == self.most(stop) { self.weight(0, stop) * part(0, 0) } else { 0.0 };
        for from in self.stops().filter(|&from| self.goes(from, stop) && from != barred) {
            let rooms = 0..=self.most(from);
            for before in rooms.filter(|&before| self.left(from, stop, before) == Some(room)) {
                for tick in self.ticks_before(from, stop, spent) {
                    let arc = part(from, tick) * self.weight(from, stop);
                    if arc > 0.0 {
                        sum += arc * self.there(self.barred(from, stop), from, before, tick, known);
                    }
                }
            }
        }
        known[barred][stop][room][spent] = Some(sum * self.prices[stop].exp());
        sum * self.prices[stop].exp()
    }

    fn unknown(&self) -> Known {
        vec![vec![vec![vec![None; self.last() + 1]; self.top + 1]; self.nodes]; self.nodes]
    }

    /// On how many routes a stop is the first.
    fn begins(&self, stop: usize, on: &mut Known) -> f64 {
        let first = self.weight(0, stop) * self.prices[stop].exp();
        let on = |(spent, part): (usize, f64)| part * self.on(0, stop, self.most(stop), spent, on);
        first * self.moved(0, stop, 0).into_iter().map(on).sum::<f64>()
    }

    /// On how many routes each stop is (N), and how many routes there are.
    fn visits(&self) -> (Vec<f64>, f64) {
        let (mut on, mut there) = (self.unknown(), self.unknown());
        let mut visits = vec![0.0; self.nodes];
        let mut routes = 0.0;
        for stop in self.stops() {
            let begins = self.begins(stop, &mut on);
            let reached = self.stops().map(|from| self.used(from, stop, &mut on, &mut there));
            visits[stop] = begins + reached.sum::<f64>();
            routes += begins;
        }
        (visits, routes)
    }

    /// How often an arc between stops is used.
    fn used(&self, from: usize, to: usize, on: &mut Known, there: &mut Known) -> f64 {
        if !(self.is_left[to] && self.goes(from, to)) {
            return 0.0;
        }
        let arc = self.weight(from, to) * self.prices[to].exp();
        let mut used = 0.0;
        for room in 0..=self.most(from) {
            for spent in 0..=self.last() {
                let Some(left) = self.left(from, to, room) else { continue };
                let there = self.there(self.barred(from, to), from, room, spent, there);
                for (end, part) in self.moved(from, to, spent) {
                    used += there * arc * part * self.on(self.barred(to, from), to, left, end, on);
                }
            }
        }
        used
    }

    fn reprice(&mut self, rounds: usize) {
        let mut before = f64::INFINITY;
        for _ in 0..rounds {
            let (visits, routes) = self.visits();
            // Slower where errors grow.
            let error = self.stops().map(|stop| visits[stop].ln().powi(2)).sum::<f64>().sqrt();
            let grows = error > 1.1 * before;
            before = error;
            self.calm = if grows { (0.7 * self.calm).max(0.05) } else { (1.15 * self.calm).min(1.0) };
            let momentum = if grows { 0.0 } else { 0.6 };
            let all = visits.iter().sum::<f64>();
            let stops = self.stops().count() as f64;
            let common = -(all / stops).ln();
            let takes = self.stops().map(|stop| self.takes[stop]).sum::<usize>();
            let full = stops * self.top as f64 / takes as f64;
            let at_least = if self.slack.is_some() { 1.0 } else { full };
            let of_route = (all / routes).max(at_least).clamp(1.0, stops);
            let pace = self.calm * (2.75 / of_route.max(full.min(stops))).min(0.25);
            for stop in self.stops().collect::<Vec<_>>() {
                let own = (-visits[stop].ln() - common).clamp(-2.0, 2.0);
                self.speed[stop] = momentum * self.speed[stop] + pace * own;
                self.prices[stop] += self.speed[stop] + common.clamp(-4.0, 4.0) / of_route;
            }
        }
    }

    /// At the prices of all stops.
    fn of(trips: &Trips) -> Self {
        let nodes = trips.nodes;
        let top = levels(trips);
        let load = |node: usize| trips.amount(0, node).max(trips.amount(1, node));
        let takes: Vec<usize> = (0..nodes)
            .map(
                |node| if node == 0 { 0 } else { ((load(node) * top as f64).round() as usize).clamp(1, top) },
            )
            .collect();
        let gives: Vec<bool> = (0..nodes).map(|node| trips.amount(1, node) > 0.0).collect();

        let plan =
            crate::mix::naive_prices(nodes, &|from, to| trips.cost(from, to), Some(trips.routes as f64), 0.1);
        let alone = |stop: usize| trips.cost(0, stop) + trips.cost(stop, 0);
        let farthest = (1..nodes).map(alone).fold(0.0, f64::max);
        let temperature = plan.temperature.max(farthest / 160.0).max(f64::from(f32::MIN_POSITIVE));
        let all = takes.iter().sum::<usize>().max(1) as f64;
        let price = |stop: usize| {
            let depot = (plan.u[0] + plan.v[0]) * plan.amount * takes[stop] as f64 / all;
            (plan.u[stop] + plan.v[stop] + depot).clamp(0.0, alone(stop)) / temperature
        };

        // The least surprising arcs out of each stop, and into it.
        let surprise = |from: usize, to: usize| trips.cost(from, to) - plan.u[from] - plan.v[to];
        let least = |count: usize| {
            let mut counts = vec![false; nodes * nodes];
            for node in 1..nodes {
                for leaves in [true, false] {
                    let arc = |other: usize| if leaves { (node, other) } else { (other, node) };
                    let mut arcs: Vec<_> = (1..nodes).filter(|&other| other != node).map(arc).collect();
                    arcs.sort_by(|&(a, b), &(c, d)| surprise(a, b).total_cmp(&surprise(c, d)));
                    arcs.into_iter().take(count).for_each(|(from, to)| counts[from * nodes + to] = true);
                }
            }
            counts.iter_mut().zip(&trips.may).for_each(|(counts, may)| *counts &= may);
            // Whoever picks up does nothing else afterwards.
            let is_backward = |at: usize| gives[at / nodes] && !gives[at % nodes];
            (0..nodes * nodes).for_each(|at| counts[at] &= !is_backward(at));
            counts
        };

        let costs: Vec<f64> = trips.costs.iter().map(|cost| cost / temperature).collect();
        let prices: Vec<f64> = (0..nodes).map(|node| if node == 0 { 0.0 } else { price(node) }).collect();
        // Those whose way there and back is worth something at the first prices.
        let pairs = |counts: &[bool]| {
            let pair = |one: usize, other: usize| {
                let (there, back) = (one * nodes + other, other * nodes + one);
                let worth = (prices[one] + prices[other] - costs[there] - costs[back]).exp();
                counts[there] && counts[back] && worth > 0.018
            };
            (0..nodes * nodes).map(|at| pair(at / nodes, at % nodes)).collect::<Vec<bool>>()
        };
        let (is_left, speed) = (vec![true; nodes], vec![0.0; nodes]);
        let slack = trips.slack();
        let has_hours = slack.as_ref().is_some_and(|slack| slack.windows.is_some());
        let (arcs, rounds) = if has_hours { (16, 60) } else { (8, 30) };
        let (counts, others) = (least(12), least(arcs));
        let (are_pairs, other_pairs) = (pairs(&counts), pairs(&others));
        let mut walks = Self {
            nodes,
            top,
            takes,
            gives,
            is_left,
            counts,
            are_pairs,
            costs,
            prices,
            speed,
            calm: 1.0,
            slack: None,
        };
        walks.reprice(60);
        if let Some(slack) = slack
            && walks.taken(&slack.arcs) >= slack.idle
        {
            walks = Self { slack: Some(slack), counts: others, are_pairs: other_pairs, ..walks };
            walks.reprice(rounds);
        }
        walks
    }

    /// What a route takes on the average, if arcs take so much (N, N).
    fn taken(&self, arcs: &[f64]) -> f64 {
        let arc = |from: usize, to: usize| arcs[from * self.nodes + to].min(LAST as f64);
        let (mut on, mut there) = (self.unknown(), self.unknown());
        let (mut all, mut routes) = (0.0, 0.0);
        for stop in self.stops() {
            let begins = self.begins(stop, &mut on);
            routes += begins;
            all += begins * arc(0, stop);
            all +=
                self.stops().map(|to| self.used(stop, to, &mut on, &mut there) * arc(stop, to)).sum::<f64>();
        }
        all / routes
    }
}

impl Trips {
    fn length(&self, from: usize, to: usize) -> f64 {
        self.lengths[from * self.nodes + to]
    }

    /// The shortest route of one stop, and how long a tick is, if length has a limit.
    fn ticks(&self) -> Option<(f64, f64)> {
        let alone = |stop: usize| self.length(0, stop) + self.length(stop, 0);
        let nearest = (1..self.nodes).map(alone).fold(f64::INFINITY, f64::min);
        let limit = self.limit?;
        Some((nearest, (limit - nearest) / LAST as f64))
            .filter(|ticks| ticks.1 > 0.0 && 1e4 * ticks.1 >= limit)
    }

    /// The hours, where they are what runs out.
    fn running(&self) -> Option<&Hours> {
        let hours = self.hours.as_ref()?;
        let instead = if hours.has_windows { hours.leave_open() } else { self.ticks().is_none() };
        instead.then_some(hours)
    }

    /// What arcs take of the slack, if anything but room runs out.
    fn slack(&self) -> Option<Slack> {
        let square = |takes: &dyn Fn(usize, usize) -> f64| {
            (0..self.nodes * self.nodes).map(|at| takes(at / self.nodes, at % self.nodes)).collect::<Vec<_>>()
        };
        if let Some(hours) = self.running() {
            let ticks = |time: f64| time / hours.end * LAST as f64;
            let arcs = square(&|from, to| match (from, to) {
                (_, 0) => 0.0,
                (0, _) => ticks(hours.drive(0, to)),
                _ => ticks(hours.service[from] + hours.drive(from, to)),
            });
            let windows = (0..self.nodes).map(|node| [ticks(hours.opens[node]), ticks(hours.latest[node])]);
            let idle = if hours.has_windows { 0.0 } else { 0.57 * LAST as f64 };
            return Some(Slack { arcs, idle, windows: Some(windows.collect()) });
        }
        let (nearest, tick) = self.ticks()?;
        let arcs = square(&|from, to| match (from, to) {
            (_, 0) => 0.0,
            (0, _) => (self.length(0, to) + self.length(to, 0) - nearest) / tick,
            _ => (self.length(from, to) + self.length(to, 0) - self.length(from, 0)).max(0.0) / tick,
        });
        Some(Slack { arcs, idle: (0.57 * self.limit? - nearest) / tick, windows: None })
    }

    /// How much of the slack a vehicle has spent when it gets to a node, in ticks, if it has gone to these stops so far.
    fn spent(&self, route: &[usize], node: usize) -> f64 {
        let stops = || route.iter().copied();
        let arcs = || std::iter::once(0).chain(stops()).zip(stops());
        let current = route.last().copied().unwrap_or(0);
        if let Some(hours) = self.running() {
            let serve = |time: f64, (from, to): (usize, usize)| {
                (time + hours.drive(from, to)).max(hours.opens[to]) + hours.service[to]
            };
            let arrival = arcs().fold(0.0, serve) + hours.drive(current, node);
            return arrival / hours.end * LAST as f64;
        }
        let driven: f64 = arcs().map(|(from, to)| self.length(from, to)).sum();
        let alone = self.length(current, node) + self.length(node, 0);
        let slack = self.ticks().map(|(_, tick)| (self.limit.unwrap_or(0.0) - driven - alone) / tick);
        LAST as f64 - slack.unwrap_or(0.0)
    }

    /// How surprising every node is as the next one (N) to a vehicle whose trajectory was at these nodes since it first left the
    /// depot, with such shares of its room left for deliveries and for pickups: what it is above the least surprising of those that
    /// are feasible, a bit each.
    pub fn surprises(&self, driven: &[usize], rooms: [f64; 2], feasible: &[bool]) -> Vec<f64> {
        let mut walks = self.walks.get_or_init(|| Walks::of(self)).clone();
        let mut route: &[usize] = driven;
        let mut served = Vec::new();
        while let Some(end) = route.iter().position(|&node| node == 0) {
            served.extend_from_slice(&route[..end]);
            route = &route[end + 1..];
            served.iter().for_each(|&stop| walks.is_left[stop] = false);
            if walks.stops().next().is_some() && end > 0 {
                let has_hours = walks.slack.as_ref().is_some_and(|slack| slack.windows.is_some());
                walks.reprice(if has_hours { 6 } else { 3 });
            }
        }
        let current = route.last().copied().unwrap_or(0);
        let (visits, _) = walks.visits();
        let (mut on, mut there) = (walks.unknown(), walks.unknown());
        let mut surprise = |node: usize| {
            let cost = walks.costs[current * self.nodes + node];
            if node == 0 {
                return cost;
            }
            let share = rooms[usize::from(walks.gives[node])];
            let room = ((share * walks.top as f64 + 1e-3).max(0.0) as usize).min(walks.top);
            // Nobody comes from those any more that the route has left behind.
            let gone = route.iter().filter(|&&stop| stop != current);
            let gone: f64 = gone.map(|&stop| walks.used(stop, node, &mut on, &mut there)).sum();
            let left = (visits[node] - gone).clamp(1e-9, 1.0);
            // Between two ticks it is both, by how near they are.
            let spent = self.spent(route, node).clamp(0.0, LAST as f64);
            let spent = if walks.slack.is_some() { spent } else { 0.0 };
            let (whole, part) = (spent.floor() as usize, spent.fract());
            let ahead = room.checked_sub(walks.takes[node]).map_or(f64::MIN_POSITIVE, |left| {
                let barred = walks.barred(node, current);
                let mut at = |tick: usize| walks.on(barred, node, left, tick.min(walks.last()), &mut on);
                (1.0 - part) * at(whole) + part * at(whole + 1)
            });
            cost - walks.prices[node] - ahead.ln() + std::f64::consts::LN_2 * straight(left)
        };
        let all: Vec<Option<f64>> =
            (0..self.nodes).map(|node| (feasible[node] || node == 0).then(|| surprise(node))).collect();
        let of_feasible =
            all.iter().zip(feasible).filter(|(_, feasible)| **feasible).filter_map(|(one, _)| *one);
        let least = of_feasible.fold(f64::INFINITY, f64::min);
        all.iter().map(|one| one.map_or(0.0, |one| straight(1.0 + (one - least).max(0.0)))).collect()
    }
}

/// The least number of levels of which every load is a multiple, or 128 if that is above 256; 128 if it is above that where length has
/// a limit or the day an end, and 24 where stops have hours; 64 if nothing is carried.
fn levels(trips: &Trips) -> usize {
    if !trips.is_bound {
        return 64;
    }
    let is_whole = |top: usize, share: f64| (share * top as f64 - (share * top as f64).round()).abs() < 1e-9;
    let shares = || (0..trips.nodes).flat_map(|node| [trips.amount(0, node), trips.amount(1, node)]);
    let (most, instead) = match (trips.running(), trips.ticks()) {
        (Some(hours), _) if hours.has_windows => (24, 24),
        (Some(_), _) | (None, Some(_)) => (128, 128),
        (None, None) => (256, 128),
    };
    (1..=most).find(|&top| shares().all(|share| is_whole(top, share))).unwrap_or(instead)
}
