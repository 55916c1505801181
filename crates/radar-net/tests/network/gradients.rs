//! Gradients of log-probabilities against differences of the naive network in f64.

use radar_kernel::attention::Chosen;
use radar_kernel::isa::Isa;
use radar_kernel::random::Stream;
use radar_net::network::{Choices, EncoderTape, Network, TablesGradient, Use};
use radar_net::reference::{Case, Decoder, encode};
use radar_net::{Config, Init, Task, Term, Weights};

use crate::scene::{Scene, family, small};

/// How much a row counts.
fn of_row(row: usize) -> f32 {
    [0.7, -1.1, 0.4][row % 3]
}

/// The sum of weighted log-probabilities of the chosen nodes, naively.
fn naive(weights: &Weights, scene: &Scene, case: &Case) -> f64 {
    let encoding = encode(weights, case);
    let decoder = Decoder::new(weights, case, encoding.output());
    (0..scene.rows())
        .map(|row| {
            let probability = decoder.probabilities(&scene.naive_step(row).step())[scene.chosen[row]];
            f64::from(of_row(row)) * probability.ln()
        })
        .sum()
}

/// The log-probabilities of the chosen nodes, and the gradient of their weighted sum.
fn fused(scene: &Scene, isa: Isa) -> (Vec<f32>, Weights) {
    let config = scene.weights.config();
    let mut gradient = Weights::zeros(config);
    let network = Network::new(scene.weights.clone(), isa, Use::Training);
    let mut tape = EncoderTape::default();
    let inputs = std::slice::from_ref(&scene.input);
    let h = network.encode_taping(inputs, &mut tape);
    let tables = network.tables(&scene.input, h);
    let mut choices = Choices::default();
    tables.follow(&scene.step(), config.clip as f32, &mut choices);
    let mut of_tables = TablesGradient::new(&tables);
    let mut logs = vec![0.0; scene.rows()];
    let of_rows: Vec<f32> = (0..scene.rows()).map(of_row).collect();
    let chosen = Chosen { columns: &scene.chosen, weights: &of_rows };
    of_tables.learn(&tables, &scene.step(), choices.thoughts(), chosen, &mut logs, &mut gradient);
    let mut slopes = of_tables.finish(&tables, &mut gradient);
    network.encode_backward(inputs, &mut tape, &mut slopes, &mut gradient);
    (logs, gradient)
}

#[test]
fn gradients_point_the_same_way_on_every_instruction_set() {
    for (name, config) in family() {
        let scene = Scene::new(&config, 6, 3);
        let (_, expected) = fused(&scene, Isa::Portable);
        for isa in Isa::available() {
            let (_, found) = fused(&scene, isa);
            let dot = |a: &Weights, b: &Weights| -> f64 {
                a.values().iter().zip(b.values()).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
            };
            let cosine = dot(&found, &expected) / (dot(&found, &found) * dot(&expected, &expected)).sqrt();
            // Where nodes differ in one number only, what tiles round away is magnified.
            let least = match isa {
                Isa::Amx if config.init == Init::Demand => 0.9,
                Isa::Amx => 0.995,
                _ => 1.0 - 1e-6,
            };
            assert!(cosine > least, "{name} on {isa}: {cosine}");
        }
    }
}

#[test]
fn every_parameter_of_every_part_has_its_gradient() {
    for (name, config) in family() {
        let scene = Scene::new(&config, 6, 3);
        let case = scene.case();
        let (logs, gradient) = fused(&scene, Isa::best().precise());

        let loss: f64 =
            logs.iter().enumerate().map(|(row, &log)| f64::from(log) * f64::from(of_row(row))).sum();
        assert!((loss - naive(&scene.weights, &scene, &case)).abs() < 1e-4, "{name}");
        let mut stream = Stream::new(9, "entries", 0);
        for parameter in config.parameters() {
            let range = scene.weights.range(&parameter.name).expect("a parameter");
            for _ in 0..2 {
                let at = range.start + stream.index(range.len());
                let side = |step: f32| {
                    let mut weights = scene.weights.clone();
                    weights.values_mut()[at] += step;
                    let moved = f64::from(weights.values()[at]) - f64::from(scene.weights.values()[at]);
                    (moved, naive(&weights, &scene, &case))
                };
                // So small that hardly ever a rectifier turns between the two.
                let ((up, above), (down, below)) = (side(2e-5), side(-2e-5));
                let slope = (above - below) / (up - down);
                let found = f64::from(gradient.values()[at]);
                let allowed = 2e-3 * slope.abs().max(0.05);
                assert!((slope - found).abs() < allowed, "{name}: {} {slope} {found}", parameter.name);
            }
        }
    }
}

/// More nodes than a word of a mask has bits, more rows than pass together.
#[test]
fn gradients_of_long_trajectories_match_differences() {
    for (task, stops) in [(Task::Atsp, 67), (Task::Acvrp, 130), (Task::Vrp, 64)] {
        let config = Config { terms: Term::ALL.to_vec(), ..small(task) };
        let scene = Scene::new(&config, stops, 125);
        let case = scene.case();
        let (_, gradient) = fused(&scene, Isa::best().precise());
        let mut stream = Stream::new(3, "directions", 0);
        for _ in 0..3 {
            // Mostly along the gradient, so that no rounding hides what is missing.
            let direction: Vec<f64> =
                gradient.values().iter().map(|&slope| f64::from(slope) * stream.uniform(0.0, 2.0)).collect();
            let length = direction.iter().map(|one| one * one).sum::<f64>().sqrt();
            let side = |step: f64| {
                let mut weights = scene.weights.clone();
                let moved = weights.values_mut().iter_mut().zip(&direction);
                moved.for_each(|(weight, along)| *weight += (step * along / length) as f32);
                naive(&weights, &scene, &case)
            };
            let slope = (side(1e-3) - side(-1e-3)) / 2e-3;
            let found: f64 = gradient
                .values()
                .iter()
                .zip(&direction)
                .map(|(&slope, along)| f64::from(slope) * along)
                .sum();
            let found = found / length;
            assert!((slope - found).abs() < 1e-2 * slope.abs(), "{task}: {slope} {found}");
        }
    }
}
