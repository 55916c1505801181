//! Times the generators on one core.
//!
//! `cargo run --release -p radar-sample --example time_generators`

use std::time::Instant;

use radar_sample::Distribution;

/// A name, parameters, and how many instances.
type Run = (&'static str, &'static [(&'static str, &'static str)], u64);

fn main() {
    println!("closure by {:?}", radar_kernel::closure::path());
    println!("{:<11}{:<24}{:>8}{:>11}{:>14}", "name", "parameters", "count", "seconds", "ms/instance");
    let runs: [Run; 9] = [
        ("tmat", &[("n", "1000")], 5),
        ("tmat", &[("n", "100")], 10_000),
        ("acvrp", &[("n", "100")], 2000),
        ("skewed", &[("n", "100")], 2000),
        ("asymmetry", &[("n", "100")], 1000),
        ("multitask", &[("n", "100")], 2000),
        ("multitask", &[("n", "1000"), ("preset", "tight")], 5),
        ("city", &[("n", "100")], 20),
        ("city", &[("n", "1000")], 2),
    ];
    for (name, parameters, count) in runs {
        let distribution = Distribution::named(name, parameters, None).expect("a sound request");
        let start = Instant::now();
        // Looked at and let go one by one: ten thousand matrices at once would take 800 MB.
        let entries: usize =
            (0..count).map(|index| distribution.sample(1, index).problem.distance.values().len()).sum();
        let seconds = start.elapsed().as_secs_f64();
        let shown: Vec<String> = parameters.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert!(entries > 0);
        println!(
            "{name:<11}{:<24}{count:>8}{seconds:>11.3}{:>14.3}",
            shown.join(" "),
            1e3 * seconds / count as f64
        );
    }
}
