//! Small random problems of every kind, some of them impossible.

use radar::{Feature, Features, Problem, Table};
use radar_kernel::random::Stream;

/// A problem with `stops` stops and `features`: asymmetric, often without the triangle inequality, now and
/// then with arcs missing, amounts too large, windows too early or a fleet too small.
pub fn problem(features: Features, stops: usize, seed: u64) -> Problem {
    let stream = &mut Stream::new(seed, "test problem", stops as u64);
    let nodes = stops + 1;
    let missing = if stream.chance(0.2) { 0.1 } else { 0.0 };
    let arcs = (0..nodes * nodes).map(|at| match at / nodes == at % nodes {
        true => 0.0,
        false if stream.chance(missing) => f64::INFINITY,
        false => stream.between(1, 100) as f64 / 10.0,
    });
    let distance = Table::from_values(nodes, nodes, arcs.collect());
    let backhaul = features.has(Feature::Backhaul);
    let amount: Vec<f64> =
        (0..nodes).map(|node| if node == 0 { 0.0 } else { stream.between(0, 9) as f64 }).collect();
    let picks: Vec<bool> = (0..nodes).map(|_| backhaul && stream.chance(0.4)).collect();
    let part = |wanted: bool| {
        amount.iter().zip(&picks).map(|(&a, &pick)| if pick == wanted { a } else { 0.0 }).collect()
    };
    let (demand, pickups): (Vec<f64>, Vec<f64>) = (part(false), part(true));
    let windows = features.has(Feature::Windows).then(|| {
        let mut windows = vec![[0.0, 60.0]];
        windows.extend((0..stops).map(|_| {
            let open = stream.between(0, 30) as f64;
            [open, open + stream.between(0, 15) as f64]
        }));
        windows
    });
    Problem {
        demand: Some(demand),
        backhaul: backhaul.then_some(pickups),
        capacity: Some(stream.between(8, 20) as f64),
        service: windows.as_ref().map(|_| (0..nodes).map(|node| if node == 0 { 0.0 } else { 1.5 }).collect()),
        windows,
        limit: features.has(Feature::Limit).then(|| stream.between(12, 40) as f64),
        open: features.has(Feature::Open),
        vehicles: stream.chance(0.3).then(|| stream.between(1, 3) as usize),
        ..Problem::vrp(distance)
    }
}
