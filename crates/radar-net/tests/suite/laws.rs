//! Laws that the network obeys whatever its weights, on the reference.

use radar_kernel::random::Stream;
use radar_net::reference::{Case, Decoder, Encoding, Step, encode, scale, svd};
use radar_net::{Config, Ends, Init, Mix, Normalisation, Scaling, Task, Term, Weights};

const NODES: usize = 9;

fn small(task: Task) -> Config {
    Config { task, width: 16, heads: 4, layers: 2, hidden: 24, mix_hidden: 8, rank: 4, ..Config::default() }
}

fn matrix(seed: u64) -> Vec<f64> {
    let mut stream = Stream::new(seed, "matrix", 0);
    (0..NODES * NODES).map(|at| if at % (NODES + 1) == 0 { 0.0 } else { stream.uniform(0.1, 1.0) }).collect()
}

fn numbers(count: usize, seed: u64) -> Vec<f64> {
    let mut stream = Stream::new(seed, "numbers", 0);
    (0..count).map(|_| stream.normal()).collect()
}

fn transposed(matrix: &[f64]) -> Vec<f64> {
    (0..NODES * NODES).map(|at| matrix[at % NODES * NODES + at / NODES]).collect()
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn encoded(weights: &Weights, distance: &[f64], features: &[f64]) -> Encoding {
    encode(weights, &Case::new(weights.config(), distance, distance, features.to_vec()))
}

/// Exchanges two stretches of equal length inside every stretch of `period`.
fn exchange(values: &mut [f32], period: usize, first: usize, second: usize, length: usize) {
    for chunk in values.chunks_mut(period) {
        (0..length).for_each(|at| chunk.swap(first + at, second + at));
    }
}

#[test]
fn the_way_back_with_everything_exchanged_is_the_way_there() {
    let weights = Weights::random(&small(Task::Atsp), 3);
    let mut other = weights.clone();
    exchange(other.tensor_mut("projection.weight").expect("a parameter"), 8, 0, 4, 4);
    for layer in 0..2 {
        let name = format!("encoder.layers.{layer}.mixed_score_MHA.mix1_weight");
        exchange(other.tensor_mut(&name).expect("a parameter"), 3 * 8, 8, 16, 8);
    }
    let distance = matrix(1);
    let there = svd::features(&scale(Scaling::ZScore, &distance), NODES, 4);
    let back: Vec<f64> = there.chunks(8).flat_map(|row| [&row[4..], &row[..4]].concat()).collect();
    let one = encoded(&weights, &distance, &there);
    let same = encoded(&other, &transposed(&distance), &back);
    assert!(apart(one.output(), same.output()) < 1e-12);
    assert!(apart(one.output(), encoded(&weights, &transposed(&distance), &back).output()) > 1e-3);
}

#[test]
fn new_labels_change_nothing_but_the_order() {
    let order = [3, 0, 8, 1, 7, 2, 6, 4, 5];
    for normalisation in Normalisation::ALL {
        let config = Config { normalisation: *normalisation, terms: Term::ALL.to_vec(), ..small(Task::Atsp) };
        let mut weights = Weights::random(&config, 4);
        weights.tensor_mut("decoder.terms.ahead").expect("a parameter")[0] = 0.5;
        for term in ["back", "homeward", "onward"] {
            weights.tensor_mut(&format!("decoder.terms.{term}")).expect("a parameter")[0] = -0.5;
        }
        let (distance, features) = (matrix(2), numbers(NODES * 8, 2));
        let moved: Vec<f64> =
            (0..NODES * NODES).map(|at| distance[order[at / NODES] * NODES + order[at % NODES]]).collect();
        let moved_features: Vec<f64> =
            order.iter().flat_map(|&node| features[node * 8..][..8].to_vec()).collect();

        let case = Case::new(&config, &distance, &distance, features);
        let other = Case::new(&config, &moved, &moved, moved_features);
        let (one, two) = (encode(&weights, &case), encode(&weights, &other));
        for (place, &node) in order.iter().enumerate() {
            assert!(apart(&one.output()[node * 16..][..16], &two.output()[place * 16..][..16]) < 1e-10);
        }
        let feasible: Vec<bool> = (0..NODES).map(|node| node % 4 != 0).collect();
        let moved_feasible: Vec<bool> = order.iter().map(|&node| feasible[node]).collect();
        let step =
            Step { feasible: &feasible, context: &[], surprises: &[], current: order[2], home: order[5] };
        let same = Step { feasible: &moved_feasible, context: &[], surprises: &[], current: 2, home: 5 };
        let p = Decoder::new(&weights, &case, one.output()).probabilities(&step);
        let q = Decoder::new(&weights, &other, two.output()).probabilities(&same);
        assert!(order.iter().enumerate().all(|(place, &node)| (p[node] - q[place]).abs() < 1e-10));
    }
}

#[test]
fn every_member_of_the_family_gives_probabilities() {
    let mut members = 0;
    for &task in Task::ALL {
        for &init in Init::ALL {
            for (normalisation, ends_on) in [
                (Normalisation::Sinkhorn, Ends::Columns),
                (Normalisation::Sinkhorn, Ends::Rows),
                (Normalisation::Softmax, Ends::Columns),
            ] {
                for &scaling in Scaling::ALL {
                    let mix = if members % 2 == 0 { Mix::ALL.to_vec() } else { vec![Mix::DurationBack] };
                    let terms = Term::ALL[..members % 4].to_vec();
                    let config = Config {
                        init,
                        normalisation,
                        ends_on,
                        scaling,
                        mix,
                        terms,
                        neighbours: 3,
                        ..small(task)
                    };
                    if config.validate().is_err() {
                        assert!(task == Task::Atsp && init == Init::Demand);
                        continue;
                    }
                    probe(&config);
                    members += 1;
                }
            }
        }
    }
    assert_eq!(members, (3 * Init::ALL.len() - 1) * 3 * Scaling::ALL.len());
}

fn probe(config: &Config) {
    let weights = Weights::random(config, 6);
    let mut case = Case::new(config, &matrix(3), &matrix(4), numbers(NODES * config.columns(), 5));
    case.depot = numbers(config.depot_columns().unwrap_or(0), 6);
    if config.init == Init::OneHot {
        case.places = (0..NODES).rev().collect();
    }
    let encoding = encode(&weights, &case);
    assert_eq!(encoding.named().len(), 1 + 2 * config.layers);
    let feasible: Vec<bool> = (0..NODES).map(|node| node % 3 != 1).collect();
    let context = numbers(config.context(), 7);
    let step = Step { feasible: &feasible, context: &context, surprises: &[], current: 4, home: 1 };
    let probabilities = Decoder::new(&weights, &case, encoding.output()).probabilities(&step);
    for (probability, feasible) in probabilities.iter().zip(feasible) {
        assert_eq!(*probability > 0.0, feasible);
    }
    assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
}

#[test]
fn terms_do_what_the_formula_says() {
    // Without affinity (a decoder whose output map is zero) only the terms are left.
    let config = Config { terms: vec![Term::Edge, Term::Back, Term::Ahead], ..small(Task::Acvrp) };
    let mut weights = Weights::random(&config, 8);
    for part in ["weight", "bias"] {
        weights.tensor_mut(&format!("decoder.multi_head_combine.{part}")).expect("a parameter").fill(0.0);
    }
    for (term, value) in [("edge", 0.5_f32), ("back", 0.25), ("ahead", 0.125)] {
        weights.tensor_mut(&format!("decoder.terms.{term}")).expect("a parameter")[0] = value;
    }
    let case = Case::new(&config, &matrix(5), &matrix(5), numbers(NODES * config.columns(), 8));
    let z = |from: usize, to: usize| case.distance[from * NODES + to];
    let encoding = encode(&weights, &case);
    let step = Step { feasible: &[true; NODES], context: &[0.5], surprises: &[], current: 3, home: 0 };
    let found = Decoder::new(&weights, &case, encoding.output()).probabilities(&step);

    let logit = |node: usize| {
        let ahead = (0..NODES).filter(|&to| to != node).map(|to| z(node, to)).fold(f64::INFINITY, f64::min);
        let off = 0.5 * z(3, node) + 0.25 * z(node, 0) + 0.125 * ahead;
        (10.0 * (-off).tanh()).exp()
    };
    let total: f64 = (0..NODES).map(logit).sum();
    let wanted: Vec<f64> = (0..NODES).map(|node| logit(node) / total).collect();
    assert!(apart(&found, &wanted) < 1e-12);
}

#[test]
fn degenerate_matrices_give_numbers() {
    let spread: Vec<f64> = (0..NODES * NODES).map(|at| 10_f64.powi((at * 7 % 11) as i32 - 5)).collect();
    let constant: Vec<f64> =
        (0..NODES * NODES).map(|at| f64::from(u8::from(at % (NODES + 1) != 0))).collect();
    for nodes in [1, 2, 3, NODES] {
        for whole in [&constant, &spread, &vec![0.0; NODES * NODES]] {
            let distance = &whole[..nodes * nodes];
            let config = small(Task::Atsp);
            let weights = Weights::random(&config, 9);
            let features = svd::features(&scale(config.scaling, distance), nodes, config.rank);
            assert!(features.iter().all(|feature| feature.is_finite()));
            let case = Case::new(&config, distance, distance, features);
            let encoding = encode(&weights, &case);
            assert!(encoding.output().iter().all(|value| value.is_finite()));
            let step =
                Step { feasible: &vec![true; nodes], context: &[], surprises: &[], current: 0, home: 0 };
            let probabilities = Decoder::new(&weights, &case, encoding.output()).probabilities(&step);
            assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let none = Step { feasible: &vec![false; nodes], ..step };
            let nothing = Decoder::new(&weights, &case, encoding.output()).probabilities(&none);
            assert!(nothing.iter().all(|&probability| probability == 0.0));
        }
    }
}
