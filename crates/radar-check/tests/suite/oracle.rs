//! The oracles against plain enumeration.

use radar_check::{check, oracle};
use radar_problem::{Instance, Objective, Problem, Routes, Table};

use crate::random::{self, Dice};

/// Every way to cut every order into consecutive routes, judged by the checker.
fn cheapest_by_enumeration(instance: &Instance) -> Option<i64> {
    let mut best = None;
    let stops: Vec<usize> = instance.stops().filter(|&stop| stop != 0).collect();
    orders(&mut stops.clone(), 0, &mut |order| {
        let cuts = if instance.is_tour() { 1 } else { 1 << (order.len().max(1) - 1) };
        for cut in 0..cuts {
            let mut routes = vec![if instance.is_tour() { vec![0] } else { vec![] }];
            for (place, &stop) in order.iter().enumerate() {
                routes.last_mut().expect("one").push(stop);
                if cut >> place & 1 == 1 {
                    routes.push(vec![]);
                }
            }
            let verdict = check(instance, &Routes(routes));
            if verdict.feasible() {
                best = best.into_iter().chain(verdict.scaled_cost).min();
            }
        }
    });
    best
}

fn orders(items: &mut Vec<usize>, from: usize, visit: &mut impl FnMut(&[usize])) {
    if from == items.len() {
        return visit(items);
    }
    for other in from..items.len() {
        items.swap(from, other);
        orders(items, from + 1, visit);
        items.swap(from, other);
    }
}

#[test]
fn routes_of_every_variant() {
    let (mut solved, mut impossible) = (0, 0);
    for (number, features) in random::cases(640) {
        let dice = &mut Dice::new(number as u64 + 5000);
        let stops = 1 + number / 16 % 5;
        let problem = match number / 80 % 2 {
            0 => random::problem(dice, stops, features),
            _ => random::broken_problem(dice, stops, features),
        };
        let mut instance = problem.validate().instance.expect("well formed");
        if number % 5 == 0 {
            instance = instance.with_objective(Objective::Duration);
        }
        let found = oracle::routes(&instance);
        assert_eq!(
            found.as_ref().map(|(cost, _)| *cost),
            cheapest_by_enumeration(&instance),
            "case {number}"
        );
        match found {
            None => impossible += 1,
            Some((cost, routes)) => {
                let verdict = check(&instance, &routes);
                assert!(verdict.feasible(), "{:?}", verdict.violations);
                assert_eq!(verdict.scaled_cost, Some(cost));
                solved += 1;
            }
        }
    }
    assert!(solved > 60 && impossible > 60, "{solved} {impossible}");
}

#[test]
fn tours() {
    let (mut solved, mut impossible) = (0, 0);
    for number in 0..120 {
        let dice = &mut Dice::new(number + 900);
        let nodes = 1 + number as usize % 7;
        let mut problem = Problem::atsp(random::table(dice, nodes, number % 2 == 0));
        if number % 3 == 0 {
            problem.duration = Some(random::table(dice, nodes, number % 4 == 0));
        }
        let mut instance = problem.validate().instance.expect("well formed");
        if number % 6 == 0 {
            instance = instance.with_objective(Objective::Duration);
        }
        let found = oracle::tour(&instance);
        assert_eq!(
            found.as_ref().map(|(cost, _)| *cost),
            cheapest_by_enumeration(&instance),
            "case {number}"
        );
        match found {
            None => impossible += 1,
            Some((cost, routes)) => {
                let verdict = check(&instance, &routes);
                assert!(verdict.feasible());
                assert_eq!(verdict.scaled_cost, Some(cost));
                solved += 1;
            }
        }
    }
    assert!(solved > 80 && impossible > 1, "{solved} {impossible}");
}

#[test]
fn the_largest_sizes_are_taken() {
    let dice = &mut Dice::new(1);
    let tour = Problem::atsp(random::table(dice, oracle::MAX_NODES, false))
        .validate()
        .instance
        .expect("well formed");
    let (cost, routes) = oracle::tour(&tour).expect("complete");
    assert_eq!(check(&tour, &routes).scaled_cost, Some(cost));
    let problem = Problem::vrp(random::table(dice, oracle::MAX_STOPS + 1, false));
    let instance = problem.validate().instance.expect("well formed");
    let (cost, routes) = oracle::routes(&instance).expect("nothing binds");
    assert_eq!(check(&instance, &routes).scaled_cost, Some(cost));
}

fn complete(nodes: usize) -> Table {
    Table::from_values(nodes, nodes, vec![1.0; nodes * nodes])
}

#[test]
#[should_panic(expected = "13 nodes; the oracle takes 12")]
fn larger_tours_are_refused() {
    oracle::tour(&Problem::atsp(complete(13)).validate().instance.expect("well formed"));
}

#[test]
#[should_panic(expected = "9 stops; the oracle takes 8")]
fn larger_problems_are_refused() {
    oracle::routes(&Problem::vrp(complete(10)).validate().instance.expect("well formed"));
}

#[test]
#[should_panic(expected = "use `routes`")]
fn routes_are_no_tour() {
    oracle::tour(&Problem::vrp(complete(3)).validate().instance.expect("well formed"));
}

#[test]
#[should_panic(expected = "use `tour`")]
fn a_tour_is_no_routes() {
    oracle::routes(&Problem::atsp(complete(3)).validate().instance.expect("well formed"));
}
