//! How far the least surprising arc leads by itself: tours by that rule, without any network.

use radar_kernel::assignment::{Cost, solve};
use radar_kernel::isa::Isa;
use radar_kernel::transport::Transport;
use radar_sample::Distribution;

use crate::Row;
use crate::timing::least;

/// The network's.
const COOLNESS: f32 = 0.01;

/// First nodes of each tour, evenly spread.
const STARTS: usize = 100;

pub fn run() -> Vec<Row> {
    [(100, 50), (500, 6), (1000, 3)].into_iter().flat_map(|(nodes, count)| rows(nodes, count)).collect()
}

fn rows(nodes: usize, count: u64) -> [Row; 3] {
    let text = nodes.to_string();
    let tmat = Distribution::named("tmat", &[("n", &text), ("variant", "ATSP")], None).expect("ours");
    let (mut by_surprise, mut by_cost, mut seconds) = (0.0, 0.0, f64::INFINITY);
    for index in 0..count {
        let instance = tmat.sample(5, index).problem.validate().instance.expect("sound");
        let entry = |at: usize| instance.cost().at(at / nodes, at % nodes);
        let costs: Vec<f32> = (0..nodes * nodes).map(|at| entry(at) as f32).collect();
        let mut bound: Vec<i64> = (0..nodes * nodes).map(entry).collect();
        (0..nodes).for_each(|node| bound[node * nodes + node] = i64::FORBIDDEN);
        let bound = solve(nodes, &bound).expect("there is one").cost as f64;
        let transport = Transport { nodes, costs: &costs, depot: None, coolness: COOLNESS };
        let surprise = transport.surprise(Isa::best());
        seconds = seconds.min(least(1, || transport.surprise(Isa::best())));
        by_surprise += tour(nodes, &surprise, &costs) / bound - 1.0;
        by_cost += tour(nodes, &costs, &costs) / bound - 1.0;
    }
    let percent = |sum: f64| 100.0 * sum / count as f64;
    let name = |what: &str| format!("{count} tmats of {nodes} nodes: {what}");
    [
        Row::plain(name("least surprising arc, above the assignment"), percent(by_surprise), "%"),
        Row::plain(name("nearest neighbour, above the assignment"), percent(by_cost), "%"),
        Row::plain(name("surprise of all arcs"), 1e3 * seconds, "CPU ms"),
    ]
}

/// The cost of the best tour over the starts that always goes where `amounts` are least.
fn tour(nodes: usize, amounts: &[f32], costs: &[f32]) -> f64 {
    let from = |start: usize| {
        let mut open = vec![true; nodes];
        let (mut node, mut cost) = (start, 0.0);
        open[start] = false;
        for _ in 1..nodes {
            let row = &amounts[node * nodes..(node + 1) * nodes];
            let next = (0..nodes).filter(|&to| open[to]).min_by(|&a, &b| row[a].total_cmp(&row[b]));
            let next = next.expect("some node is open");
            cost += f64::from(costs[node * nodes + next]);
            open[next] = false;
            node = next;
        }
        cost + f64::from(costs[node * nodes + start])
    };
    (0..nodes).step_by((nodes / STARTS).max(1)).map(from).fold(f64::INFINITY, f64::min)
}
