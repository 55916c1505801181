//! What construction alone reaches: against the exact optimum where it is known, and its time at any size.

use radar::{Options, Silent, Solver};
use radar_check::oracle;
use radar_problem::Variant;
use radar_sample::Distribution;

use crate::Row;
use crate::timing::{alone, least};

/// Instances per variant for the gap to the optimum.
const SAMPLES: u64 = 20;

pub fn run() -> Vec<Row> {
    let mut rows = Vec::new();
    for preset in ["paper", "tight"] {
        for variant in Variant::every() {
            rows.push(gap(variant, preset));
        }
    }
    for (name, n, variant) in [
        ("tmat", "100", "ATSP"),
        ("tmat", "1000", "ATSP"),
        ("tmat", "100", "ACVRP"),
        ("tmat", "1000", "ACVRP"),
        ("tmat", "1000", "AVRPTW"),
        ("city", "200", "AVRPTW"),
    ] {
        let distribution = Distribution::named(name, &[("n", n), ("variant", variant)], None).expect("known");
        let problem = distribution.sample(1, 0).problem;
        let mut cost = 0.0;
        let seconds = least(1, || {
            alone(|| cost = Solver::default().solve(problem.clone(), &Silent).expect("feasible").cost);
        });
        rows.push(Row::plain(format!("{variant} {name} n={n}: cost"), cost, ""));
        rows.push(Row::plain(format!("{variant} {name} n={n}: time"), seconds, "CPU s"));
    }
    rows
}

/// The mean gap to the optimum at the oracle's size.
fn gap(variant: Variant, preset: &str) -> Row {
    let stops = if variant == Variant::Atsp { "11" } else { "7" };
    let parameters = [("n", stops), ("variant", &variant.to_string()), ("preset", preset)];
    let distribution = Distribution::named("tmat", &parameters, None).expect("known");
    let gaps = (0..SAMPLES).map(|index| {
        let problem = distribution.sample(1, index).problem;
        let solution =
            Solver::new(Options::default()).solve(problem, &Silent).expect("feasible by construction");
        let optimum = match variant {
            Variant::Atsp => oracle::tour(&solution.instance),
            Variant::Vrp(_) => oracle::routes(&solution.instance),
        };
        let (optimum, _) = optimum.expect("feasible by construction");
        let cost = solution.verdict.scaled_cost.expect("checked");
        100.0 * (cost - optimum) as f64 / optimum as f64
    });
    let mean = gaps.sum::<f64>() / SAMPLES as f64;
    Row::plain(format!("{variant} n={stops} {preset}, gap to the optimum, {SAMPLES} instances"), mean, "%")
}
