//! Time to draw instances, on one core. Bars: a tmat of 1000 nodes in 0.3 s, 10,000 of 100 nodes in 4 s.

use radar_sample::Distribution;

use crate::Row;
use crate::timing::{alone, least};

pub fn run() -> Vec<Row> {
    let draw = |name: &str, parameters: &[(&str, &str)], count: u64, repeats: usize| {
        let distribution = Distribution::named(name, parameters, None).expect("a known distribution");
        least(repeats, || {
            alone(|| (0..count).map(|index| distribution.sample(1, index).problem.nodes()).sum::<usize>())
        })
    };
    let mut rows = vec![
        Row::at_most("tmat n=1000, one instance", draw("tmat", &[("n", "1000")], 1, 3), "CPU s", 0.3),
        Row::at_most("tmat n=100, 10,000 instances", draw("tmat", &[("n", "100")], 10_000, 1), "CPU s", 4.0),
    ];
    for (name, n, count) in [
        ("acvrp", "100", 1000),
        ("multitask", "100", 1000),
        ("asymmetry", "100", 1000),
        ("city", "100", 20),
        ("city", "500", 4),
    ] {
        let seconds = draw(name, &[("n", n)], count, 1) / count as f64;
        rows.push(Row::plain(format!("{name} n={n}, per instance of {count}"), 1000.0 * seconds, "CPU ms"));
    }
    rows
}
