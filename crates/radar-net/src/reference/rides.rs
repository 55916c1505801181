//! The ensemble of routes that vehicles may drive: every walk that the room allows, one recursion each way.

use super::Trips;
use super::logs::straight;

/// Weights of all ways, by node and level: those that have been asked for.
type Known = Vec<Vec<Option<f64>>>;

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
    costs: Vec<f64>,
    prices: Vec<f64>,
    speed: Vec<f64>,
}

impl Walks {
    fn stops(&self) -> impl Iterator<Item = usize> {
        (1..self.nodes).filter(|&stop| self.is_left[stop])
    }

    fn goes(&self, from: usize, to: usize) -> bool {
        self.counts[from * self.nodes + to]
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

    /// All ways on from a stop with so much room.
    fn on(&self, stop: usize, room: usize, known: &mut Known) -> f64 {
        if let Some(sum) = known[stop][room] {
            return sum;
        }
        let mut sum = self.weight(stop, 0);
        for to in self.stops().filter(|&to| self.goes(stop, to)) {
            if let Some(left) = self.left(stop, to, room) {
                sum += self.weight(stop, to) * self.prices[to].exp() * self.on(to, left, known);
            }
        }
        known[stop][room] = Some(sum);
        sum
    }

    /// All ways to a stop that leave so much room after it.
    fn there(&self, stop: usize, room: usize, known: &mut Known) -> f64 {
        if let Some(sum) = known[stop][room] {
            return sum;
        }
        let mut sum = if room == self.most(stop) { self.weight(0, stop) } else { 0.0 };
        for from in self.stops().filter(|&from| self.goes(from, stop)) {
            for before in 0..=self.most(from) {
                if self.left(from, stop, before) == Some(room) {
                    sum += self.weight(from, stop) * self.there(from, before, known);
                }
            }
        }
        known[stop][room] = Some(sum * self.prices[stop].exp());
        sum * self.prices[stop].exp()
    }

    fn unknown(&self) -> Known {
        vec![vec![None; self.top + 1]; self.nodes]
    }

    /// On how many routes each stop is (N), and how many routes there are.
    fn visits(&self) -> (Vec<f64>, f64) {
        let (mut on, mut there) = (self.unknown(), self.unknown());
        let mut visits = vec![0.0; self.nodes];
        let mut routes = 0.0;
        for stop in self.stops() {
            let by_room = |room| self.there(stop, room, &mut there) * self.on(stop, room, &mut on);
            visits[stop] = (0..=self.most(stop)).map(by_room).sum();
            let first = self.weight(0, stop) * self.prices[stop].exp();
            routes += first * self.on(stop, self.most(stop), &mut on);
        }
        (visits, routes)
    }

    /// How often an arc between stops is used.
    fn used(&self, from: usize, to: usize) -> f64 {
        if !(self.is_left[to] && self.goes(from, to)) {
            return 0.0;
        }
        let (mut on, mut there) = (self.unknown(), self.unknown());
        let arc = self.weight(from, to) * self.prices[to].exp();
        let with = |room: usize| {
            let left = self.left(from, to, room);
            left.map_or(0.0, |left| self.there(from, room, &mut there) * arc * self.on(to, left, &mut on))
        };
        (0..=self.most(from)).map(with).sum()
    }

    fn reprice(&mut self, rounds: usize) {
        for _ in 0..rounds {
            let (visits, routes) = self.visits();
            let all = visits.iter().sum::<f64>();
            let stops = self.stops().count() as f64;
            let common = -(all / stops).ln();
            let full =
                stops * self.top as f64 / self.stops().map(|stop| self.takes[stop]).sum::<usize>() as f64;
            let of_route = (all / routes).max(full).clamp(1.0, stops);
            for stop in self.stops().collect::<Vec<_>>() {
                let own = (-visits[stop].ln() - common).clamp(-2.0, 2.0);
                self.speed[stop] = 0.6 * self.speed[stop] + 0.25 * own;
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
        let temperature = plan.temperature.max(farthest / 300.0).max(f64::from(f32::MIN_POSITIVE));
        let all = takes.iter().sum::<usize>().max(1) as f64;
        let price = |stop: usize| {
            let depot = (plan.u[0] + plan.v[0]) * plan.amount * takes[stop] as f64 / all;
            (plan.u[stop] + plan.v[stop] + depot).clamp(-alone(stop), alone(stop)) / temperature
        };

        // The twelve least surprising arcs out of each stop, and into it.
        let surprise = |from: usize, to: usize| trips.cost(from, to) - plan.u[from] - plan.v[to];
        let mut counts = vec![false; nodes * nodes];
        for node in 1..nodes {
            for leaves in [true, false] {
                let arc = |other: usize| if leaves { (node, other) } else { (other, node) };
                let mut arcs: Vec<_> = (1..nodes).filter(|&other| other != node).map(arc).collect();
                arcs.sort_by(|&(a, b), &(c, d)| surprise(a, b).total_cmp(&surprise(c, d)));
                arcs.into_iter().take(12).for_each(|(from, to)| counts[from * nodes + to] = true);
            }
        }
        counts.iter_mut().zip(&trips.may).for_each(|(counts, may)| *counts &= may);

        let costs = trips.costs.iter().map(|cost| cost / temperature).collect();
        let prices = (0..nodes).map(|node| if node == 0 { 0.0 } else { price(node) }).collect();
        let (is_left, speed) = (vec![true; nodes], vec![0.0; nodes]);
        let mut walks = Self { nodes, top, takes, gives, is_left, counts, costs, prices, speed };
        walks.reprice(60);
        walks
    }
}

impl Trips {
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
                walks.reprice(3);
            }
        }
        let current = route.last().copied().unwrap_or(0);
        let (visits, _) = walks.visits();
        let mut on = walks.unknown();
        let mut surprise = |node: usize| {
            let cost = walks.costs[current * self.nodes + node];
            if node == 0 {
                return cost;
            }
            let share = rooms[usize::from(walks.gives[node])];
            let room = ((share * walks.top as f64 + 1e-3).max(0.0) as usize).min(walks.top);
            // Nobody comes from those any more that the route has left behind.
            let gone = route.iter().filter(|&&stop| stop != current).map(|&stop| walks.used(stop, node));
            let left = (visits[node] - gone.sum::<f64>()).clamp(1e-9, 1.0);
            let ahead = room
                .checked_sub(walks.takes[node])
                .map_or(f64::MIN_POSITIVE, |left| walks.on(node, left, &mut on));
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

/// The least number of levels of which every load is a multiple, or 128 if that is above 256; 64 if nothing is carried.
fn levels(trips: &Trips) -> usize {
    if !trips.is_bound {
        return 64;
    }
    let is_whole = |top: usize, share: f64| (share * top as f64 - (share * top as f64).round()).abs() < 1e-9;
    let shares = || (0..trips.nodes).flat_map(|node| [trips.amount(0, node), trips.amount(1, node)]);
    (1..=256).find(|&top| shares().all(|share| is_whole(top, share))).unwrap_or(128)
}
