//! A bound that never binds is no bound, to the bit; one that does is seen.

use radar_net::Task;
use radar_problem::{Objective, Problem, Table};

use super::{apart, config, configs, contexts, instance, numbers, rich, rows, see};

/// Without any bound on lengths and times.
fn free(problem: Problem) -> Problem {
    Problem { windows: None, limit: None, max_duration: None, ..problem }
}

/// What leaves a free problem as it is.
fn never(problem: &Problem) -> Vec<Problem> {
    let nodes = problem.nodes();
    let endless = |close: f64| Some(vec![[0.0, close]; nodes]);
    let infinity = f64::INFINITY;
    let mut all = vec![Problem { windows: endless(infinity), ..problem.clone() }];
    // No number is infinite but some are beyond all integers; others are just farther than anybody drives.
    for most in [f64::MAX, 1e7] {
        let limit = problem.limit.or(Some(most));
        all.extend([
            Problem { limit, ..problem.clone() },
            Problem { windows: endless(most), ..problem.clone() },
            Problem { max_duration: Some(most), ..problem.clone() },
            Problem { limit, windows: endless(most), max_duration: Some(most), ..problem.clone() },
        ]);
    }
    all
}

#[test]
fn what_never_binds_is_absent_to_the_bit() {
    let timeless = Problem { service: None, duration: None, ..rich(9, 1) };
    let awkward = Problem {
        // Thirds have no exact decimals.
        distance: Table::from_rows(
            rows(9, 3).iter().map(|row| row.iter().map(|x| x / 3.0).collect()).collect(),
        ),
        ..timeless.clone()
    };
    // A limit of its own may put lengths on another scale than times.
    let limited = Problem { limit: Some(1.23456), ..free(awkward.clone()) };
    let problems = [free(rich(9, 1)), free(timeless), free(awkward), limited];
    for problem in problems {
        for open in [false, true] {
            for objective in [Objective::Distance, Objective::Duration] {
                let problem = Problem { open, ..problem.clone() };
                let free = instance(&problem).with_objective(objective);
                for other in never(&problem) {
                    let other = instance(&other).with_objective(objective);
                    for config in configs(Task::Vrp) {
                        assert_eq!(see(&config, &free), see(&config, &other));
                        assert_eq!(contexts(&config, &free), contexts(&config, &other));
                    }
                }
            }
        }
    }
}

#[test]
fn an_infinite_limit_stays_absent_beside_other_bounds() {
    let problem = Problem { limit: None, ..rich(9, 1) };
    let endless = Problem { limit: Some(f64::MAX), ..problem.clone() };
    let config = config(Task::Vrp);
    let (one, other) = (instance(&problem), instance(&endless));
    assert_eq!(see(&config, &one), see(&config, &other));
    assert_eq!(contexts(&config, &one), contexts(&config, &other));
}

#[test]
fn the_close_of_a_depot_that_nobody_returns_to_is_absent() {
    let mut problem = Problem { open: true, ..rich(9, 1) };
    let closing = instance(&problem);
    problem.windows.as_mut().expect("windows")[0][1] = f64::INFINITY;
    let config = config(Task::Vrp);
    assert_eq!(see(&config, &closing), see(&config, &instance(&problem)));
}

#[test]
fn what_binds_is_seen() {
    let config = config(Task::Vrp);
    let problem = free(rich(9, 1));
    let rich = rich(9, 1);
    let base = instance(&problem);
    let (seen, known) = (numbers(&config, &see(&config, &base)), contexts(&config, &base));
    for (other, in_context) in [
        (Problem { limit: rich.limit, ..problem.clone() }, true),
        (Problem { windows: rich.windows, ..problem.clone() }, true),
        (Problem { max_duration: rich.max_duration, ..problem.clone() }, true),
        (Problem { open: true, ..problem.clone() }, true),
        (Problem { capacity: Some(25.0), ..problem.clone() }, true),
        (Problem { service: None, ..problem.clone() }, true),
        (Problem { backhaul: None, ..problem.clone() }, true),
    ] {
        let other = instance(&other);
        assert!(apart(&seen, &numbers(&config, &see(&config, &other))) > 1e-3, "{}", other.variant());
        assert_eq!(apart(&known, &contexts(&config, &other)) > 1e-3, in_context, "{}", other.variant());
    }
}

#[test]
fn without_a_capacity_amounts_are_nothing_and_the_vehicle_stays_empty() {
    let endless = Problem { capacity: Some(f64::MAX), ..rich(9, 1) };
    let bare = Problem { demand: None, backhaul: None, capacity: None, ..rich(9, 1) };
    let config = config(Task::Vrp);
    let columns = config.columns();
    for problem in [endless, bare] {
        let instance = instance(&problem);
        let input = see(&config, &instance);
        for row in input.features().chunks_exact(columns).map(|row| &row[columns - 10..]) {
            assert_eq!(row[..2], [0.0, 0.0]);
        }
        assert_eq!(input.depot().expect("a depot")[columns - 3..], [0.0; 3]);
        for numbers in contexts(&config, &instance).chunks_exact(config.context()) {
            assert_eq!(numbers[..2], [1.0, 1.0]);
        }
    }
}
