//! What the tests of moves happen on: unpleasant instances, random plans, and plans built anew to compare.

use radar_bound::{Arcs, Reduced, Weight};
use radar_kernel::random::Stream;
use radar_problem::{Instance, Problem, Table};

use super::super::penalty::Penalties;
use super::super::plan::{Head, Plan, Spot};
use super::super::record::{Excess, Record};
use super::super::yard::Yard;
use crate::candidates::Neighbours;

/// Integers below one of several bounds, so that there are zeros and ties; some pairs cannot be driven, and
/// the triangle inequality holds nowhere.
fn table(stream: &mut Stream, nodes: usize) -> Table {
    let high = [1, 3, 20, 1000, 5_000_000_000][stream.index(5)];
    let unreachable = [0.0, 0.0, 0.1, 0.4][stream.index(4)];
    let draw = |_| match stream.chance(unreachable) {
        true => f64::INFINITY,
        false => stream.between(0, high) as f64,
    };
    Table::from_values(nodes, nodes, (0..nodes * nodes).map(draw).collect())
}

/// An instance with those of open routes, backhauls, limit and windows that `features` has a bit for.
pub fn instance(stream: &mut Stream, stops: usize, features: u64) -> Instance {
    let nodes = stops + 1;
    let mut problem = Problem::vrp(table(stream, nodes));
    if stream.chance(0.3) {
        problem.duration = Some(table(stream, nodes));
    }
    let greatest =
        |table: &Table| table.values().iter().copied().filter(|v| v.is_finite()).fold(1.0, f64::max);
    let longest = greatest(&problem.distance);
    let slowest = problem.duration.as_ref().map_or(longest, greatest);
    let some = |stream: &mut Stream, most: f64| stream.between(0, most as i64) as f64;
    let list = |stream: &mut Stream, most: f64| -> Vec<f64> {
        (0..nodes).map(|node| if node == 0 { 0.0 } else { some(stream, most) }).collect()
    };
    let (mut demand, mut backhaul) = (list(stream, 9.0), list(stream, 9.0));
    if features & 2 == 0 {
        backhaul.fill(0.0);
    }
    for node in 0..nodes {
        if stream.chance(0.5) {
            backhaul[node] = 0.0;
        }
        if backhaul[node] > 0.0 {
            demand[node] = 0.0;
        }
    }
    problem.capacity = Some(9.0 + some(stream, 20.0));
    problem.demand = Some(demand);
    problem.backhaul = (features & 2 != 0).then_some(backhaul);
    problem.open = features & 1 != 0;
    problem.limit = (features & 4 != 0).then(|| some(stream, 8.0 * longest));
    if features & 8 != 0 {
        problem.service = Some(list(stream, slowest / 2.0));
        let window = |node: usize| {
            let opens = some(stream, slowest);
            [opens, opens + some(stream, if node == 0 { 20.0 } else { 6.0 } * slowest)]
        };
        problem.windows = Some((0..nodes).map(window).collect());
    }
    problem.max_duration = stream.chance(0.2).then(|| some(stream, 8.0 * slowest));
    problem.vehicles = stream.chance(0.3).then(|| 1 + stream.index(stops));
    problem.validate().instance.expect("well formed")
}

/// What the moves of a test happen on.
pub struct Ground<'a, W> {
    pub reduced: Reduced<W>,
    pub neighbours: Neighbours<W>,
    pub yard: Yard<'a>,
}

impl<'a, W: Weight> Ground<'a, W> {
    pub fn of(instance: &'a Instance, stream: &mut Stream) -> Self {
        let arcs = Arcs::of(instance);
        let reduced =
            if stream.chance(0.8) { Reduced::by_assignment(arcs) } else { Reduced::by_minima(arcs) };
        let neighbours = Neighbours::of(&reduced, 1 + stream.index(10), None);
        Self { reduced, neighbours, yard: Yard::of(instance) }
    }

    /// Some of the stops on at most as many routes as there may be, some of them frozen.
    pub fn plan<R: Record>(&self, stream: &mut Stream, share: f64) -> Plan<'_, W, R> {
        let mut stops: Vec<u32> = (1..self.reduced.nodes() as u32).collect();
        stream.shuffle(&mut stops);
        stops.retain(|_| stream.chance(share));
        let mut routes = vec![Vec::new(); 1 + stream.index(self.reduced.most_routes())];
        for stop in stops {
            let route = stream.index(routes.len());
            routes[route].push(stop);
        }
        let freezes = stream.chance(0.3);
        let length = |route: &Vec<u32>| if freezes { stream.index(route.len() + 1) as u32 } else { 0 };
        let frozen: Vec<u32> = routes.iter().map(length).collect();
        let penalties = Penalties::new([0; 4].map(|_| stream.uniform(0.001, 50.0)));
        let mut plan = Plan::new(&self.reduced, &self.yard, penalties, routes, &frozen);
        plan.keep();
        plan
    }
}

/// The same plan, built from its routes alone.
pub fn anew<'a, W: Weight, R: Record>(plan: &Plan<'a, W, R>, routes: Vec<Vec<u32>>) -> Plan<'a, W, R> {
    let frozen: Vec<u32> = (0..routes.len()).map(|route| plan.frozen(route) as u32).collect();
    Plan::new(plan.reduced, plan.yard, plan.penalties.clone(), routes, &frozen)
}

/// All that a plan knows about a head: its spot, tail and entry, what is before it and what follows.
type Known<R> = (Head, Spot, usize, i64, R, R);

/// All that a plan knows, to compare.
#[derive(Debug, PartialEq)]
pub struct State<R> {
    routes: Vec<Vec<u32>>,
    pub sums: (i64, i64, Excess),
    pub fines: Vec<i64>,
    heads: Vec<Known<R>>,
}

impl<R: Record> State<R> {
    pub fn of<W: Weight>(plan: &Plan<'_, W, R>) -> Self {
        let known = |head: Head| {
            let spot = plan.spot(head);
            let (before, rest) = (plan.record_before(spot, head), plan.record_from(spot, head));
            (head, spot, plan.tail(head), plan.entry(head), before, rest)
        };
        let stops = (1..plan.nodes()).filter(|&stop| plan.is_placed(stop)).map(|stop| stop as Head);
        let ends = (0..plan.routes().len()).map(|route| plan.way_back(route));
        Self {
            routes: plan.routes().to_vec(),
            sums: (plan.cost(), plan.fine(), plan.excess()),
            fines: (0..plan.routes().len()).map(|route| plan.fine_of(route)).collect(),
            heads: stops.chain(ends).map(known).collect(),
        }
    }
}

/// Every sum and every record is what the routes alone make it; the beginnings are those of `before`, and
/// the same stops are on one route each.
pub fn assert_sound<W: Weight, R: Record>(plan: &Plan<'_, W, R>, before: &[Vec<u32>]) {
    let mut settled = plan.clone();
    settled.ensure_spare();
    assert_eq!(State::of(&settled), State::of(&anew(plan, plan.routes().to_vec())));
    for (route, stops) in before.iter().enumerate() {
        let frozen = plan.frozen(route);
        assert_eq!(plan.routes()[route][..frozen], stops[..frozen]);
    }
    let sorted = |routes: &[Vec<u32>]| {
        let mut stops = routes.concat();
        stops.sort_unstable();
        stops
    };
    assert_eq!(sorted(plan.routes()), sorted(before));
}
