//! Random small problems of every kind, most of them unpleasant, and what is asked of every outcome.

#![allow(dead_code)]

use radar_check::{check, oracle};
use radar_kernel::random::Stream;
use radar_problem::{Instance, Problem, Routes, Table};
use radar_sample::Distribution;
use radar_search::{Outcome, Pace, Request, Steps, search};

/// A table of integers: zeros and ties, small or large numbers, and pairs that cannot be driven. Breaks
/// the triangle inequality nearly everywhere.
pub fn table(stream: &mut Stream, nodes: usize) -> Table {
    let high = [1, 3, 20, 1000, 5_000_000_000][stream.index(5)];
    let unreachable = [0.0, 0.0, 0.1, 0.3][stream.index(4)];
    let draw = |_| match stream.chance(unreachable) {
        true => f64::INFINITY,
        false => stream.between(0, high) as f64,
    };
    Table::from_values(nodes, nodes, (0..nodes * nodes).map(draw).collect())
}

/// A tour through `nodes` nodes.
pub fn tour(stream: &mut Stream, nodes: usize) -> Instance {
    Problem::atsp(table(stream, nodes)).validate().instance.expect("well formed")
}

/// Routes through `stops` stops, with any constraints.
pub fn routes(stream: &mut Stream, stops: usize) -> Instance {
    let nodes = stops + 1;
    let mut problem = Problem::vrp(table(stream, nodes));
    if stream.chance(0.3) {
        problem.duration = Some(table(stream, nodes));
    }
    let greatest =
        |table: &Table| table.values().iter().copied().filter(|v| v.is_finite()).fold(1.0, f64::max);
    let longest = greatest(&problem.distance);
    let slowest = problem.duration.as_ref().map_or(longest, greatest);
    let between =
        |stream: &mut Stream, least: f64, most: f64| stream.between(least as i64, most.ceil() as i64) as f64;
    let list = |stream: &mut Stream, most: f64| -> Vec<f64> {
        (0..nodes).map(|node| if node == 0 { 0.0 } else { between(stream, 0.0, most) }).collect()
    };
    if stream.chance(0.7) {
        let (mut demand, mut backhaul) = (list(stream, 9.0), list(stream, 9.0));
        let share = [0.0, 0.0, 0.3, 0.6][stream.index(4)];
        for node in 1..nodes {
            *(if stream.chance(share) { &mut demand[node] } else { &mut backhaul[node] }) = 0.0;
        }
        problem.capacity = Some(between(stream, 9.0, 30.0));
        (problem.demand, problem.backhaul) = (Some(demand), Some(backhaul));
    }
    if stream.chance(0.4) {
        problem.limit = Some(between(stream, longest, 5.0 * longest));
    }
    if stream.chance(0.3) {
        problem.max_duration = Some(between(stream, slowest, 6.0 * slowest));
        problem.service = Some(list(stream, slowest / 2.0));
    }
    if stream.chance(0.4) {
        let window = |node: usize| {
            let opens = between(stream, 0.0, slowest);
            // Some are open for a moment only.
            let least = if node > 0 && stream.chance(0.2) { 0.0 } else { slowest };
            [opens, opens + between(stream, least, if node == 0 { 6.0 } else { 3.0 } * slowest)]
        };
        problem.windows = Some((0..nodes).map(window).collect());
    }
    problem.open = stream.chance(0.4);
    problem.vehicles = stream.chance(0.3).then(|| 1 + stream.index(stops));
    problem.validate().instance.expect("well formed")
}

/// An instance of a named distribution with these settings.
pub fn sampled(name: &str, settings: &[(&str, &str)], seed: u64, index: u64) -> Instance {
    let distribution = Distribution::named(name, settings, None).expect("known");
    distribution.sample(seed, index).problem.validate().instance.expect("well formed")
}

/// One of the multitask variants.
pub fn variant(name: &str, preset: &str, stops: usize, seed: u64, index: u64) -> Instance {
    let stops = stops.to_string();
    sampled("multitask", &[("n", stops.as_str()), ("variant", name), ("preset", preset)], seed, index)
}

/// So many steps, whatever happens.
pub fn steps(most: u64) -> Steps<'static> {
    Steps { most, cancelled: &|| false }
}

/// A search from nothing, by one.
pub fn request<'a>(instance: &'a Instance, pace: &'a dyn Pace) -> Request<'a> {
    Request { instance, starts: &[], frozen: &[], rescue: None, prior: None, searches: 1, seed: 1, pace }
}

/// Searches, and makes sure of what holds for every outcome: the plan is valid and costs what is said, what
/// is heard of falls and ends with it, and no bound is above it.
pub fn outcome(request: &Request<'_>) -> Outcome {
    let mut heard: Option<(Routes, i64)> = None;
    let outcome = search(request, &mut |routes, cost| {
        assert!(heard.as_ref().is_none_or(|&(_, before)| cost < before), "{heard:?}, then {cost}");
        heard = Some((routes.clone(), cost));
    });
    assert_eq!(outcome.routes.is_some(), outcome.cost.is_some());
    assert_eq!(heard.as_ref().map(|heard| heard.1), outcome.cost, "the best is heard of");
    if let (Some(routes), Some(cost)) = (&outcome.routes, outcome.cost) {
        let verdict = check(request.instance, routes);
        assert!(verdict.feasible(), "{routes:?}: {:?}", verdict.violations);
        assert_eq!(verdict.scaled_cost, Some(cost));
        assert!(outcome.bound <= cost, "bound {} above {cost}", outcome.bound);
        assert_eq!(outcome.optimal, outcome.bound == cost);
        let (heard, _) = heard.expect("heard of");
        assert_eq!(check(request.instance, &heard).scaled_cost, Some(cost));
    } else {
        assert!(!outcome.optimal);
    }
    outcome
}

/// The cost of the best plan, by trying all.
pub fn optimum(instance: &Instance) -> Option<(i64, Routes)> {
    if instance.is_tour() { oracle::tour(instance) } else { oracle::routes(instance) }
}
