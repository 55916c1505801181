//! The fused network against the naive one, and its gradients against differences, for every part of the
//! family.

mod gradients;
mod journeys;
mod laws;
mod scene;

use radar_kernel::isa::Isa;
use radar_net::network::{Choices, Network, Use};
use radar_net::reference::{Decoder, encode};
use radar_net::{Card, Checkpoint, Config, Init, Mix, Task, Term, Weights};
use radar_problem::{Features, Instance, Problem, Variant};
use radar_sample::Distribution;
use scene::{Scene, family, small, wide};

#[test]
fn every_part_matches_the_naive_network_on_every_instruction_set() {
    let large = Task::ALL.iter().map(|&task| (format!("{task}, large"), small(task), 70));
    let all = family().into_iter().map(|(name, config)| (name, config, 9)).chain(large);
    for (name, config, stops) in all {
        let scene = Scene::new(&config, stops, 3);
        let case = scene.case();
        let naive = encode(&scene.weights, &case);
        let decoder = Decoder::new(&scene.weights, &case, naive.output());
        let expected: Vec<f64> =
            (0..scene.rows()).flat_map(|row| decoder.probabilities(&scene.naive_step(row).step())).collect();
        for isa in Isa::available() {
            let network = Network::new(scene.weights.clone(), isa, Use::Inference);
            let tolerance = match isa {
                // Tiles round to bfloat16; where nodes differ in one number only, norms magnify that.
                Isa::Amx if config.init == Init::Demand => 0.3,
                Isa::Amx => 6e-2,
                _ => 1e-4,
            };
            let h = network.encode(&scene.input);
            near(&wide(&h), naive.output(), tolerance, &format!("{name} on {isa}: encoding"));
            let tables = network.tables(&scene.input, h);
            let mut choices = Choices::default();
            let compare = |choices: &Choices, how: &str| {
                let found: Vec<f32> =
                    (0..scene.rows()).flat_map(|row| choices.probabilities(row).to_vec()).collect();
                near(&wide(&found), &expected, tolerance, &format!("{name} on {isa}: {how}"));
            };
            tables.choose(&scene.step(), config.clip as f32, &mut choices);
            compare(&choices, "rows of any trajectories");
            tables.follow(&scene.step(), config.clip as f32, &mut choices);
            compare(&choices, "rows of one trajectory");
        }
    }
}

/// What routes are bound by differs from variant to variant, and so does what terms look at.
#[test]
fn terms_match_the_naive_ones_on_every_variant() {
    let config = Config { terms: Term::ALL.to_vec(), layers: 1, ..small(Task::Vrp) };
    for features in Features::every() {
        for preset in ["paper", "tight", "day"] {
            let variant = Variant::Vrp(features).to_string();
            let parameters = [("n", "12"), ("variant", variant.as_str()), ("preset", preset)];
            let law = Distribution::named("multitask", &parameters, None).expect("ours");
            let instance = law.sample(3, 1).problem.validate().instance.expect("sound");
            terms_match(&config, &instance, &format!("{variant}, {preset}"));
        }
    }
}

/// Days that end for drivers and not for the depot, and stops of which some have windows and most have none.
#[test]
fn terms_match_the_naive_ones_on_uneven_days() {
    let config = Config { terms: Term::ALL.to_vec(), layers: 1, ..small(Task::Vrp) };
    for (variant, preset) in [("AVRPTW", "day"), ("AOVRPTW", "day"), ("AVRPBLTW", "day")] {
        let parameters = [("n", "12"), ("variant", variant), ("preset", preset)];
        let law = Distribution::named("multitask", &parameters, None).expect("ours");
        let problem = law.sample(5, 2).problem;
        let windows = problem.windows.clone().expect("of hours");
        let end = windows[0][1];
        let some = windows.iter().enumerate().map(|(node, window)| match node % 4 {
            1 => *window,
            _ => [0.0, f64::INFINITY],
        });
        let mut of_some = Problem { windows: Some(some.collect()), ..problem.clone() };
        let shift = Problem { windows: None, max_duration: Some(0.5 * end), ..problem.clone() };
        let both = Problem { max_duration: Some(0.8 * end), ..problem };
        of_some.limit = None;
        for (problem, what) in [(of_some, "some windows"), (shift, "a shift"), (both, "both")] {
            let instance = problem.validate().instance.expect("sound");
            terms_match(&config, &instance, &format!("{variant}, {what}"));
        }
    }
}

fn terms_match(config: &Config, instance: &Instance, what: &str) {
    let scene = Scene::of(config, instance, 4);
    let case = scene.case();
    let naive = encode(&scene.weights, &case);
    let decoder = Decoder::new(&scene.weights, &case, naive.output());
    let network = Network::new(scene.weights.clone(), Isa::best().precise(), Use::Inference);
    let tables = network.tables(&scene.input, network.encode(&scene.input));
    let mut choices = Choices::default();
    tables.choose(&scene.step(), config.clip as f32, &mut choices);
    for row in 0..scene.rows() {
        let expected = decoder.probabilities(&scene.naive_step(row).step());
        near(&wide(choices.probabilities(row)), &expected, 1e-4, what);
    }
}

/// A network that gets more to look at is the same as long as that counts nothing.
#[test]
fn further_parts_change_nothing_until_they_are_learned() {
    let config = Config { terms: vec![Term::Edge], mix: vec![Mix::Distance], ..small(Task::Vrp) };
    let (mix, terms) = ([Mix::DistanceBack, Mix::Transport], [Term::Home, Term::Ahead]);
    let scene = Scene::new(&config, 9, 3);
    let card = Card::new("small".to_owned(), config.clone());
    let before = Checkpoint { card, weights: scene.weights.clone() };
    let after = before.extended(&mix, &terms).expect("it may grow");
    assert_eq!(after.card.config.mix.len(), 3);
    let probabilities = |weights: &Weights| {
        let input = Scene::new(weights.config(), 9, 3).input;
        let network = Network::new(weights.clone(), Isa::best().precise(), Use::Inference);
        let tables = network.tables(&input, network.encode(&input));
        let mut choices = Choices::default();
        tables.choose(&scene.step(), config.clip as f32, &mut choices);
        (0..scene.rows()).flat_map(|row| wide(choices.probabilities(row))).collect::<Vec<f64>>()
    };
    near(&probabilities(&after.weights), &probabilities(&before.weights), 1e-6, "extended");
    let twice = before.extended(&[], &[Term::Edge]).expect_err("it is there");
    assert_eq!(twice.code, "config");
}

fn near(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let error = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    // A NaN is never near.
    assert!(error <= tolerance && found.iter().all(|value| value.is_finite()), "{what}: {error:.1e}");
}
