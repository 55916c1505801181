//! Anything may be handed in; nothing panics, and nonsense is refused.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use radar_check::{check, explain_plan, explain_stop};
use radar_problem::{Features, Problem, Routes, Table};

use crate::random::{self, Dice};

fn settings() -> Config {
    Config { cases: 400, rng_seed: RngSeed::Fixed(2), failure_persistence: None, ..Config::default() }
}

proptest! {
    #![proptest_config(settings())]

    #[test]
    fn arbitrary_routes(
        seed in 0_u64..1000,
        lists in prop::collection::vec(prop::collection::vec(prop_oneof![0_usize..7, any::<usize>()], 0..9), 0..5),
        stop in prop_oneof![0_usize..7, any::<usize>()],
        tour in any::<bool>(),
    ) {
        let dice = &mut Dice::new(seed);
        let features = Features::every().nth((seed % 16) as usize).expect("sixteen sets");
        let problem = match tour {
            true => Problem::atsp(random::table(dice, 5, true)),
            false => random::problem(dice, 4, features),
        };
        let instance = problem.validate().instance.expect("well formed");
        let routes = Routes(lists);
        let verdict = check(&instance, &routes);
        prop_assert_eq!(verdict.routes.len(), routes.len());
        prop_assert_eq!(verdict.cost.is_some(), verdict.scaled_cost.is_some());
        let mut visited: Vec<usize> = routes.iter().flatten().copied().collect();
        visited.sort_unstable();
        let exact = visited == instance.stops().collect::<Vec<_>>();
        prop_assert!(exact || !verdict.feasible());
        for violation in &verdict.violations {
            prop_assert!(violation.excess >= 0 && !violation.to_string().is_empty());
        }
        prop_assert_eq!(explain_plan(&instance, &routes).fits(), verdict.feasible());
        let _ = explain_stop(&instance, stop, &routes).to_string();
    }
}

#[test]
fn huge_values_do_not_overflow() {
    // The largest values that validation lets through, on a route that repeats them at length.
    let big = (2.0_f64.powi(53) / 4.0).floor() - 1.0;
    let table = Table::from_rows(vec![vec![0.0, big, big], vec![big, 0.0, big], vec![big, big, 0.0]]);
    let problem = Problem {
        demand: Some(vec![0.0, big, 0.0]),
        backhaul: Some(vec![0.0, 0.0, big]),
        capacity: Some(big),
        windows: Some(vec![[big, f64::INFINITY], [big, big], [0.0, f64::INFINITY]]),
        service: Some(vec![0.0, big, big]),
        limit: Some(big),
        max_duration: Some(big),
        ..Problem::vrp(table)
    };
    let instance = problem.validate().instance.expect("well formed");
    let routes = Routes(vec![[1, 2].repeat(3_000), vec![1, 2]]);
    let verdict = check(&instance, &routes);
    assert!(!verdict.feasible());
    assert_eq!(verdict.routes[0].distance, i64::MAX);
    assert!(!explain_plan(&instance, &routes).fits());
    assert!(!explain_stop(&instance, 2, &Routes(vec![vec![1; 50]])).fits());
}
