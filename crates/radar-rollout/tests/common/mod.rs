//! Small random problems of every variant.
#![allow(dead_code)] // every test file uses its own part

use radar_kernel::random::Stream;
use radar_problem::{Feature, Features, Instance, Problem, Table, Variant};

/// What a random problem looks like beside its variant.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    pub nodes: usize,
    /// Matrices closed under shortest paths.
    pub triangle: bool,
    /// Travel times that are not the distances.
    pub separate: bool,
    /// Chance that an arc is missing.
    pub missing: f64,
    /// A limit on the time of a route.
    pub shift: bool,
    pub vehicles: Option<usize>,
    /// How much room bounds leave above what a stop needs on its own.
    pub slack: i64,
}

impl Recipe {
    /// Closed under shortest paths, complete, bounds that bind.
    pub fn tight(nodes: usize) -> Self {
        Self { nodes, triangle: true, separate: false, missing: 0.0, shift: false, vehicles: None, slack: 12 }
    }

    /// Nothing is as it should be.
    pub fn rough(nodes: usize) -> Self {
        Self { triangle: false, separate: true, missing: 0.1, shift: true, slack: 25, ..Self::tight(nodes) }
    }
}

/// Whole numbers up to 30, zeros among them.
pub fn matrix(stream: &mut Stream, recipe: &Recipe) -> Vec<Vec<f64>> {
    let nodes = recipe.nodes;
    let mut rows = vec![vec![0.0; nodes]; nodes];
    for from in 0..nodes {
        for to in (0..nodes).filter(|&to| to != from) {
            rows[from][to] = stream.between(0, 30) as f64;
            if stream.chance(recipe.missing) {
                rows[from][to] = f64::INFINITY;
            }
        }
    }
    if recipe.triangle {
        close(&mut rows);
    }
    rows
}

/// Replaces every entry by the shortest way.
pub fn close(rows: &mut [Vec<f64>]) {
    for by in 0..rows.len() {
        for from in 0..rows.len() {
            for to in 0..rows.len() {
                rows[from][to] = rows[from][to].min(rows[from][by] + rows[by][to]);
            }
        }
    }
}

/// A problem of `variant`; bounds are drawn so that direct trips mostly just fit.
pub fn problem(stream: &mut Stream, variant: Variant, recipe: &Recipe) -> Problem {
    let distance = matrix(stream, recipe);
    let duration = if recipe.separate { matrix(stream, recipe) } else { distance.clone() };
    let mut problem = Problem::atsp(Table::from_rows(distance.clone()));
    if recipe.separate {
        problem.duration = Some(Table::from_rows(duration.clone()));
    }
    let Variant::Vrp(features) = variant else { return problem };
    problem.kind = radar_problem::Kind::Vrp;
    problem.open = features.has(Feature::Open);
    problem.vehicles = recipe.vehicles;
    amounts(stream, features, &mut problem);
    let nodes = recipe.nodes;
    let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
    let home = |rows: &[Vec<f64>], stop: usize| {
        if features.has(Feature::Open) { 0.0 } else { finite(rows[stop][0]) }
    };
    let slack = |stream: &mut Stream| stream.between(0, recipe.slack) as f64;
    if features.has(Feature::Limit) {
        let trip = |stop: usize| finite(distance[0][stop]) + home(&distance, stop);
        problem.limit = Some((1..nodes).map(trip).fold(0.0, f64::max) + slack(stream));
    }
    let depot = stream.between(0, 5) as f64;
    let mut ends = vec![0.0_f64; nodes];
    let service: Vec<f64> =
        (0..nodes).map(|node| if node == 0 { 0.0 } else { stream.between(0, 4) as f64 }).collect();
    let mut windows = vec![[depot, f64::INFINITY]];
    for stop in 1..nodes {
        let arrival = depot + finite(duration[0][stop]);
        let opens = (arrival + stream.between(-8, 8) as f64).max(0.0);
        let closes = opens.max(arrival) + slack(stream).min(stream.between(0, 20) as f64);
        let start =
            if features.has(Feature::Windows) { arrival.max(opens) } else { finite(duration[0][stop]) };
        ends[stop] = start + service[stop] + home(&duration, stop);
        windows.push([opens, if stream.chance(0.1) { f64::INFINITY } else { closes }]);
    }
    let last = ends.iter().copied().fold(0.0, f64::max);
    if features.has(Feature::Windows) {
        windows[0][1] = last + slack(stream);
        problem.windows = Some(windows);
    }
    if features.has(Feature::Windows) || recipe.shift {
        problem.service = Some(service);
    }
    if recipe.shift {
        let leave = if features.has(Feature::Windows) { depot } else { 0.0 };
        problem.max_duration = Some(last - leave + slack(stream));
    }
    problem
}

fn amounts(stream: &mut Stream, features: Features, problem: &mut Problem) {
    let nodes = problem.nodes();
    let mut demand = vec![0.0; nodes];
    let mut backhaul = vec![0.0; nodes];
    for stop in 1..nodes {
        // Now and then a stop without any amount.
        let amount = stream.between(0, 6) as f64;
        match features.has(Feature::Backhaul) && (stop == 1 || stream.chance(0.4)) {
            true => backhaul[stop] = if stop == 1 { amount.max(1.0) } else { amount },
            false => demand[stop] = amount,
        }
    }
    problem.demand = Some(demand);
    problem.backhaul = features.has(Feature::Backhaul).then_some(backhaul);
    problem.capacity = Some(stream.between(6, 14) as f64);
}

/// A random instance of `variant`, if nothing blocks it.
pub fn unblocked(seed: u64, variant: Variant, recipe: &Recipe) -> Option<Instance> {
    let mut stream = Stream::new(seed, "test", 0);
    let report = problem(&mut stream, variant, recipe).validate();
    (!report.is_blocked()).then_some(report.instance).flatten()
}

/// A random instance of `variant`, blocked or not.
pub fn any(seed: u64, variant: Variant, recipe: &Recipe) -> Instance {
    let mut stream = Stream::new(seed, "test", 0);
    problem(&mut stream, variant, recipe).validate().instance.expect("it is well formed")
}
