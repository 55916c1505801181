//! The ensemble of routes that vehicles may drive: every walk that the room allows, one recursion each way.

use super::Trips;

/// What vehicles would do.
#[derive(Clone, Debug)]
pub(crate) struct Rides {
    /// Levels of room, and what each node takes of them.
    top: usize,
    takes: Vec<usize>,
    gives: Vec<bool>,
    /// What an arc costs less the price of where it ends, in temperatures (N, N).
    steps: Vec<f64>,
    /// The logarithms of all ways on, by node and level.
    ahead: Vec<Vec<f64>>,
    /// How often an arc is used (N, N).
    pub used: Vec<f64>,
}

/// Weights of all ways, by node and level: those that have been asked for.
type Known = Vec<Vec<Option<f64>>>;

struct Walks<'a> {
    nodes: usize,
    top: usize,
    takes: &'a [usize],
    gives: &'a [bool],
    /// Whether an arc counts, what it costs in temperatures (N, N), and the prices (N).
    counts: Vec<bool>,
    costs: Vec<f64>,
    prices: Vec<f64>,
}

impl Walks<'_> {
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
        for to in (1..self.nodes).filter(|to| self.counts[stop * self.nodes + to]) {
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
        for from in (1..self.nodes).filter(|from| self.counts[from * self.nodes + stop]) {
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

    /// On how many routes each stop is, and how many routes there are.
    fn visits(&self) -> (Vec<f64>, f64) {
        let (mut on, mut there) = (self.unknown(), self.unknown());
        let mut visits = Vec::new();
        let mut routes = 0.0;
        for stop in 1..self.nodes {
            let by_room = |room| self.there(stop, room, &mut there) * self.on(stop, room, &mut on);
            visits.push((0..=self.most(stop)).map(by_room).sum());
            let first = self.weight(0, stop) * self.prices[stop].exp();
            routes += first * self.on(stop, self.most(stop), &mut on);
        }
        (visits, routes)
    }
}

impl Rides {
    pub fn of(trips: &Trips) -> Self {
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
        let mut walks = Walks { nodes, top, takes: &takes, gives: &gives, counts, costs, prices };
        let mut speed = vec![0.0; nodes];
        for _ in 0..30 {
            let (visits, routes) = walks.visits();
            let all = visits.iter().sum::<f64>();
            let stops = visits.len() as f64;
            let common = -(all / stops).ln();
            for (stop, visits) in (1..).zip(visits) {
                speed[stop] = 0.6 * speed[stop] + 0.15 * (-visits.ln() - common).clamp(-2.0, 2.0);
                walks.prices[stop] +=
                    speed[stop] + common.clamp(-4.0, 4.0) / (all / routes).clamp(1.0, stops);
            }
        }

        let (mut on, mut there) = (walks.unknown(), walks.unknown());
        let mut used = vec![0.0; nodes * nodes];
        for from in 1..nodes {
            let first = walks.weight(0, from) * walks.prices[from].exp();
            used[from] = first * walks.on(from, walks.most(from), &mut on);
            for room in 0..=walks.most(from) {
                let behind = walks.there(from, room, &mut there);
                used[from * nodes] += behind * walks.weight(from, 0);
                for to in (1..nodes).filter(|to| walks.counts[from * nodes + to]) {
                    let Some(left) = walks.left(from, to, room) else { continue };
                    let arc = walks.weight(from, to) * walks.prices[to].exp();
                    used[from * nodes + to] += behind * arc * walks.on(to, left, &mut on);
                }
            }
        }
        let routes = walks.visits().1;
        let ahead = |node: usize, level: usize, known: &mut Known| match node {
            0 => routes.ln(),
            _ => walks.on(node, level.min(walks.most(node)), known).ln(),
        };
        let ahead =
            (0..nodes).map(|node| (0..=top).map(|level| ahead(node, level, &mut on)).collect()).collect();
        let steps = (0..nodes * nodes).map(|at| walks.costs[at] - walks.prices[at % nodes]).collect();
        Self { top, steps, ahead, used, takes, gives }
    }

    /// How surprising a node is as the next one, to a vehicle at `current` with such shares of its room left: all but what is the same
    /// for every node.
    pub fn surprise(&self, current: usize, rooms: [f64; 2], node: usize) -> f64 {
        let level = |of: usize| {
            let room = rooms[usize::from(self.gives[of])];
            ((room * self.top as f64 + 1e-3).max(0.0) as usize).min(self.top)
        };
        let left = level(node).saturating_sub(self.takes[node]);
        let on = if node == 0 { 0.0 } else { self.ahead[node][left] };
        self.steps[current * self.takes.len() + node] - on
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
