//! How surprising the way there is: minus the logarithm of what goes along it when every stop must be left and
//! reached once, the depot as often as is cheapest, at nearly the least cost for all of them together. A short arc
//! may surprise, because both its ends have better; a long one may not, because nothing better is left. Arcs between
//! stops that no route can have one after the other do surprise: windows, loads and the order of deliveries and
//! pickups show here before anything is learned.

use radar_kernel::transport::Transport;
use radar_problem::Instance;

use super::{Making, Part};
use crate::input::{self, Input, may_follow};
use crate::reference::Ways;

pub(super) const PART: Part = Part { own: Some(own), held: Input::distance, naive };

/// The temperature, as a part of what an arc costs.
const COOLNESS: f32 = 0.01;

/// What an arc counts that no route can have, in dearest arcs: more than the way over the depot.
const BARRED: f64 = 2.0;

/// ln (1 + surprise) of every arc (N, N).
pub(super) fn own(making: &Making<'_>) -> Option<Vec<f32>> {
    let Making { input, instance, isa, stop, .. } = *making;
    let nodes = input.nodes();
    let (costs, depot) = match input.has_depot() {
        true => (of_routes(instance), Some(input.routes() as f32)),
        false => (of_tour(input), None),
    };
    let transport = Transport { nodes, costs: &costs, depot, coolness: COOLNESS };
    let mut surprise = transport.surprise_until(isa, stop)?;
    surprise.iter_mut().for_each(|one| *one = one.max(0.0).ln_1p());
    Some(surprise)
}

/// What every arc of a tour costs (N, N). There are always as many of them: the least may count as free.
fn of_tour(input: &Input) -> Vec<f32> {
    let (nodes, distance) = (input.nodes(), input.distance());
    let others = distance.iter().enumerate().filter(|(at, _)| at / nodes != at % nodes);
    let least = others.map(|(_, &entry)| entry).fold(f32::INFINITY, f32::min);
    let cost = |(at, &entry): (usize, &f32)| if at / nodes == at % nodes { 0.0 } else { entry - least };
    distance.iter().enumerate().map(cost).collect()
}

/// What every arc of routes costs, in mean arcs (N, N).
pub(crate) fn of_routes(instance: &Instance) -> Vec<f32> {
    let (nodes, cost) = (instance.nodes(), input::cost(instance));
    let (unit, may) = (cost.unit(), may_follow(instance));
    let mut costs = Vec::with_capacity(nodes * nodes);
    cost.each_row(|row| costs.extend(row.iter().map(|&entry| (entry / unit) as f32)));
    (0..nodes).for_each(|node| costs[node * nodes + node] = 0.0);
    let barred = BARRED as f32 * costs.iter().copied().fold(0.0, f32::max);
    costs.iter_mut().zip(may).filter(|(_, may)| !may).for_each(|(cost, _)| *cost = barred);
    costs
}

// Naively: nothing below shares code with what is above.

pub(super) fn naive(ways: &Ways<'_>) -> Vec<f64> {
    let n = ways.nodes;
    let pairs: Vec<(usize, usize)> =
        (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|(i, j)| i != j).collect();
    let least = pairs.iter().map(|&(i, j)| ways.distance(i, j)).fold(f64::INFINITY, f64::min);
    let cost = |i: usize, j: usize| match ways.trips {
        Some(trips) => trips.cost(i, j),
        None => ways.distance(i, j) - least,
    };
    let plan = naive_prices(n, &cost, ways.trips.map(|trips| trips.routes as f64), 0.01);
    if plan.temperature == 0.0 {
        return vec![0.0; n * n];
    }
    let of = |i: usize, j: usize| ((cost(i, j) - plan.u[i] - plan.v[j]) / plan.temperature).max(0.0).ln_1p();
    let most = pairs.iter().map(|&(i, j)| of(i, j)).fold(0.0, f64::max);
    (0..n * n).map(|at| if at / n == at % n { most } else { of(at / n, at % n) }).collect()
}

/// Prices of rows and columns, the last temperature, and what the first node sends and gets.
pub(crate) struct NaivePlan {
    pub u: Vec<f64>,
    pub v: Vec<f64>,
    pub temperature: f64,
    pub amount: f64,
}

/// Sinkhorn's iterations on logarithms, 20 at each temperature, which falls by halves from the mean cost to a part of what
/// an arc costs in the plan, 14 times at most. `depot` is what the first node sends and gets at least, if it is one.
pub(crate) fn naive_prices(
    n: usize,
    cost: &dyn Fn(usize, usize) -> f64,
    depot: Option<f64>,
    coolness: f64,
) -> NaivePlan {
    let pairs: Vec<(usize, usize)> =
        (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|(i, j)| i != j).collect();
    let mean = pairs.iter().map(|&(i, j)| cost(i, j)).sum::<f64>() / pairs.len() as f64;
    // More than it must if the depot's prices would together be below 0.
    let mut amount = depot.unwrap_or(1.0);
    if n < 2 || mean <= 0.0 {
        return NaivePlan { u: vec![0.0; n], v: vec![0.0; n], temperature: 0.0, amount };
    }
    let others = |node: usize| (0..n).filter(move |&other| other != node);
    let log_sum = |logs: Vec<f64>| logs.iter().map(|log| log.exp()).sum::<f64>().ln();
    let mut u: Vec<f64> =
        (0..n).map(|i| others(i).map(|j| cost(i, j)).fold(f64::INFINITY, f64::min)).collect();
    let mut v: Vec<f64> =
        (0..n).map(|j| others(j).map(|i| cost(i, j) - u[i]).fold(f64::INFINITY, f64::min)).collect();
    let mut temperature = mean;
    for halving in 0..=14 {
        let score = |i: usize, j: usize| (u[i] + v[j] - cost(i, j)) / temperature;
        let (mut f, mut g) = (vec![0.0; n], vec![0.0; n]);
        for _ in 0..20 {
            let of_first = log_sum(others(0).map(|j| score(0, j) + g[j]).collect());
            for i in 0..n {
                let share = if i == 0 { amount } else { 1.0 };
                f[i] = share.ln() - log_sum(others(i).map(|j| score(i, j) + g[j]).collect());
            }
            for j in 0..n {
                let sum = log_sum(others(j).map(|i| score(i, j) + f[i]).collect());
                if let (0, Some(least)) = (j, depot) {
                    let free = (0.5 * (of_first + sum - (u[0] + v[0]) / temperature)).exp();
                    amount = free.max(least);
                }
                g[j] = if j == 0 { amount.ln() - sum } else { -sum };
            }
        }
        let sent = |i: usize, j: usize| (score(i, j) + f[i] + g[j]).exp();
        let spent = pairs.iter().map(|&(i, j)| sent(i, j) * cost(i, j)).sum::<f64>()
            / pairs.iter().map(|&(i, j)| sent(i, j)).sum::<f64>();
        (0..n).for_each(|i| u[i] += temperature * f[i]);
        (0..n).for_each(|j| v[j] += temperature * g[j]);
        if temperature <= coolness * spent || halving == 14 {
            break;
        }
        temperature = (0.5 * temperature).max(coolness * spent);
    }
    NaivePlan { u, v, temperature, amount }
}
