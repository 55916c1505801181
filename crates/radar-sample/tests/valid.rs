//! Whatever is drawn is a sound problem that can be solved: each stop can be served on its own.

mod common;

use radar_check::check;
use radar_problem::{Problem, Routes};

/// No finding at all: not even a value that is rounded, nor a direct arc that is too late.
fn assert_sound(name: &str, problem: Problem) {
    let report = problem.validate();
    assert!(report.findings.is_empty(), "{name}: {}", report.findings[0]);
    let instance = report.instance.expect("no finding");
    let alone = match instance.is_tour() {
        true => vec![instance.stops().collect()],
        false => instance.stops().map(|stop| vec![stop]).collect(),
    };
    let verdict = check(&instance, &Routes(alone));
    assert!(verdict.feasible(), "{name}: {:?}", verdict.violations);
    let scales = instance.scales();
    assert!(scales.distance.is_exact() && scales.duration.is_exact() && scales.amount.is_exact());
    assert!(scales.amount.digits() == 0, "{name}: amounts are whole");
}

#[test]
fn every_choice_at_many_sizes() {
    for (stops, seed) in [(1, 1), (2, 2), (3, 3), (4, 0), (9, 4), (20, 5), (60, 6)] {
        for (name, distribution, expected) in common::every(stops) {
            // Cities take most of the time, and their features are put on as on roads: two sizes do.
            let indices = match (name.starts_with("city"), stops) {
                (true, 2 | 20) => 0..1,
                (true, _) => 0..0,
                (false, _) => 0..4,
            };
            for index in indices {
                let sample = distribution.sample(seed, index);
                let problem = sample.problem.clone();
                if let Some(expected) = expected {
                    let instance = problem.clone().validate().instance.expect("no error");
                    assert_eq!(instance.variant(), expected, "{name}");
                    assert_eq!(instance.stops().len(), stops, "{name}");
                }
                assert_sound(&format!("{name}, seed {seed}, {index}"), problem);
            }
        }
    }
}

#[test]
fn every_size_to_sixty() {
    for stops in 1..=60 {
        let stops_text = stops.to_string();
        for preset in ["paper", "tight", "day"] {
            let parameters = [("n", stops_text.as_str()), ("variant", "mix"), ("preset", preset)];
            for name in ["multitask", "asymmetry", "roads"] {
                for sample in common::named(name, &parameters).sample_many(8, 0..16) {
                    assert_eq!(sample.problem.nodes(), stops + 1);
                    assert_sound(&format!("{name} {preset} {stops}"), sample.problem);
                }
            }
        }
    }
}

#[test]
fn sizes_beyond_the_roads_are_refused() {
    let most = common::roads().nodes();
    let make = |stops: usize, variant: &str| {
        let parameters = [("n", stops.to_string()), ("variant", variant.to_owned())];
        let parameters = parameters.each_ref().map(|(key, value)| (*key, value.as_str()));
        radar_sample::Distribution::named("roads", &parameters, Some(common::roads())).is_ok()
    };
    assert_eq!([most - 1, most, most + 1].map(|stops| make(stops, "ATSP")), [true, true, false]);
    assert_eq!([most - 1, most, most + 1].map(|stops| make(stops, "ACVRP")), [true, false, false]);
}
