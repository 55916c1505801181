//! What mix inputs are made of.

use std::sync::OnceLock;

use radar_problem::{Instance, Kind, Objective, Problem, Table};

use super::hours::Hours;
use super::rides::Walks;

/// The scaled matrices (N, N), entry by entry, and what routes are.
pub(crate) struct Ways<'a> {
    pub nodes: usize,
    pub distance: &'a [f64],
    pub duration: &'a [f64],
    /// What routes are; none of a tour.
    pub trips: Option<&'a Trips>,
}

impl Ways<'_> {
    /// The distance from a node to a node.
    pub fn distance(&self, from: usize, to: usize) -> f64 {
        self.distance[from * self.nodes + to]
    }

    /// The duration from a node to a node.
    pub fn duration(&self, from: usize, to: usize) -> f64 {
        self.duration[from * self.nodes + to]
    }

    /// A matrix (N, N) by its entries.
    pub fn matrix(&self, entry: impl Fn(usize, usize) -> f64) -> Vec<f64> {
        (0..self.nodes * self.nodes).map(|at| entry(at / self.nodes, at % self.nodes)).collect()
    }
}

/// What routes are made of: what their arcs cost, and how many routes loads need.
#[derive(Clone, Debug)]
pub struct Trips {
    pub(super) nodes: usize,
    /// (N, N)
    pub(super) costs: Vec<f64>,
    /// Whether two stops may be a route (N, N).
    pub(super) may: Vec<bool>,
    /// Whether what a vehicle holds is bounded.
    pub(super) is_bound: bool,
    /// How many routes there are at least.
    pub routes: usize,
    /// How long arcs are (N, N), and what the length of a route is limited to, if that can bind.
    pub(super) lengths: Vec<f64>,
    pub(super) limit: Option<f64>,
    /// When stops let vehicles in, if anybody can be too early or too late.
    pub(super) hours: Option<Hours>,
    /// What stops get and give, in vehicles.
    amounts: [Vec<f64>; 2],
    /// What vehicles would do, once somebody has asked.
    pub(super) walks: OnceLock<Walks>,
}

impl Trips {
    /// Those of an instance; none if it is a tour.
    pub fn of(instance: &Instance) -> Option<Self> {
        let problem = instance.input();
        let nodes = problem.nodes();
        if problem.kind == Kind::Atsp {
            return None;
        }
        let driven = match (instance.objective(), &problem.duration) {
            (Objective::Duration, Some(duration)) => duration,
            _ => &problem.distance,
        };
        let is_free = |at: usize| problem.open && at.is_multiple_of(nodes);
        let of = |table: &Table, at: usize| if is_free(at) { 0.0 } else { table.at(at / nodes, at % nodes) };
        let entries = || (0..nodes * nodes).map(|at| of(driven, at));
        let lengths: Vec<f64> = (0..nodes * nodes).map(|at| of(&problem.distance, at)).collect();
        let longest = (0..nodes * nodes).map(|at| problem.distance.at(at / nodes, at % nodes));
        let longest = longest.filter(|length| length.is_finite()).fold(0.0, f64::max);
        let limit = problem.limit.filter(|&limit| limit < nodes as f64 * longest);
        let dearest = entries().filter(|entry| entry.is_finite()).fold(0.0, f64::max);
        let may = |at: usize| match (at / nodes, at % nodes) {
            (from, to) if from > 0 && to > 0 && from != to => is_route(problem, [from, to]),
            _ => true,
        };
        let may: Vec<bool> = (0..nodes * nodes).map(may).collect();
        let cost = |(at, entry): (usize, f64)| if may[at] { entry.min(dearest) } else { 2.0 * dearest };
        let most = |amounts: &Option<Vec<f64>>| amounts.iter().flatten().sum::<f64>();
        let amount = most(&problem.demand).max(most(&problem.backhaul));
        let loads =
            problem.capacity.filter(|capacity| *capacity > 0.0).map_or(1.0, |most| (amount / most).ceil());
        let routes = loads.clamp(1.0, (nodes - 1).max(1) as f64) as usize;
        let costs = entries().enumerate().map(cost).collect();
        let amounts = [&problem.demand, &problem.backhaul].map(|amounts| vehicles(problem, amounts));
        let is_bound = problem.capacity.is_some_and(|capacity| capacity > 0.0 && capacity.is_finite());
        // Where nothing is carried, a route has 64 stops at most.
        let at_least = if is_bound { 1 } else { (nodes - 1).div_ceil(64) };
        let (hours, walks) = (Hours::of(problem, routes.max(at_least)), OnceLock::new());
        Some(Self { nodes, costs, may, is_bound, routes, lengths, limit, hours, amounts, walks })
    }

    /// What a stop gets (0) or gives (1).
    pub fn amount(&self, kind: usize, stop: usize) -> f64 {
        self.amounts[kind][stop]
    }

    /// What an arc costs.
    pub fn cost(&self, from: usize, to: usize) -> f64 {
        self.costs[from * self.nodes + to]
    }
}

/// Amounts as shares of what a vehicle holds.
fn vehicles(problem: &Problem, amounts: &Option<Vec<f64>>) -> Vec<f64> {
    let capacity = problem.capacity.filter(|&capacity| capacity > 0.0 && capacity.is_finite());
    let amount = |node: usize| amounts.as_ref().map_or(0.0, |amounts| amounts[node]);
    (0..problem.nodes()).map(|node| capacity.map_or(0.0, |capacity| amount(node) / capacity)).collect()
}

/// Whether two stops are a legal route.
fn is_route(problem: &Problem, stops: [usize; 2]) -> bool {
    let of = |list: &Option<Vec<f64>>, node: usize| list.as_ref().map_or(0.0, |list| list[node]);
    let window = |node: usize| problem.windows.as_ref().map_or([0.0, f64::INFINITY], |list| list[node]);
    let capacity = problem.capacity.unwrap_or(f64::INFINITY);
    let sum = |list: &Option<Vec<f64>>| stops.iter().map(|&stop| of(list, stop)).sum::<f64>();
    if sum(&problem.demand) > capacity || sum(&problem.backhaul) > capacity {
        return false;
    }
    if of(&problem.backhaul, stops[0]) > 0.0 && of(&problem.demand, stops[1]) > 0.0 {
        return false;
    }
    let durations = problem.duration.as_ref().unwrap_or(&problem.distance);
    let begin = window(0)[0];
    let (mut at, mut time, mut length) = (0, begin, 0.0);
    let home: &[usize] = if problem.open { &[] } else { &[0] };
    for &node in stops.iter().chain(home) {
        time += durations.at(at, node);
        length += problem.distance.at(at, node);
        if time > window(node)[1] {
            return false;
        }
        time = time.max(window(node)[0]) + of(&problem.service, node);
        at = node;
    }
    length <= problem.limit.unwrap_or(f64::INFINITY)
        && time - begin <= problem.max_duration.unwrap_or(f64::INFINITY)
}
