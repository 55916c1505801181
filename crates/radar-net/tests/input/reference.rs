//! The input agrees with the naive reference in f64.

use radar_kernel::isa::Isa;
use radar_net::parity::{Answer, Question, Reference, Subject, run};
use radar_net::reference::{Case, Trips, marks, scale, svd};
use radar_net::{Config, Context, Draw, Init, Input, Mix, Scaling, Signs, Sketch, Task, Weights};
use radar_problem::{Feature, Features, Problem, Table, Variant};
use radar_sample::Distribution;

use super::{apart, config, configs, contexts, instance, rich, rows, see};

fn narrow(values: &[f64]) -> Vec<f32> {
    values.iter().map(|&value| value as f32).collect()
}

#[test]
fn scaled_matrices_are_those_of_the_reference() {
    for nodes in [2, 3, 10, 40] {
        let rows = rows(nodes, 7);
        let instance = instance(&Problem::atsp(Table::from_rows(rows.clone())));
        for config in configs(Task::Atsp) {
            let input = see(&config, &instance);
            let there = narrow(&scale(config.scaling, &rows.concat()));
            assert!(apart(input.distance(), &there) < 1e-6);
            for at in 0..nodes * nodes {
                assert_eq!(input.distance_back()[at], input.distance()[at % nodes * nodes + at / nodes]);
            }
        }
    }
}

#[test]
fn durations_are_scaled_by_themselves() {
    let instance = instance(&rich(8, 2));
    let config = config(Task::Vrp);
    let input = see(&config, &instance);
    let there = narrow(&scale(Scaling::ZScore, &rows(8, 102).concat()));
    let mixed = input.mixed(&config);
    assert!(apart(mixed[2], &there) < 1e-6 && apart(mixed[0], &there) > 0.1);
    assert_eq!(mixed[3][1], mixed[2][8]);
}

#[test]
fn every_mix_input_is_that_of_the_reference() {
    let (distance, duration) = (rows(8, 2).concat(), rows(8, 102).concat());
    let (timed, timeless) = (rich(8, 2), Problem { duration: None, ..rich(8, 2) });
    for (problem, duration) in [(timed, &duration), (timeless, &distance)] {
        let instance = instance(&problem);
        for mix in Mix::ALL.iter().map(|&mix| vec![mix]).chain([Mix::ALL.to_vec()]) {
            for &scaling in Scaling::ALL {
                let config = Config { mix: mix.clone(), scaling, ..config(Task::Vrp) };
                let input = see(&config, &instance);
                let trips = Trips::of(&instance);
                let naive = Case::of_routes(&config, &distance, duration, trips.as_ref(), Vec::new());
                let found = input.mixed(&config);
                assert_eq!(found.len(), mix.len());
                for ((found, naive), mix) in found.iter().zip(&naive.scores).zip(&mix) {
                    let tolerance = crate::rounding(*mix);
                    assert!(
                        apart(found, &narrow(naive)) < tolerance,
                        "{mix} {scaling}: {}",
                        apart(found, &narrow(naive))
                    );
                }
            }
        }
    }
}

#[test]
fn what_cannot_follow_surprises_in_every_variant() {
    let config = Config { mix: vec![Mix::Transport], ..config(Task::Vrp) };
    for features in Features::every() {
        for preset in ["paper", "tight"] {
            let (variant, stops) = (Variant::Vrp(features), "14");
            let name = variant.to_string();
            let parameters = [("n", stops), ("variant", &name), ("preset", preset)];
            let drawn = Distribution::named("multitask", &parameters, None).expect("ours").sample(4, 2);
            let instance = instance(&drawn.problem);
            let distance = drawn.problem.distance.values();
            let trips = Trips::of(&instance).expect("routes");
            let naive = Case::of_routes(&config, &distance, &distance, Some(&trips), Vec::new());
            let input = see(&config, &instance);
            let error = apart(input.mixed(&config)[0], &narrow(&naive.scores[0]));
            assert!(error < crate::rounding(Mix::Transport), "{variant} {preset}: {error}");
            let dearest = distance.iter().copied().fold(0.0, f64::max);
            let arcs = (0..15).flat_map(|from| (0..15).map(move |to| (from, to)));
            let barred = arcs.filter(|&(from, to)| trips.cost(from, to) > dearest).count();
            let binds = features.has(Feature::Windows) || features.has(Feature::Backhaul);
            assert!(barred > 0 || !binds, "{variant} {preset}");
        }
    }
}

#[test]
fn every_initialisation_is_that_of_the_reference() {
    let (draw, other) = (Draw { seed: 5, index: 1 }, Draw { seed: 5, index: 2 });
    // More nodes than neighbours and rank, as many, fewer.
    for nodes in [2, 5, 30] {
        let rows = rows(nodes, 8);
        let tour = instance(&Problem::atsp(Table::from_rows(rows.clone())));
        let routes =
            instance(&Problem { capacity: Some(9.0), ..Problem::vrp(Table::from_rows(rows.clone())) });
        for &init in Init::ALL {
            for (task, instance) in [(Task::Atsp, &tour), (Task::Acvrp, &routes), (Task::Vrp, &routes)] {
                let config = Config { init, sketch: Sketch::Exact, signs: Signs::Fixed, ..config(task) };
                if config.validate().is_err() {
                    continue;
                }
                let see = |draw| Input::of(&config, instance, draw, Isa::best()).expect("made for it");
                let (input, own) = (see(draw), config.init_columns());
                let scaled = scale(config.scaling, &rows.concat());
                let naive = marks(&config, &scaled, draw);
                assert_eq!(naive.columns.len(), nodes * own, "{init}");
                let found = input.features().chunks(config.columns().max(1)).flat_map(|row| &row[..own]);
                let found: Vec<f32> = found.copied().collect();
                assert!(apart(&found, &narrow(&naive.columns)) < 1e-4, "{init} {task} {nodes}");
                assert_eq!(input.units(), naive.places, "{init}");
                assert_eq!(see(other) == input, marks(&config, &scaled, other) == naive, "{init} {task}");
            }
        }
    }
}

/// Every pair of columns up to its sign.
fn up_to_signs(one: &[f32], other: &[f32], columns: usize, rank: usize) -> f32 {
    let pick = |features: &[f32], k: usize| -> Vec<f32> {
        features.chunks_exact(columns).flat_map(|row| [row[k], row[rank + k]]).collect()
    };
    let error = |k: usize| {
        let (one, other) = (pick(one, k), pick(other, k));
        let turned: Vec<f32> = other.iter().map(|x| -x).collect();
        apart(&one, &other).min(apart(&one, &turned))
    };
    (0..rank).map(error).fold(0.0, f32::max)
}

#[test]
fn exact_columns_are_those_of_the_reference() {
    for nodes in [2, 3, 12, 30] {
        let rows = rows(nodes, 8);
        let config = Config { sketch: Sketch::Exact, ..config(Task::Acvrp) };
        let demand: Vec<f64> = (0..nodes).map(|stop| (stop % 5) as f64).collect();
        let problem = Problem {
            demand: Some(demand.clone()),
            capacity: Some(9.0),
            ..Problem::vrp(Table::from_rows(rows.clone()))
        };
        let input = see(&config, &instance(&problem));
        let pairs = svd::features(&scale(Scaling::ZScore, &rows.concat()), nodes, config.rank);
        let pairs: Vec<f32> = narrow(&pairs).chunks(8).flat_map(|row| [row, &[0.0]].concat()).collect();
        assert!(up_to_signs(input.features(), &pairs, 9, 4) < 1e-4, "{nodes}");
        let total: f64 = demand.iter().sum::<f64>() + 1e-6;
        for (row, demand) in input.features().chunks_exact(9).zip(demand) {
            assert!((f64::from(row[8]) - demand / total).abs() < 1e-6);
        }
    }
}

#[test]
fn nearest_columns_rise_and_are_padded_with_the_largest() {
    let rows = rows(4, 9);
    let config = Config { init: Init::Nearest, scaling: Scaling::None, ..config(Task::Atsp) };
    let input = see(&config, &instance(&Problem::atsp(Table::from_rows(rows.clone()))));
    let sorted = |mut entries: Vec<f64>| {
        entries.sort_by(f64::total_cmp);
        entries.push(entries[3]);
        narrow(&entries)
    };
    for (node, row) in input.features().chunks_exact(10).enumerate() {
        assert_eq!(row[..5], sorted(rows[node].clone()));
        assert_eq!(row[5..], sorted(rows.iter().map(|row| row[node]).collect()));
    }
}

/// Mean durations in a unit of time.
const DRIVES: f32 = 32.0;

/// Two stops, everything bound; distances and durations of mean 7.
fn pair() -> Problem {
    let distance = vec![vec![0.0, 2.0, 4.0], vec![6.0, 0.0, 8.0], vec![10.0, 12.0, 0.0]];
    Problem {
        demand: Some(vec![0.0, 3.0, 0.0]),
        backhaul: Some(vec![0.0, 0.0, 5.0]),
        capacity: Some(10.0),
        windows: Some(vec![[100.0, 121.0], [114.0, 117.5], [90.0, f64::INFINITY]]),
        service: Some(vec![0.0, 0.7, 1.4]),
        limit: Some(14.0),
        max_duration: Some(28.0),
        ..Problem::vrp(Table::from_rows(distance))
    }
}

#[test]
fn a_stop_and_the_depot_column_by_column() {
    let config = Config { init: Init::Demand, ..config(Task::Vrp) };
    let input = see(&config, &instance(&pair()));
    let stops = [
        [0.3, 0.0, 2.0 / DRIVES, 2.5 / DRIVES, 1.0, 0.1 / DRIVES, 2.0 / 7.0, 6.0 / 7.0, 1.0, 0.0],
        [0.0, 0.5, 0.0, 0.0, 0.0, 0.2 / DRIVES, 4.0 / 7.0, 10.0 / 7.0, 0.0, 1.0],
    ];
    assert!(apart(&input.features()[10..], &stops.concat()) < 1e-6);
    let depot = [0.0, 2.0, 1.0, 3.0 / DRIVES, 1.0, 4.0 / DRIVES, 1.0, 0.003, 0.005, 1.0];
    assert!(apart(input.depot().expect("a depot"), &depot) < 1e-6);
}

#[test]
fn a_context_number_by_number() {
    let (late, left) = (24.1 / 7.0 / DRIVES, 3.9 / 7.0 / DRIVES);
    let steps = [
        [1.0, 1.0, 0.0, 0.0, 2.0, 1.0, 0.0, 4.0 / DRIVES, 1.0, 1.0, 0.5, 0.5, 1.0],
        // Arrives at 102, waits until 114, serves until 114.7.
        [0.7, 1.0, 0.0, 2.1 / DRIVES, 12.0 / 7.0, 1.0, 0.0, 1.9 / DRIVES, 1.0, 1.0, 0.5, 0.5, 0.5],
        // Leaves at 114.7, arrives at 122.7, serves until 124.1.
        [0.7, 0.5, 1.0, late, 4.0 / 7.0, 1.0, 0.0, left, 1.0, 0.0, 0.0, 0.0, 0.0],
    ];
    assert!(apart(&contexts(&config(Task::Vrp), &instance(&pair())), &steps.concat()) < 1e-6);
    let capacity = Problem { demand: pair().demand, capacity: Some(10.0), ..Problem::vrp(pair().distance) };
    assert!(apart(&contexts(&config(Task::Acvrp), &instance(&capacity)), &[1.0, 0.7, 0.7]) < 1e-6);
    let tour = instance(&Problem::atsp(pair().distance));
    assert_eq!(Context::of(&config(Task::Atsp), &tour).numbers(), 0);
}

/// The features of [`Input::of`], everything else as the reference has it.
struct Own;

impl Subject for Own {
    fn features(&self, config: &Config, question: &Question<'_>) -> Result<Vec<f64>, String> {
        let wide = |values: &[f32]| values.iter().map(|&value| f64::from(value)).collect::<Vec<f64>>();
        let distance = Table::from_rows(question.distance.chunks(question.nodes).map(wide).collect());
        let problem = match config.task {
            Task::Atsp => Problem::atsp(distance),
            _ => Problem {
                demand: Some([vec![0.0], wide(question.demand)].concat()),
                capacity: Some(1.0),
                ..Problem::vrp(distance)
            },
        };
        let config = Config { sketch: Sketch::Exact, ..config.clone() };
        Ok(wide(see(&config, &instance(&problem)).features()))
    }

    fn answer(&self, weights: &Weights, questions: &[Question<'_>]) -> Result<Vec<Answer>, String> {
        Reference.answer(weights, questions)
    }
}

#[test]
fn recorded_features_are_met() {
    for case in ["atsp20", "acvrp20"] {
        let path = format!("{}/tests/golden/{case}.safetensors", env!("CARGO_MANIFEST_DIR"));
        let report = run(&std::fs::read(path).expect("a file"), &Own).expect("a case");
        let of_features = || report.lines.iter().filter(|line| line.name.starts_with("act.features"));
        assert!(
            of_features().count() > 0 && of_features().all(|line| line.passed()),
            "{case} {:?}",
            report.lines
        );
    }
}
