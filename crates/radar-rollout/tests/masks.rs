//! Masks at their edges, by hand.

use radar_problem::{Instance, Problem, Table};
use radar_rollout::{Batch, Mask, Rules, State};

const GONE: f64 = f64::INFINITY;

fn instance(problem: Problem) -> Instance {
    problem.validate().instance.expect("well formed")
}

/// Every arc takes `step`.
fn even(nodes: usize, step: f64) -> Table {
    let cell = |from: usize, to: usize| if from == to { 0.0 } else { step };
    Table::from_rows((0..nodes).map(|from| (0..nodes).map(|to| cell(from, to)).collect()).collect())
}

/// The legal moves after driving through `path` from the depot, legal or not.
fn after(instance: &Instance, path: &[usize]) -> Vec<usize> {
    let mut state = State::new(instance, 0);
    let mut unvisited: u64 = instance.stops().map(|stop| 1 << stop).sum();
    for &node in path {
        state = state.after(instance, node).0;
        unvisited &= !(1 << node);
    }
    let mut mask = [0];
    Rules::new(instance).fill(&state, &[unvisited], &mut mask);
    Mask::new(&mask).iter().collect()
}

#[test]
fn the_depot_is_not_entered_from_itself() {
    let plain = instance(Problem::vrp(even(3, 1.0)));
    assert_eq!(after(&plain, &[]), [1, 2]);
    assert_eq!(after(&plain, &[1]), [0, 2]);
    assert_eq!(after(&plain, &[1, 0]), [2]);
    assert_eq!(after(&plain, &[1, 2]), [0]);
    assert_eq!(after(&plain, &[1, 2, 0]), [0]);
}

#[test]
fn capacity_may_be_filled_exactly() {
    let problem = Problem {
        demand: Some(vec![0.0, 3.0, 2.0, 2.1, 0.0]),
        capacity: Some(5.0),
        ..Problem::vrp(even(5, 1.0))
    };
    let problem = instance(problem);
    assert_eq!(after(&problem, &[1]), [0, 2, 4]);
    assert_eq!(after(&problem, &[1, 2]), [0, 4]);
    assert_eq!(after(&problem, &[1, 2, 0]), [3, 4]);
}

#[test]
fn pickups_end_deliveries_until_the_depot() {
    let problem = instance(Problem {
        demand: Some(vec![0.0, 1.0, 5.0, 0.0, 0.0, 0.0]),
        backhaul: Some(vec![0.0, 0.0, 0.0, 3.0, 2.0, 0.0]),
        capacity: Some(5.0),
        ..Problem::vrp(even(6, 1.0))
    });
    assert_eq!(after(&problem, &[]), [1, 2, 3, 4, 5]);
    assert_eq!(after(&problem, &[3]), [0, 4, 5]);
    // A stop without amounts in between does not make deliveries possible again.
    assert_eq!(after(&problem, &[3, 5]), [0, 4]);
    assert_eq!(after(&problem, &[3, 0]), [1, 2, 4, 5]);
    // Each load is bounded on its own, and exactly.
    assert_eq!(after(&problem, &[2]), [0, 3, 4, 5]);
    assert_eq!(after(&problem, &[2, 3]), [0, 4, 5]);
    let narrower = instance(Problem { capacity: Some(4.0), ..problem.input().clone() });
    assert_eq!(after(&narrower, &[3]), [0, 5]);
    assert_eq!(after(&narrower, &[3, 0]), [1, 4, 5]);
}

/// 0 to 1 is 4, 1 to 2 is 3, home is 5 from 1 and 6 from 2; 0 to 2 is 9.
fn line() -> Table {
    Table::from_rows(vec![vec![0.0, 4.0, 9.0], vec![5.0, 0.0, 3.0], vec![6.0, 8.0, 0.0]])
}

#[test]
fn the_limit_counts_the_way_home_unless_open() {
    let moves = |limit: f64, open: bool, path: &[usize]| {
        after(&instance(Problem { limit: Some(limit), open, ..Problem::vrp(line()) }), path)
    };
    assert_eq!(moves(15.0, false, &[]), [1, 2]);
    assert_eq!(moves(14.0, false, &[]), [1]);
    assert_eq!(moves(13.0, false, &[1]), [0, 2]);
    assert_eq!(moves(12.0, false, &[1]), [0]);
    assert_eq!(moves(9.0, true, &[]), [1, 2]);
    assert_eq!(moves(8.0, true, &[]), [1]);
    assert_eq!(moves(7.0, true, &[1]), [0, 2]);
    assert_eq!(moves(6.0, true, &[1]), [0]);
}

#[test]
fn windows_are_closed_intervals_and_early_waits() {
    let moves = |closes: f64, back: f64, open: bool, path: &[usize]| {
        let problem = Problem {
            windows: Some(vec![[10.0, back], [20.0, 30.0], [0.0, closes]]),
            service: Some(vec![0.0, 2.0, 1.0]),
            open,
            ..Problem::vrp(line())
        };
        after(&instance(problem), path)
    };
    // From the depot at 10: stop 2 is reached at 19; by way of stop 1 (20 to 22) at 25.
    assert_eq!(moves(19.0, GONE, false, &[]), [1, 2]);
    assert_eq!(moves(18.9, GONE, false, &[]), [1]);
    assert_eq!(moves(25.0, GONE, false, &[1]), [0, 2]);
    assert_eq!(moves(24.9, GONE, false, &[1]), [0]);
    // Home from stop 1 at 27, from stop 2 after it at 26 + 6, directly at 20 + 6.
    assert_eq!(moves(GONE, 27.0, false, &[]), [1, 2]);
    assert_eq!(moves(GONE, 26.9, false, &[]), [2]);
    assert_eq!(moves(GONE, 25.9, false, &[]), [0]);
    assert_eq!(moves(GONE, 32.0, false, &[1]), [0, 2]);
    assert_eq!(moves(GONE, 31.9, false, &[1]), [0]);
    assert_eq!(moves(GONE, 10.0, true, &[]), [1, 2]);
    assert_eq!(moves(25.0, 10.0, true, &[1]), [0, 2]);
    assert_eq!(moves(24.9, 10.0, true, &[1]), [0]);
}

#[test]
fn a_shift_runs_from_the_opening_of_the_depot() {
    let moves = |shift: f64, open: bool, path: &[usize]| {
        let problem = Problem {
            windows: Some(vec![[10.0, GONE], [20.0, GONE], [0.0, GONE]]),
            service: Some(vec![0.0, 2.0, 1.0]),
            max_duration: Some(shift),
            open,
            ..Problem::vrp(line())
        };
        after(&instance(problem), path)
    };
    assert_eq!(moves(17.0, false, &[]), [1, 2]);
    assert_eq!(moves(16.0, false, &[]), [2]);
    assert_eq!(moves(22.0, false, &[1]), [0, 2]);
    assert_eq!(moves(21.0, false, &[1]), [0]);
    assert_eq!(moves(12.0, true, &[]), [1, 2]);
    assert_eq!(moves(11.0, true, &[]), [2]);
    assert_eq!(moves(16.0, true, &[1]), [0, 2]);
    assert_eq!(moves(15.0, true, &[1]), [0]);
}

#[test]
fn a_shift_needs_no_windows() {
    let moves = |shift: f64| {
        let service = Some(vec![0.0, 2.0, 1.0]);
        after(&instance(Problem { max_duration: Some(shift), service, ..Problem::vrp(line()) }), &[1])
    };
    assert_eq!(moves(16.0), [0, 2]);
    assert_eq!(moves(15.0), [0]);
}

#[test]
fn windows_are_measured_on_durations_and_the_limit_on_distances() {
    let problem = |limit: f64, back: f64| Problem {
        duration: Some(even(3, 10.0)),
        limit: Some(limit),
        windows: Some(vec![[0.0, back], [0.0, GONE], [0.0, GONE]]),
        ..Problem::vrp(line())
    };
    assert_eq!(after(&instance(problem(13.0, 30.0)), &[1]), [0, 2]);
    assert_eq!(after(&instance(problem(12.0, 30.0)), &[1]), [0]);
    assert_eq!(after(&instance(problem(13.0, 29.0)), &[1]), [0]);
}

#[test]
fn the_fleet_is_not_exceeded_and_the_last_vehicle_does_not_go_home_early() {
    let moves = |vehicles: usize, path: &[usize]| {
        let demand = Some(vec![0.0, 2.0, 2.0, 2.0]);
        let problem =
            Problem { demand, capacity: Some(4.0), vehicles: Some(vehicles), ..Problem::vrp(even(4, 1.0)) };
        after(&instance(problem), path)
    };
    assert_eq!(moves(2, &[1]), [0, 2, 3]);
    assert_eq!(moves(2, &[1, 0, 2]), [3]);
    assert_eq!(moves(2, &[1, 0, 2, 3]), [0]);
    assert_eq!(moves(3, &[1, 0, 2]), [0, 3]);
    assert_eq!(moves(1, &[1]), [2, 3]);
    // Full, out on the last vehicle, one stop left: stuck.
    assert!(moves(1, &[1, 2]).is_empty());
    assert_eq!(moves(1, &[1, 2, 0]), [0]);
}

#[test]
fn missing_arcs_are_not_driven_nor_those_after_which_nobody_gets_home() {
    let rows = || {
        vec![
            vec![0.0, 1.0, 1.0, 1.0],
            vec![1.0, 0.0, GONE, 1.0],
            vec![1.0, 1.0, 0.0, 1.0],
            vec![GONE, 1.0, 1.0, 0.0],
        ]
    };
    let closed = instance(Problem::vrp(Table::from_rows(rows())));
    assert_eq!(after(&closed, &[]), [1, 2]);
    assert_eq!(after(&closed, &[1]), [0]);
    assert_eq!(after(&closed, &[2]), [0, 1]);
    let open = instance(Problem { open: true, ..Problem::vrp(Table::from_rows(rows())) });
    assert_eq!(after(&open, &[]), [1, 2, 3]);
    assert_eq!(after(&open, &[1]), [0, 3]);
    // Missing on the durations alone is missing all the same.
    let timed = Problem { duration: Some(Table::from_rows(rows())), ..Problem::vrp(even(4, 1.0)) };
    let timed = instance(timed);
    assert_eq!(after(&timed, &[]), [1, 2]);
    assert_eq!(after(&timed, &[1]), [0]);
    let untimed = Problem { duration: Some(even(4, 1.0)), ..Problem::vrp(Table::from_rows(rows())) };
    assert_eq!(after(&instance(untimed), &[1]), [0]);
}

#[test]
fn the_last_node_of_a_tour_leads_back_to_its_start() {
    // A ring one way round; the only arcs beside it are 0 to 2 and 3 to 1.
    let rows = vec![
        vec![0.0, 1.0, 1.0, GONE],
        vec![GONE, 0.0, 1.0, GONE],
        vec![GONE, GONE, 0.0, 1.0],
        vec![1.0, 1.0, GONE, 0.0],
    ];
    let ring = instance(Problem::atsp(Table::from_rows(rows)));
    let moves = |path: &[usize]| {
        let mut state = State::on_tour(&ring, path[0]);
        path[1..].iter().for_each(|&node| state = state.along(&ring, node).0);
        let unvisited = [(0..4).filter(|node| !path.contains(node)).map(|node| 1 << node).sum::<u64>()];
        let mut mask = [0];
        Rules::new(&ring).fill(&state, &unvisited, &mut mask);
        Mask::new(&mask).iter().collect::<Vec<_>>()
    };
    assert_eq!(moves(&[0]), [1, 2]);
    assert_eq!(moves(&[0, 1]), [2]);
    assert_eq!(moves(&[0, 1, 2]), [3]);
    assert!(moves(&[0, 2, 3]).is_empty());
    assert!(moves(&[0, 1, 2, 3]).is_empty());
}

#[test]
fn starts_are_what_can_be_served_first() {
    let rows = vec![vec![0.0, 1.0, GONE, 1.0], vec![1.0; 4], vec![1.0; 4], vec![GONE, 1.0, 1.0, 1.0]];
    let table = Table::from_rows(rows);
    assert_eq!(Rules::new(&instance(Problem::vrp(table.clone()))).starts(), [1]);
    assert_eq!(Rules::new(&instance(Problem { open: true, ..Problem::vrp(table.clone()) })).starts(), [1, 3]);
    assert_eq!(Rules::new(&instance(Problem::atsp(table))).starts(), [0, 1, 2, 3]);
}

#[test]
fn who_has_ended_stays_and_counts() {
    // Stop 2 is behind a missing arc: the trajectory ends in the depot without it.
    let rows = vec![vec![0.0, 1.0, GONE], vec![1.0, 0.0, GONE], vec![1.0, 1.0, 0.0]];
    let instance = instance(Problem::vrp(Table::from_rows(rows)));
    let rules = [Rules::new(&instance)];
    let mut batch = Batch::new(&rules, &[(0, 1)]);
    assert_eq!((batch.stride(), batch.masks()), (1, &[1][..]));
    assert!(!batch.ended(0));
    batch.advance(&[0]);
    assert!(batch.ended(0) && batch.is_done());
    assert_eq!(batch.mask(0).iter().collect::<Vec<_>>(), [0]);
    batch.advance(&[0]);
    let trajectory = &batch.finish()[0];
    assert!(!trajectory.complete && trajectory.plan().is_none());
    assert_eq!(trajectory.cost, 2);
}

#[test]
#[should_panic(expected = "not a legal move")]
fn an_illegal_move_is_refused() {
    let instance = instance(Problem::vrp(even(3, 1.0)));
    let rules = [Rules::new(&instance)];
    Batch::new(&rules, &[(0, 1)]).advance(&[1]);
}
