//! Each clause by itself, with every field of the violation.

use radar_check::{Clause, Violation, check};
use radar_problem::{Instance, Problem, Routes, Table};

/// Three stops on a line: 0 - 1 - 2 - 3, ten apart.
fn line() -> Problem {
    let row = |from: i32| (0..4).map(|to: i32| f64::from((from - to).abs() * 10)).collect();
    Problem::vrp(Table::from_rows((0..4).map(row).collect()))
}

fn built(problem: Problem) -> Instance {
    problem.validate().instance.expect("well formed")
}

fn violations(problem: Problem, routes: &[&[usize]]) -> Vec<Violation> {
    let routes = Routes(routes.iter().map(|nodes| nodes.to_vec()).collect());
    check(&built(problem), &routes).violations
}

type Fields = (Clause, Option<usize>, Option<usize>, Option<usize>, Option<usize>, i64);

/// Clause, route, position, node, other node, excess.
fn fields(violations: &[Violation]) -> Vec<Fields> {
    let field = |v: &Violation| (v.clause, v.route, v.position, v.node, v.other, v.excess);
    violations.iter().map(field).collect()
}

#[test]
fn unknown_depot_repeated_missing() {
    let found = violations(line(), &[&[1, 9], &[0, 1, 2]]);
    assert_eq!(
        fields(&found),
        [
            (Clause::UnknownNode, Some(0), Some(1), Some(9), None, 0),
            (Clause::DepotInside, Some(1), Some(0), Some(0), None, 0),
            (Clause::RepeatedStop, Some(1), Some(1), Some(1), Some(0), 0),
            (Clause::MissingStop, None, None, Some(3), None, 0),
        ]
    );
    let words: Vec<String> = found.iter().map(Violation::to_string).collect();
    assert_eq!(
        words,
        [
            "route #1 names node 9, but the nodes are 0 to 3",
            "route #2 has the depot at position 0",
            "route #2 visits stop 1 again, after route #1",
            "stop 3 is on no route",
        ]
    );
}

#[test]
fn every_repetition_counts() {
    let found = fields(&violations(line(), &[&[1, 1, 2, 1, 3]]));
    assert_eq!(
        found,
        [
            (Clause::RepeatedStop, Some(0), Some(1), Some(1), Some(0), 0),
            (Clause::RepeatedStop, Some(0), Some(3), Some(1), Some(0), 0),
        ]
    );
}

#[test]
fn the_fleet_counts_routes_in_use() {
    let fleet = |vehicles| Problem { vehicles: Some(vehicles), ..line() };
    assert!(violations(fleet(2), &[&[1], &[], &[2, 3], &[]]).is_empty());
    let found = violations(fleet(1), &[&[1], &[2], &[3]]);
    assert_eq!(fields(&found), [(Clause::TooManyRoutes, None, None, None, None, 2)]);
    assert_eq!(found[0].to_string(), "there are 3 routes, the fleet allows 1 (2 too many)");
}

#[test]
fn arcs_need_a_length_and_a_time() {
    let mut rows: Vec<Vec<f64>> = vec![vec![1.0; 4]; 4];
    rows[1][2] = f64::INFINITY;
    let timed = Problem { duration: Some(Table::from_rows(rows.clone())), ..line() };
    let arc = (Clause::UnreachableArc, Some(0), Some(1), Some(2), Some(1), 0);
    assert_eq!(fields(&violations(timed, &[&[1, 2, 3]])), [arc]);
    let mut far = Problem::vrp(Table::from_rows(rows.clone()));
    far.duration = Some(Table::from_rows(vec![vec![1.0; 4]; 4]));
    assert_eq!(fields(&violations(far, &[&[1, 2, 3]])), [arc]);
    rows[3][0] = f64::INFINITY;
    let back = (Clause::UnreachableArc, Some(0), Some(3), Some(0), Some(3), 0);
    let found = violations(Problem::vrp(Table::from_rows(rows.clone())), &[&[1, 2, 3]]);
    assert_eq!(fields(&found), [arc, back]);
    assert_eq!(found[1].to_string(), "route #1: no way leads from stop 3 to the depot");
    let open = Problem { open: true, ..Problem::vrp(Table::from_rows(rows)) };
    assert_eq!(fields(&violations(open, &[&[1, 2, 3]])), [arc]);
}

#[test]
fn overloads_are_bounded_separately_and_named_where_they_begin() {
    let loaded = |capacity| Problem {
        demand: Some(vec![0.0, 3.0, 4.0, 0.0]),
        backhaul: Some(vec![0.0, 0.0, 0.0, 7.5]),
        capacity: Some(capacity),
        ..line()
    };
    assert!(violations(loaded(7.5), &[&[1, 2, 3]]).is_empty());
    let found = violations(loaded(6.5), &[&[1, 2, 3]]);
    assert_eq!(
        fields(&found),
        [
            (Clause::DeliveryOverload, Some(0), Some(1), Some(2), None, 5),
            (Clause::PickupOverload, Some(0), Some(2), Some(3), None, 10),
        ]
    );
    assert_eq!(
        found[0].to_string(),
        "route #1 delivers 7, a vehicle holds 6.5 (0.5 too much, from stop 2 on)"
    );
    assert_eq!(
        found[1].to_string(),
        "route #1 picks up 7.5, a vehicle holds 6.5 (1 too much, from stop 3 on)"
    );
    assert_eq!(found[1].stated_excess(&built(loaded(6.5))), 1.0);
}

#[test]
fn deliveries_come_before_pickups() {
    let mixed = Problem {
        demand: Some(vec![0.0, 3.0, 0.0, 2.0]),
        backhaul: Some(vec![0.0, 0.0, 4.0, 0.0]),
        capacity: Some(9.0),
        ..line()
    };
    assert!(violations(mixed.clone(), &[&[1, 3, 2]]).is_empty());
    let found = violations(mixed, &[&[2, 1, 3]]);
    assert_eq!(
        fields(&found),
        [
            (Clause::DeliveryAfterPickup, Some(0), Some(1), Some(1), Some(2), 0),
            (Clause::DeliveryAfterPickup, Some(0), Some(2), Some(3), Some(2), 0),
        ]
    );
    assert_eq!(found[0].to_string(), "route #1: stop 1 receives goods after stop 2 has handed some over");
}

#[test]
fn the_first_pickup_is_named() {
    let mixed = Problem {
        demand: Some(vec![0.0, 0.0, 0.0, 2.0]),
        backhaul: Some(vec![0.0, 1.0, 1.0, 0.0]),
        capacity: Some(9.0),
        ..line()
    };
    let found = fields(&violations(mixed, &[&[1, 2, 3]]));
    assert_eq!(found, [(Clause::DeliveryAfterPickup, Some(0), Some(2), Some(3), Some(1), 0)]);
}

#[test]
fn lateness_is_reported_at_every_stop_and_at_the_depot() {
    let windows = |first: f64, second: f64, depot: f64| Problem {
        windows: Some(vec![[2.0, depot], [0.0, first], [0.0, second], [0.0, f64::INFINITY]]),
        service: Some(vec![0.0, 1.0, 1.0, 1.0]),
        ..line()
    };
    // Leaves at 2: reaches 12, 23, 34, leaves 35, back at 65.
    assert!(violations(windows(12.0, 23.0, 65.0), &[&[1, 2, 3]]).is_empty());
    let found = violations(windows(11.0, 20.5, 60.0), &[&[1, 2, 3]]);
    assert_eq!(
        fields(&found),
        [
            (Clause::LateArrival, Some(0), Some(0), Some(1), None, 10),
            (Clause::LateArrival, Some(0), Some(1), Some(2), None, 25),
            (Clause::LateReturn, Some(0), None, None, None, 50),
        ]
    );
    assert_eq!(
        found[1].to_string(),
        "route #1: stop 2 is reached at 23, its window closes at 20.5 (2.5 late)"
    );
    assert_eq!(found[2].to_string(), "route #1 is back at 65, the depot closes at 60 (5 late)");
    assert_eq!(found[1].stated_excess(&built(windows(11.0, 20.5, 60.0))), 2.5);
    let open = Problem { open: true, ..windows(12.0, 23.0, 3.0) };
    assert!(violations(open, &[&[1, 2, 3]]).is_empty(), "an open route has no return to be late for");
}

#[test]
fn length_counts_driving_and_the_way_back() {
    let limited =
        |limit: f64| Problem { limit: Some(limit), service: Some(vec![0.0, 9.0, 9.0, 9.0]), ..line() };
    assert!(violations(limited(60.0), &[&[1, 2, 3]]).is_empty());
    let back = violations(limited(59.5), &[&[1, 2, 3]]);
    assert_eq!(fields(&back), [(Clause::OverLimit, Some(0), None, None, None, 5)]);
    assert_eq!(back[0].to_string(), "route #1 is 60 long, the limit is 59.5 (0.5 too long, on the way back)");
    let there = violations(limited(20.0), &[&[], &[1, 2, 3]]);
    assert_eq!(fields(&there), [(Clause::OverLimit, Some(1), Some(2), Some(3), None, 40)]);
    assert_eq!(there[0].to_string(), "route #2 is 60 long, the limit is 20 (40 too long, from stop 3 on)");
    assert_eq!(there[0].stated_excess(&built(limited(20.0))), 40.0);
    let open = |limit| Problem { open: true, ..limited(limit) };
    assert!(violations(open(30.0), &[&[1, 2, 3]]).is_empty());
    assert_eq!(fields(&violations(open(29.0), &[&[1, 2, 3]]))[0].5, 1);
}

#[test]
fn a_shift_counts_travel_waiting_and_service() {
    let shift = |longest: f64| Problem {
        windows: Some(vec![[5.0, 500.0], [30.0, 40.0], [0.0, 90.0], [0.0, 90.0]]),
        service: Some(vec![0.0, 2.0, 3.0, 4.0]),
        max_duration: Some(longest),
        ..line()
    };
    // Leaves 5, reaches 15, waits to 30, leaves 32, 45, 59, back at 89: a shift of 84.
    assert!(violations(shift(84.0), &[&[1, 2, 3]]).is_empty());
    let back = violations(shift(83.0), &[&[1, 2, 3]]);
    assert_eq!(fields(&back), [(Clause::OverDuration, Some(0), None, None, None, 1)]);
    assert_eq!(
        back[0].to_string(),
        "route #1 takes 84, the longest allowed is 83 (1 too long, on the way back)"
    );
    let there = violations(shift(39.0), &[&[1, 2, 3]]);
    assert_eq!(fields(&there), [(Clause::OverDuration, Some(0), Some(1), Some(2), None, 45)]);
    assert!(violations(shift(40.0), &[&[1, 2, 3]])[0].position == Some(2), "leaving at the bound is within");
    let open = Problem { open: true, ..shift(54.0) };
    assert!(violations(open, &[&[1, 2, 3]]).is_empty());
}

#[test]
fn tours_are_one_list_from_node_0() {
    let tour = || Problem::atsp(line().distance);
    assert!(violations(tour(), &[&[0, 2, 1, 3]]).is_empty());
    assert!(violations(tour(), &[&[], &[0, 2, 1, 3]]).is_empty());
    let turned = violations(tour(), &[&[2, 1, 3, 0]]);
    assert_eq!(fields(&turned), [(Clause::TourShape, Some(0), Some(0), Some(2), None, 0)]);
    assert_eq!(turned[0].to_string(), "the tour starts at stop 2, not at node 0");
    let split = violations(tour(), &[&[0, 1], &[0, 2, 3]]);
    assert_eq!(
        fields(&split),
        [
            (Clause::TourShape, None, None, None, None, 1),
            (Clause::RepeatedStop, Some(1), Some(0), Some(0), Some(0), 0),
        ]
    );
    assert_eq!(split[0].to_string(), "a tour is one list, there are 2");
    assert_eq!(split[1].to_string(), "the tour visits stop 0 again, after the tour");
    let nothing = violations(tour(), &[]);
    assert_eq!(fields(&nothing)[0], (Clause::TourShape, None, None, None, None, 0));
    assert_eq!(nothing.len(), 5, "and four nodes are missing");
}

#[test]
fn names_and_units_are_the_users() {
    let mut problem = Problem { limit: Some(59.0), max_duration: Some(50.0), ..line() };
    problem.ids = Some(["depot", "Ada", "Ben", "Cy"].map(str::to_owned).to_vec());
    problem.units.distance = Some("km".to_owned());
    problem.units.duration = Some("min".to_owned());
    let words: Vec<String> = violations(problem, &[&[1, 3], &[]]).iter().map(Violation::to_string).collect();
    assert_eq!(
        words,
        [
            "stop 2 (`Ben`) is on no route",
            "route #1 is 60 km long, the limit is 59 km (1 km too long, on the way back)",
            "route #1 takes 60 min, the longest allowed is 50 min (10 min too long, on the way back)",
        ]
    );
}

#[test]
fn clause_names_are_distinct_and_stable() {
    let names: std::collections::BTreeSet<&str> = Clause::ALL.iter().map(|clause| clause.as_str()).collect();
    assert_eq!(names.len(), Clause::ALL.len());
    assert_eq!(format!("{:>15}|", Clause::LateArrival), "   late-arrival|");
}
