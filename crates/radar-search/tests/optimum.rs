//! Small problems of every kind are solved, and no bound is above the optimum.

mod common;

use radar_kernel::random::Stream;
use radar_problem::{Instance, Objective, Variant};
use radar_search::{Outcome, Request};

/// Searches and compares with the optimum; says whether there is a plan.
fn solved(instance: &Instance, seed: u64, what: &str) -> bool {
    let pace = common::steps(STEPS);
    let request = Request { seed, ..common::request(instance, &pace) };
    let Outcome { cost, bound, .. } = common::outcome(&request);
    let exact = common::optimum(instance).map(|best| best.0);
    assert_eq!(cost, exact, "{what}");
    if let Some(exact) = exact {
        assert!(bound <= exact, "{what}: bound {bound} above {exact}");
    }
    exact.is_some()
}

const STEPS: u64 = 1500;

#[test]
fn every_variant() {
    for preset in ["paper", "tight"] {
        for variant in Variant::every().filter(|&variant| variant != Variant::Atsp) {
            let is_solved = |index: u64| {
                let stops = 2 + index as usize % 6;
                let instance = common::variant(&variant.to_string(), preset, stops, 5, index);
                solved(&instance, index, &format!("{variant} {preset} {index}"))
            };
            let feasible = (0..12).filter(|&index| is_solved(index)).count();
            assert!(feasible >= 6, "{variant} {preset}: {feasible}");
        }
    }
}

#[test]
fn eight_stops() {
    for (index, variant) in ["ACVRP", "AOVRPBLTW", "AVRPTW", "AVRPBL"].into_iter().enumerate() {
        let instance = common::variant(variant, "tight", 8, 6, index as u64);
        assert!(solved(&instance, 1, variant), "{variant} has no plan");
    }
}

#[test]
fn unpleasant_routes() {
    let mut stream = Stream::new(1, "routes to solve", 0);
    let (mut feasible, mut infeasible) = (0, 0);
    for round in 0..700 {
        let mut instance = common::routes(&mut stream, 1 + round % 6);
        if stream.chance(0.2) {
            instance = instance.with_objective(Objective::Duration);
        }
        let found = solved(&instance, round as u64, &format!("round {round}"));
        *(if found { &mut feasible } else { &mut infeasible }) += 1;
    }
    assert!(feasible > 250 && infeasible > 50, "{feasible} feasible, {infeasible} not");
}

#[test]
fn unpleasant_tours() {
    let mut stream = Stream::new(2, "tours to solve", 0);
    let (mut feasible, mut infeasible) = (0, 0);
    for round in 0..500 {
        let instance = common::tour(&mut stream, 1 + round % 10);
        let found = solved(&instance, round as u64, &format!("round {round}"));
        *(if found { &mut feasible } else { &mut infeasible }) += 1;
    }
    assert!(feasible > 250 && infeasible > 20, "{feasible} feasible, {infeasible} not");
}

#[test]
fn pleasant_tours() {
    for (index, nodes) in [11, 12, 12, 12].into_iter().enumerate() {
        let nodes = nodes.to_string();
        let instance = common::sampled("tmat", &[("n", nodes.as_str())], 3, index as u64);
        assert!(instance.is_tour() && solved(&instance, 1, "tmat"));
    }
}
