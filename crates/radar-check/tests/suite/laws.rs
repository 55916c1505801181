//! Laws that hold whatever the numbers are.

use std::collections::BTreeSet;

use radar_check::{Clause, check, oracle};
use radar_problem::{Instance, NEVER, Problem, Relaxation, Routes, Table};

use crate::random::{self, Dice};

fn built(problem: Problem) -> Instance {
    problem.validate().instance.expect("well formed")
}

/// Clause, route, position and excess of every violation: all that does not name a stop.
fn shape(instance: &Instance, routes: &Routes) -> BTreeSet<(Clause, Option<usize>, Option<usize>, i64)> {
    let verdict = check(instance, routes);
    verdict.violations.iter().map(|v| (v.clause, v.route, v.position, v.excess)).collect()
}

fn cases(count: usize, mut visit: impl FnMut(&mut Dice, Problem)) {
    for (number, features) in random::cases(count) {
        let dice = &mut Dice::new(number as u64 + 77_000);
        let problem = random::problem(dice, 1 + number % 6, features);
        visit(dice, problem);
    }
}

#[test]
fn relabelling_stops_changes_nothing() {
    cases(480, |dice, problem| {
        let nodes = problem.nodes();
        let mut order: Vec<usize> = (1..nodes).collect();
        dice.shuffle(&mut order);
        order.insert(0, 0);
        // New node i is old node order[i].
        fn pick<T: Clone>(order: &[usize], list: &Option<Vec<T>>) -> Option<Vec<T>> {
            list.as_ref().map(|list| order.iter().map(|&old| list[old].clone()).collect())
        }
        let relabelled = Problem {
            distance: problem.distance.subset(&order),
            duration: problem.duration.as_ref().map(|table| table.subset(&order)),
            demand: pick(&order, &problem.demand),
            backhaul: pick(&order, &problem.backhaul),
            windows: pick(&order, &problem.windows),
            service: pick(&order, &problem.service),
            ..problem.clone()
        };
        let plan = random::plan(dice, (1..nodes).collect());
        let renamed = plan.iter().map(|route| {
            let new = |old: &usize| order.iter().position(|node| node == old).expect("a permutation");
            route.iter().map(new).collect()
        });
        let renamed = Routes(renamed.collect());
        let (old, new) = (built(problem), built(relabelled));
        let (before, after) = (check(&old, &plan), check(&new, &renamed));
        assert_eq!((before.cost, before.scaled_cost), (after.cost, after.scaled_cost));
        assert_eq!(shape(&old, &plan), shape(&new, &renamed));
        for (a, b) in before.routes.iter().zip(&after.routes) {
            assert_eq!(
                (a.duration, a.distance, a.latest_departure),
                (b.duration, b.distance, b.latest_departure)
            );
        }
    });
}

#[test]
fn scaling_lengths_scales_the_cost() {
    cases(160, |dice, problem| {
        let plan = random::plan(dice, (1..problem.nodes()).collect());
        let duration = Some(problem.duration.clone().unwrap_or_else(|| problem.distance.clone()));
        let larger = Problem {
            distance: problem.distance.clone().map(|length| 3.0 * length),
            duration,
            limit: problem.limit.map(|limit| 3.0 * limit),
            ..problem.clone()
        };
        let (small, large) = (check(&built(problem.clone()), &plan), check(&built(larger), &plan));
        assert_eq!(small.cost.map(|cost| 3.0 * cost), large.cost);
        assert_eq!(small.feasible(), large.feasible());

        // In tenths, nothing but the scale changes.
        let tenth = |value: f64| value / 10.0;
        let each =
            |list: &Option<Vec<f64>>| list.as_ref().map(|list| list.iter().copied().map(tenth).collect());
        let finer = Problem {
            distance: problem.distance.clone().map(tenth),
            duration: problem.duration.clone().map(|table| table.map(tenth)),
            demand: each(&problem.demand),
            backhaul: each(&problem.backhaul),
            capacity: problem.capacity.map(tenth),
            windows: problem.windows.as_ref().map(|list| list.iter().map(|pair| pair.map(tenth)).collect()),
            service: each(&problem.service),
            limit: problem.limit.map(tenth),
            max_duration: problem.max_duration.map(tenth),
            ..problem.clone()
        };
        let fine = check(&built(finer), &plan);
        assert_eq!(fine.feasible(), small.feasible());
        let clauses = |verdict: &radar_check::Verdict| -> Vec<_> {
            verdict.violations.iter().map(|v| (v.clause, v.route, v.position, v.node)).collect()
        };
        assert_eq!(clauses(&fine), clauses(&small));
    });
}

#[test]
fn a_tour_driven_backwards_on_the_transposed_matrix_costs_the_same() {
    for seed in 0..200 {
        let dice = &mut Dice::new(seed);
        let nodes = 1 + dice.below(8);
        let table = random::table(dice, nodes, seed % 3 == 0);
        let back = Table::from_rows(
            (0..nodes).map(|to| (0..nodes).map(|from| table.at(from, to)).collect()).collect(),
        );
        let mut order: Vec<usize> = (1..nodes).collect();
        dice.shuffle(&mut order);
        let tour: Vec<usize> = std::iter::once(0).chain(order.iter().copied()).collect();
        let reversed: Vec<usize> = std::iter::once(0).chain(order.into_iter().rev()).collect();
        let there = check(&built(Problem::atsp(table.clone())), &Routes(vec![tour.clone()]));
        let again = check(&built(Problem::atsp(back.clone())), &Routes(vec![reversed.clone()]));
        assert_eq!(there.scaled_cost, again.scaled_cost);
        assert_eq!(there.feasible(), again.feasible());
        if nodes > 1 {
            // The same as one closed route of a fleet without other constraints.
            let route = check(&built(Problem::vrp(table)), &Routes(vec![tour[1..].to_vec()]));
            let other = check(&built(Problem::vrp(back)), &Routes(vec![reversed[1..].to_vec()]));
            assert_eq!((there.cost, there.feasible()), (route.cost, route.feasible()));
            assert_eq!(there.scaled_cost, other.scaled_cost);
        }
    }
}

#[test]
fn vacuous_constraints_change_nothing() {
    cases(320, |dice, problem| {
        let nodes = problem.nodes();
        let plan = random::plan(dice, (1..nodes).collect());
        let endless = vec![[0.0, f64::INFINITY]; nodes];
        let loose = Problem {
            backhaul: problem.backhaul.clone().or(Some(vec![0.0; nodes])),
            windows: problem.windows.clone().or(Some(endless)),
            service: problem.service.clone().or(Some(vec![0.0; nodes])),
            limit: problem.limit.or(Some(1e6)),
            max_duration: problem.max_duration.or(Some(1e6)),
            vehicles: problem.vehicles.or(Some(nodes)),
            ..problem.clone()
        };
        let (bare, dressed) = (check(&built(problem.clone()), &plan), check(&built(loose), &plan));
        assert_eq!(bare.violations, dressed.violations);
        assert_eq!((bare.cost, bare.scaled_cost), (dressed.cost, dressed.scaled_cost));
        if problem.max_duration.is_some() {
            assert_eq!(bare.routes, dressed.routes);
        }
    });
}

#[test]
fn loosening_never_makes_the_optimum_worse() {
    let mut improved = 0;
    cases(480, |dice, problem| {
        let instance = built(problem);
        let node = dice.below(instance.nodes());
        let by = 1 + dice.below(30) as i64;
        let relaxation = match dice.below(5) {
            0 => Relaxation::Capacity(by),
            1 => Relaxation::Close { node, by },
            2 => Relaxation::Limit(by),
            3 => Relaxation::MaxDuration(by),
            _ => Relaxation::Vehicles(1),
        };
        let cost = |instance: &Instance| oracle::routes(instance).map_or(NEVER, |(cost, _)| cost);
        let (tight, loose) = (cost(&instance), cost(&instance.relaxed(&[relaxation])));
        assert!(loose <= tight, "{relaxation:?}: {tight} became {loose}");
        improved += usize::from(loose < tight);
    });
    assert!(improved > 20, "{improved}");
}

#[test]
fn no_plan_beats_the_oracle() {
    let mut feasible = 0;
    cases(160, |dice, problem| {
        let instance = built(problem);
        let optimum = oracle::routes(&instance).map(|(cost, _)| cost);
        for _ in 0..60 {
            let verdict = check(&instance, &random::plan(dice, instance.stops().collect()));
            if verdict.feasible() {
                assert!(optimum <= verdict.scaled_cost && optimum.is_some());
                feasible += 1;
            }
        }
    });
    assert!(feasible > 500, "{feasible}");
}
