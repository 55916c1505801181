//! A seed and a number of steps fix the result, on any number of threads, with or without a prior.

mod common;

use radar_problem::{Instance, Routes};
use radar_search::{EdgePrior, Outcome, Request};
use rayon::ThreadPoolBuilder;

/// A hash of routes.
fn trace(routes: &Routes) -> u64 {
    let numbers = routes.iter().flat_map(|route| route.iter().map(|&stop| stop as u64).chain([u64::MAX]));
    numbers.fold(0, |trace, number| (trace ^ number).wrapping_mul(0x100_0000_01B3))
}

fn run(instance: &Instance, searches: usize, most: u64, prior: Option<&dyn EdgePrior>) -> Outcome {
    let pace = common::steps(most);
    common::outcome(&Request { searches, seed: 9, prior, ..common::request(instance, &pace) })
}

/// Everything that must not depend on threads.
fn print(outcome: &Outcome) -> (u64, Option<i64>, i64, bool, Option<u64>, u64) {
    let routes = outcome.routes.as_ref().map_or(0, trace);
    (routes, outcome.cost, outcome.bound, outcome.optimal, outcome.proof_nodes, outcome.steps)
}

fn instances() -> Vec<Instance> {
    let variants = ["ACVRP", "AVRPBL", "AOVRPBLTW"];
    let routes = variants.into_iter().map(|name| common::variant(name, "tight", 40, 4, 0));
    routes.chain([common::sampled("asymmetry", &[("n", "60")], 4, 0)]).collect()
}

#[test]
fn the_result_of_a_seed_changes_only_with_the_search() {
    let traces: Vec<u64> = instances().iter().map(|instance| print(&run(instance, 2, 300, None)).0).collect();
    assert_eq!(traces, TRACES, "{traces:#x?}");
}

const TRACES: [u64; 4] =
    [0x45d4_1385_ca8b_c948, 0x53c3_0dc6_1d44_590d, 0x3860_6e47_f08b_1333, 0xb9ed_c6a4_ae91_8f11];

#[test]
fn threads_only_schedule() {
    for instance in instances() {
        for searches in [1, 2, 3, 5] {
            let on = |threads: usize| {
                let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
                pool.install(|| print(&run(&instance, searches, 200, None)))
            };
            assert_eq!(on(1), on(2), "{searches} searches of {}", instance.variant());
        }
    }
}

#[test]
fn seeds_and_searches_make_a_difference() {
    let instance = common::variant("ACVRP", "paper", 60, 4, 0);
    let pace = common::steps(100);
    let costs = |searches: usize| -> Vec<Option<i64>> {
        let seeds = 0..6;
        let run = |seed| Request { searches, seed, ..common::request(&instance, &pace) };
        seeds.map(|seed| common::outcome(&run(seed)).cost).collect()
    };
    let (alone, together) = (costs(1), costs(4));
    assert!(alone.iter().any(|&cost| cost != alone[0]), "{alone:?}");
    let sum = |costs: &[Option<i64>]| costs.iter().flatten().sum::<i64>();
    assert!(sum(&together) < sum(&alone), "{alone:?} {together:?}");
    assert_eq!(together.len(), together.iter().flatten().count());
}

/// Believes in the arcs of some routes, or doubts them.
struct Faith {
    arcs: Vec<(usize, usize)>,
    belief: f32,
}

impl Faith {
    fn in_routes(routes: &Routes, belief: f32) -> Self {
        let arcs = routes.iter().flat_map(|route| {
            let around = || route.iter().copied().filter(|&stop| stop != 0);
            std::iter::once(0).chain(around()).zip(around().chain([0])).collect::<Vec<_>>()
        });
        Self { arcs: arcs.collect(), belief }
    }
}

impl EdgePrior for Faith {
    fn belief(&self, from: usize, to: usize) -> f32 {
        if self.arcs.contains(&(from, to)) { self.belief } else { 1.0 - self.belief }
    }
}

#[test]
fn a_prior_steers_and_decides_nothing() {
    for name in ["ACVRP", "AVRPBL", "AOVRPTW", "ATSP"] {
        for index in 0..5 {
            let instance = match name {
                "ATSP" => common::sampled("tmat", &[("n", "9")], 8, index),
                _ => common::variant(name, "tight", 6, 8, index),
            };
            let Some((exact, plan)) = common::optimum(&instance) else { continue };
            for belief in [0.0, 0.5, 0.98, 1.0] {
                let faith = Faith::in_routes(&plan, belief);
                let outcome = run(&instance, 2, 1000, Some(&faith));
                assert_eq!(print(&outcome), print(&run(&instance, 2, 1000, Some(&faith))));
                assert_eq!(outcome.cost, Some(exact), "{name} {index} {belief}");
            }
        }
    }
}

#[test]
fn a_prior_on_larger_problems() {
    for instance in instances() {
        let plan = run(&instance, 1, 200, None).routes.expect("feasible");
        for belief in [0.0, 1.0] {
            let faith = Faith::in_routes(&plan, belief);
            let outcome = run(&instance, 2, 100, Some(&faith));
            assert!(outcome.cost.is_some());
            assert_eq!(print(&outcome), print(&run(&instance, 2, 100, Some(&faith))));
        }
    }
}
