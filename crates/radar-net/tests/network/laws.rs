//! What must hold whatever the weights are.

use std::sync::atomic::{AtomicUsize, Ordering};

use radar_kernel::isa::Isa;
use radar_net::context::Context;
use radar_net::input::{Draw, Input};
use radar_net::network::{Choices, Network, Step, Use};
use radar_net::policy::Decode;
use radar_net::{Config, Decoding, Signs, Sketch, Task, Weights};
use radar_problem::{Instance, Problem, Table};
use radar_rollout::{Rules, Starts, State};

use crate::scene::instance;

fn network(config: &Config) -> Network {
    Network::new(Weights::random(config, 3), Isa::best(), Use::Inference)
}

fn small(task: Task) -> Config {
    Config { task, width: 32, heads: 4, layers: 3, hidden: 48, rank: 4, ..Config::default() }
}

/// The other way round everything is the same, if the network is turned round too.
#[test]
fn a_transposed_matrix_is_the_same_to_a_network_with_its_halves_exchanged() {
    let config = Config { sketch: Sketch::Exact, ..small(Task::Atsp) };
    let instance = instance(Task::Atsp, 12, 8);
    let input = Input::of(&config, &instance, Draw { seed: 0, index: 0 }, Isa::Portable).expect("fits");
    let (width, rank) = (config.width, config.rank);
    let turned_features: Vec<f32> = input
        .features()
        .chunks_exact(2 * rank)
        .flat_map(|row| [&row[rank..], &row[..rank]].concat())
        .collect();
    let turned = Input::raw(input.distance_back().to_vec(), turned_features);

    let weights = Weights::random(&config, 3);
    let mut other = weights.clone();
    let projection = other.tensor_mut("projection.weight").expect("there");
    projection.chunks_exact_mut(2 * rank).for_each(|row| row.rotate_left(rank));
    for layer in 0..config.layers {
        let name = format!("encoder.layers.{layer}.mixed_score_MHA.mix1_weight");
        let mixing = other.tensor_mut(&name).expect("there");
        for head in mixing.chunks_exact_mut(3 * config.mix_hidden) {
            head[config.mix_hidden..].rotate_left(config.mix_hidden);
        }
    }
    let of = |weights: Weights, input: &Input| {
        Network::new(weights, Isa::best().precise(), Use::Inference).encode(input)
    };
    let (one, two) = (of(weights, &input), of(other, &turned));
    assert_eq!(one.len(), 12 * width);
    assert!(one.iter().zip(&two).all(|(a, b)| (a - b).abs() < 1e-4));
}

#[test]
fn relabelled_nodes_get_relabelled_encodings() {
    let config = Config { sketch: Sketch::Exact, signs: Signs::Fixed, ..small(Task::Atsp) };
    let instance = instance(Task::Atsp, 11, 4);
    let order: Vec<usize> = vec![3, 0, 10, 7, 1, 9, 4, 2, 8, 6, 5];
    let relabelled = instance.subset(&order);
    let network = Network::new(Weights::random(&config, 3), Isa::best().precise(), Use::Inference);
    let encode = |instance: &Instance| {
        let input = Input::of(&config, instance, Draw { seed: 0, index: 0 }, Isa::Portable).expect("fits");
        network.encode(&input)
    };
    let (one, two) = (encode(&instance), encode(&relabelled));
    let width = config.width;
    for (at, &node) in order.iter().enumerate() {
        let (a, b) = (&one[node * width..(node + 1) * width], &two[at * width..(at + 1) * width]);
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4), "{node}");
    }
}

#[test]
fn threads_do_not_matter() {
    for task in [Task::Atsp, Task::Vrp] {
        let instance = instance(task, 150, 2);
        let network = network(&small(task));
        for decode in [Decode::Greedy, Decode::Sample { temperature: 0.7 }] {
            let decoding = Decoding { decode, augment: 2, keep: 5, confidence: true, ..Decoding::default() };
            let on = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                pool.install(|| network.decode(&instance, &decoding, &|| false).expect("fits"))
            };
            let (one, two) = (on(1), on(2));
            assert_eq!(one.plans, two.plans);
            assert!(!one.plans.is_empty() && one.plans.is_sorted_by_key(|plan| plan.1));
            let confidence = |decoded: &radar_net::Decoded| {
                let confidence = decoded.confidence.clone().expect("asked for");
                let nodes = instance.nodes();
                (0..nodes * nodes)
                    .map(|at| confidence.at(at / nodes, at % nodes).to_bits())
                    .collect::<Vec<u32>>()
            };
            assert_eq!(confidence(&one), confidence(&two));
        }
    }
}

/// Whatever the matrix, every start ends in a plan that is legal, and nothing is NaN.
#[test]
fn degenerate_matrices_are_decoded() {
    type Entry = fn(usize, usize) -> f64;
    let matrices: [(&str, usize, Entry); 9] = [
        ("one node", 1, |_, _| 0.0),
        ("two nodes", 2, |_, _| 3.0),
        ("three nodes", 3, |from, to| (from * 3 + to) as f64),
        ("zero", 12, |_, _| 0.0),
        ("constant", 12, |_, _| 7.0),
        ("rank one", 12, |from, to| ((from + 1) * (to + 1)) as f64),
        ("symmetric", 12, |from, to| (from as f64 - to as f64).abs()),
        ("ten orders of magnitude", 12, |from, to| 10_f64.powi(((from * 5 + to * 3) % 11) as i32)),
        ("ties", 12, |from, to| ((from + to) % 2) as f64),
    ];
    for (name, nodes, entry) in matrices {
        let values = (0..nodes * nodes)
            .map(|at| if at / nodes == at % nodes { 0.0 } else { entry(at / nodes, at % nodes) });
        let table = Table::from_values(nodes, nodes, values.collect());
        let tour = Problem::atsp(table.clone()).validate().instance.expect("sound");
        let mut cases = vec![(Task::Atsp, tour)];
        // A depot without stops is no problem of routes.
        if let Some(routes) = Problem::vrp(table).validate().instance {
            cases.extend([(Task::Acvrp, routes.clone()), (Task::Vrp, routes)]);
        }
        assert!(cases.len() == 3 || nodes == 1);
        for (task, instance) in cases {
            let config = small(task);
            let decoded = network(&config).decode(&instance, &Decoding::default(), &|| false).expect("fits");
            assert_eq!(decoded.complete, decoded.trajectories, "{name} {task}");
            for (plan, cost) in decoded.plans {
                let verdict = radar_check::check(&instance, &plan);
                assert!(verdict.feasible(), "{name} {task}");
                assert_eq!(verdict.scaled_cost, Some(cost), "{name} {task}");
            }
        }
    }
}

#[test]
fn more_starts_and_sketches_are_never_worse() {
    let instance = instance(Task::Atsp, 30, 1);
    let network = network(&small(Task::Atsp));
    let cost = |starts: Starts, augment: usize| {
        let decoding = Decoding { starts, augment, ..Decoding::default() };
        network.decode(&instance, &decoding, &|| false).expect("fits").plans[0].1
    };
    assert!(cost(Starts::All, 1) <= cost(Starts::AtMost(5), 1));
    assert!(cost(Starts::All, 4) <= cost(Starts::All, 1));
}

/// Where few starts are asked for, routes begin with the stops that the network finds likeliest, in every sketch anew.
#[test]
fn few_routes_begin_where_it_is_likely() {
    for task in [Task::Acvrp, Task::Vrp] {
        let (instance, network) = (instance(task, 30, 1), network(&small(task)));
        let config = network.weights().config();
        let offered = Rules::new(&instance).starts();
        let starts_of = |starts: Starts| {
            let decoding = Decoding { starts, augment: 2, ..Decoding::default() };
            network.trajectories(&instance, &decoding, &|| false).expect("fits").0
        };
        let found = starts_of(Starts::AtMost(7));
        assert_eq!(found.len(), 14);
        for sketch in 0..2 {
            let input =
                Input::of(config, &instance, Draw { seed: 0, index: sketch }, network.isa()).expect("fits");
            let tables = network.tables(&input, network.encode(&input));
            let mut context = vec![0.0; config.context()];
            Context::of(config, &instance).fill(&State::new(&instance, 0), &mut context);
            let mut open = [0];
            offered.iter().for_each(|stop| open[0] |= 1_u64 << stop);
            let mut choices = Choices::default();
            let mut journeys = tables.journeys();
            let mut surprises = vec![0.0; journeys.numbers()];
            journeys.see(0, 0);
            journeys.fill(0, &context, &open, &mut surprises);
            let step =
                Step { current: &[0], home: &[0], context: &context, surprises: &surprises, open: &open };
            tables.choose(&step, config.clip as f32, &mut choices);
            let likely = |stop: &usize| choices.probabilities(0)[*stop];
            let stops: Vec<usize> =
                found.iter().filter(|one| one.0 == sketch).map(|one| one.1.start).collect();
            assert!(stops.len() == 7 && stops.is_sorted());
            let least = stops.iter().map(likely).fold(f32::INFINITY, f32::min);
            let others = offered.iter().filter(|stop| !stops.contains(stop)).map(likely);
            let most = others.fold(0.0, f32::max);
            assert!(most < least, "{task}: {most} {least}");
        }
        assert!(starts_of(Starts::AtMost(0)).is_empty());
        assert_eq!(starts_of(Starts::AtMost(30)).len(), 2 * offered.len());
    }
}

#[test]
fn numbers_that_overflow_are_an_error() {
    for task in [Task::Atsp, Task::Acvrp, Task::Vrp] {
        let config = small(task);
        let mut weights = Weights::random(&config, 1);
        weights.values_mut().fill(3e38);
        let network = Network::new(weights, Isa::best(), Use::Inference);
        for decode in [Decode::Greedy, Decode::Sample { temperature: 1.0 }] {
            let decoding = Decoding { decode, ..Decoding::default() };
            let refused = network.decode(&instance(task, 12, 1), &decoding, &|| false);
            assert_eq!(refused.expect_err("no numbers").code, "not-finite", "{task}");
        }
    }
}

/// Whoever asks for a stop waits for no more than the heads that have begun, or one step of the rollout.
#[test]
fn a_stop_is_heard_everywhere() {
    let instance = instance(Task::Atsp, 20, 1);
    let network = network(&small(Task::Atsp));
    let asked = AtomicUsize::new(0);
    let count = |stop_at: usize| {
        asked.store(0, Ordering::Relaxed);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= stop_at;
        let decoded = network.decode(&instance, &Decoding::default(), &stop).expect("fits");
        (decoded.complete, asked.load(Ordering::Relaxed))
    };
    let (complete, polls) = count(usize::MAX);
    assert_eq!(complete, 20);
    assert!(polls > network.weights().config().layers * network.weights().config().heads + 19);
    for stop_at in 0..polls - 1 {
        let (complete, polls) = count(stop_at);
        assert!(complete == 0 && polls <= stop_at + 8, "{stop_at}: {complete}, {polls}");
    }
}
