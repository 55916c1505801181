//! Random small problems of every kind, most of them unpleasant.

#![allow(dead_code)]

use std::sync::atomic::{AtomicU64, Ordering};

use radar_kernel::random::Stream;
use radar_problem::{Instance, Problem, Table};

/// A table of integers: zeros and ties, small or large numbers, and pairs that cannot be driven.
pub fn table(stream: &mut Stream, nodes: usize) -> Table {
    let high = [1, 3, 20, 1000, 5_000_000_000][stream.index(5)];
    let unreachable = [0.0, 0.0, 0.1, 0.4][stream.index(4)];
    let mut values: Vec<f64> = (0..nodes * nodes).map(|_| stream.between(0, high) as f64).collect();
    if stream.chance(0.3) {
        // Closed under the triangle inequality; otherwise it breaks it nearly everywhere.
        for via in 0..nodes {
            for from in 0..nodes {
                for to in 0..nodes {
                    let detour = values[from * nodes + via] + values[via * nodes + to];
                    values[from * nodes + to] = values[from * nodes + to].min(detour);
                }
            }
        }
    }
    for value in &mut values {
        if stream.chance(unreachable) {
            *value = f64::INFINITY;
        }
    }
    Table::from_values(nodes, nodes, values)
}

/// A tour through `nodes` nodes.
pub fn tour(stream: &mut Stream, nodes: usize) -> Instance {
    Problem::atsp(table(stream, nodes)).validate().instance.expect("well formed")
}

/// Routes through `stops` stops, with any constraints.
pub fn routes(stream: &mut Stream, stops: usize) -> Instance {
    let nodes = stops + 1;
    let mut problem = Problem::vrp(table(stream, nodes));
    let finite = |table: &Table| table.values().iter().copied().filter(|v| v.is_finite()).fold(1.0, f64::max);
    let dearest = finite(&problem.distance);
    if stream.chance(0.3) {
        problem.duration = Some(table(stream, nodes));
    }
    let slowest = problem.duration.as_ref().map_or(dearest, finite);
    let list = |stream: &mut Stream, high: i64| {
        let draw = |node: usize| if node == 0 { 0.0 } else { stream.between(0, high) as f64 };
        (0..nodes).map(draw).collect::<Vec<f64>>()
    };
    if stream.chance(0.7) {
        let mut demand = list(stream, 9);
        problem.capacity = Some(stream.between(9, 30) as f64);
        if stream.chance(0.4) {
            let mut backhaul = list(stream, 9);
            for node in 0..nodes {
                let other = if stream.chance(0.5) { &mut demand } else { &mut backhaul };
                other[node] = 0.0;
            }
            problem.backhaul = Some(backhaul);
        }
        problem.demand = Some(demand);
    }
    let some = |stream: &mut Stream, least: f64, most: f64| {
        stream.between(least.floor() as i64, most.ceil() as i64) as f64
    };
    if stream.chance(0.4) {
        problem.limit = Some(some(stream, dearest, 5.0 * dearest));
    }
    if stream.chance(0.4) {
        problem.max_duration = Some(some(stream, slowest, 6.0 * slowest));
        problem.service = Some(list(stream, (slowest / 2.0) as i64));
    }
    if stream.chance(0.4) {
        let window = |node: usize| {
            let opens = some(stream, 0.0, slowest);
            let last = if node == 0 { 6.0 } else { 3.0 };
            [opens, opens + some(stream, slowest, last * slowest)]
        };
        problem.windows = Some((0..nodes).map(window).collect());
    }
    problem.open = stream.chance(0.4);
    problem.vehicles = stream.chance(0.3).then(|| stream.between(1, stops.max(1) as i64) as usize);
    problem.validate().instance.expect("well formed")
}

/// A question that is answered with yes from the `after`-th time on.
pub fn stop_after(after: u64) -> impl Fn() -> bool + Sync {
    let asked = AtomicU64::new(0);
    move || asked.fetch_add(1, Ordering::Relaxed) >= after
}
