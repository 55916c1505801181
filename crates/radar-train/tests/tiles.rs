//! Training with bfloat16 products, on the tile unit or what stands for it: how far its gradients are from those in
//! single precision, that they are the same on any number of threads, and that they are good enough to learn from.
#![cfg(feature = "emulated-tiles")]

use radar_kernel::isa::Isa;
use radar_net::network::{Network, Use};
use radar_net::{Config, Decoding, Signs, Sketch, Task, Term, Weights};
use radar_sample::Distribution;
use radar_train::label::solve;
use radar_train::lesson::{FirstNodes, Item, Lesson, Method, Moment, teach};
use radar_train::loss::Loss;

const BATCH: usize = 8;

fn config(task: Task) -> Config {
    let terms = vec![Term::Edge, Term::Transport];
    let (sketch, signs) = (Sketch::Exact, Signs::Fixed);
    Config { task, width: 64, heads: 4, layers: 3, hidden: 128, terms, sketch, signs, ..Config::default() }
}

/// Instances of 20 nodes with plans.
fn items(task: Task) -> Vec<Item> {
    let (name, variant) = match task {
        Task::Atsp => ("tmat", "ATSP"),
        Task::Acvrp => ("multitask", "ACVRP"),
        Task::Vrp => ("multitask", "AVRPBLTW"),
    };
    let distribution = Distribution::named(name, &[("n", "20"), ("variant", variant)], None).expect("ours");
    let item = |index: u64| {
        let instance = distribution.sample(3, index).problem.validate().instance.expect("sound");
        let label = solve(&instance, 500, &|| false).expect("a plan").routes;
        Item { instance, label: Some(radar_problem::Routes(label)), scale: 1.0 }
    };
    (0..BATCH as u64).map(item).collect()
}

fn lesson(network: &Network, items: &[Item], loss: Loss) -> Lesson {
    let method = Method { loss, starts: None, first_nodes: FirstNodes::Any, chunk: 2 };
    let moment = Moment { seed: 5, step: 7, first: 0, global: items.len() };
    teach(network, items, &method, moment).expect("it fits")
}

fn length(of: impl Iterator<Item = f64>) -> f64 {
    of.map(|x| x * x).sum::<f64>().sqrt()
}

/// Told plans are the same for both, so that nothing but rounding differs.
#[test]
fn gradients_are_near_those_in_single_precision() {
    for task in [Task::Atsp, Task::Acvrp, Task::Vrp] {
        let items = items(task);
        let gradient = |isa: Isa| {
            let network = Network::new(Weights::random(&config(task), 1), isa, Use::Training);
            lesson(&network, &items, Loss::Imitation { astray: 0.0, steps: 1 }).gradient
        };
        let (tiles, precise) = (gradient(Isa::Amx), gradient(Isa::best().precise()));
        let apart = length(tiles.iter().zip(&precise).map(|(&a, &b)| f64::from(a) - f64::from(b)));
        let error = apart / length(precise.iter().map(|&slope| f64::from(slope)));
        println!("{task:?}: {error:.4}");
        assert!(error > 0.0, "{task:?}: bfloat16 rounds");
        assert!(error < 0.03, "{task:?}: {error}");
    }
}

/// What is learned from is what was drawn: log-probabilities of the way back are those of the rollout.
#[test]
fn log_probabilities_are_those_of_the_rollout() {
    for task in [Task::Atsp, Task::Vrp] {
        let network = Network::new(Weights::random(&config(task), 1), Isa::Amx, Use::Training);
        let gap = lesson(&network, &items(task), Loss::Reinforce).tally.log_prob_gap;
        println!("{task:?}: {gap:.2e}");
        assert!(gap < 1e-4, "{task:?}: {gap}");
    }
}

#[test]
fn threads_do_not_matter() {
    let network = Network::new(Weights::random(&config(Task::Vrp), 1), Isa::Amx, Use::Training);
    let items = items(Task::Vrp);
    let on = |threads: usize| -> Vec<u32> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let lesson = pool.install(|| lesson(&network, &items, Loss::Reinforce));
        lesson.gradient.iter().map(|slope| slope.to_bits()).collect()
    };
    assert_eq!(on(1), on(2));
}

/// Told tours are learned by heart, by plain descent.
#[test]
fn it_learns() {
    let items = items(Task::Atsp);
    let told = Loss::Imitation { astray: 0.0, steps: 1 };
    let mut network = Network::new(Weights::random(&config(Task::Atsp), 2), Isa::Amx, Use::Training);
    let mut weights = network.weights().values().to_vec();
    for _ in 0..60 {
        let gradient = lesson(&network, &items, told).gradient;
        let rate = 0.3 / length(gradient.iter().map(|&slope| f64::from(slope)));
        weights.iter_mut().zip(&gradient).for_each(|(weight, slope)| *weight -= slope * rate as f32);
        network.refill(&weights);
    }
    let lesson = lesson(&network, &items, told);
    let greedy = items.iter().map(|item| {
        let found = network.decode(&item.instance, &Decoding::default(), &|| false).expect("it fits");
        item.instance.cost_scale().undo(found.plans[0].1)
    });
    let (loss, greedy, best) = (lesson.tally.loss / BATCH as f64, greedy.sum::<f64>(), lesson.tally.best);
    assert!(loss < 0.05, "{loss}");
    assert!(greedy < 1.001 * best, "{greedy} where {best} was told");
}
