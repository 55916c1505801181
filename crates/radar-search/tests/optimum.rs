//! Small problems of every kind are solved, and no bound is above the optimum.

mod common;

use radar_kernel::random::Stream;
use radar_problem::{Instance, Objective, Variant};
use radar_search::{Outcome, Request};

/// Steps that are enough for nearly all, and for the others.
const FEW: u64 = 1500;
const MANY: u64 = 40_000;

/// How many problems had a plan, how many had none, and how many took many steps.
#[derive(Debug, Default)]
struct Count {
    feasible: usize,
    infeasible: usize,
    slow: usize,
}

impl Count {
    /// Searches and compares with the optimum.
    fn solve(&mut self, instance: &Instance, seed: u64, what: &str) {
        let exact = common::optimum(instance).map(|best| best.0);
        let cost_after = |most: u64| {
            let pace = common::steps(most);
            let Outcome { cost, bound, .. } =
                common::outcome(&Request { seed, ..common::request(instance, &pace) });
            assert!(exact.is_none_or(|exact| bound <= exact), "{what}: bound {bound} above {exact:?}");
            cost
        };
        if cost_after(FEW) != exact {
            self.slow += 1;
            assert_eq!(cost_after(MANY), exact, "{what}");
        }
        *(if exact.is_some() { &mut self.feasible } else { &mut self.infeasible }) += 1;
    }
}

#[test]
fn every_variant() {
    for preset in ["paper", "tight"] {
        let mut all = Count::default();
        for variant in Variant::every().filter(|&variant| variant != Variant::Atsp) {
            for index in 0..12 {
                let stops = 2 + index as usize % 6;
                let instance = common::variant(&variant.to_string(), preset, stops, 5, index);
                all.solve(&instance, index, &format!("{variant} {preset} {index}"));
            }
        }
        assert!(all.feasible > 150 && all.slow < 10, "{preset}: {all:?}");
    }
}

#[test]
fn eight_stops() {
    let mut all = Count::default();
    for (index, variant) in ["ACVRP", "AOVRPBLTW", "AVRPTW", "AVRPBL"].into_iter().enumerate() {
        all.solve(&common::variant(variant, "tight", 8, 6, index as u64), 1, variant);
    }
    assert_eq!(all.feasible, 4);
}

#[test]
fn what_local_search_leaves_is_remembered() {
    // The best plan is met by ruins, and local search goes on from it to one that breaks the limit.
    let instance = common::variant("AOVRPBL", "tight", 6, 5, 34);
    let mut all = Count::default();
    (0..4).for_each(|seed| all.solve(&instance, seed, "AOVRPBL"));
    assert_eq!((all.feasible, all.slow), (4, 0));
}

#[test]
fn unpleasant_routes() {
    let mut stream = Stream::new(1, "routes to solve", 0);
    let mut all = Count::default();
    for round in 0..700 {
        let mut instance = common::routes(&mut stream, 1 + round % 6);
        if stream.chance(0.2) {
            instance = instance.with_objective(Objective::Duration);
        }
        all.solve(&instance, round as u64, &format!("round {round}"));
    }
    assert!(all.feasible > 250 && all.infeasible > 50 && all.slow < 15, "{all:?}");
}

#[test]
fn tours() {
    let mut stream = Stream::new(2, "tours to solve", 0);
    let mut all = Count::default();
    for round in 0..500 {
        let instance = common::tour(&mut stream, 1 + round % 10);
        all.solve(&instance, round as u64, &format!("round {round}"));
    }
    for (index, name) in ["tmat", "asymmetry", "city", "tmat"].into_iter().enumerate() {
        let instance = common::sampled(name, &[("n", "12")], 3, index as u64);
        all.solve(&instance, 1, name);
    }
    assert!(all.feasible > 400 && all.infeasible > 5 && all.slow == 0, "{all:?}");
}
