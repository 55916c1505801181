//! The schedule against a slower second opinion.

use radar_check::{RouteReport, Visit, check};
use radar_problem::{Instance, Objective, Problem, Routes, Table, UNREACHABLE};

use crate::random::{self, Dice};

fn built(problem: Problem) -> Instance {
    problem.validate().instance.expect("well formed")
}

#[test]
fn a_route_by_hand() {
    let distance = Table::from_rows(vec![
        vec![0.0, 10.0, 99.0, 99.0],
        vec![99.0, 0.0, 5.5, 99.0],
        vec![99.0, 99.0, 0.0, 20.0],
        vec![7.0, 99.0, 99.0, 0.0],
    ]);
    let duration = Table::from_rows(vec![
        vec![0.0, 1.0, 9.0, 9.0],
        vec![9.0, 0.0, 2.0, 9.0],
        vec![9.0, 9.0, 0.0, 3.0],
        vec![4.0, 9.0, 9.0, 0.0],
    ]);
    let problem = Problem {
        duration: Some(duration),
        demand: Some(vec![0.0, 3.0, 4.0, 0.0]),
        backhaul: Some(vec![0.0, 0.0, 0.0, 6.0]),
        capacity: Some(9.0),
        windows: Some(vec![[100.0, 200.0], [0.0, 300.0], [110.0, 112.0], [0.0, f64::INFINITY]]),
        service: Some(vec![0.0, 1.0, 2.0, 3.0]),
        ..Problem::vrp(distance)
    };
    let instance = built(problem);
    let verdict = check(&instance, &Routes(vec![vec![1, 2, 3]]));
    assert!(verdict.feasible());
    let visit = |position, node, arrival, wait, start, leave, load| Visit {
        position,
        node,
        arrival,
        wait,
        start,
        leave,
        load,
    };
    let expected = RouteReport {
        distance: 425,
        cost: Some(42.5),
        scaled_cost: Some(425),
        duration: 22,
        delivered: 7,
        picked_up: 6,
        departure: 100,
        // Stop 2 may start at 112, hence be left for at 110, stop 1 at 109, the depot at 108.
        latest_departure: Some(108),
        returns: Some(122),
        stops: vec![
            visit(0, 1, 101, 0, 101, 102, 4),
            visit(1, 2, 104, 6, 110, 112, 0),
            visit(2, 3, 115, 0, 115, 118, 6),
        ],
    };
    assert_eq!(verdict.routes, [expected]);
    assert_eq!((verdict.cost, verdict.scaled_cost), (Some(42.5), Some(425)));

    let quick = check(&instance.with_objective(Objective::Duration), &Routes(vec![vec![1, 2, 3]]));
    assert_eq!((quick.cost, quick.scaled_cost), (Some(10.0), Some(10)));
}

#[test]
fn costs_add_up_over_routes_and_empty_ones_do_nothing() {
    let distance = Table::from_rows(vec![vec![0.0, 2.0, 3.0], vec![4.0, 0.0, 8.0], vec![5.0, 9.0, 0.0]]);
    let verdict = check(&built(Problem::vrp(distance)), &Routes(vec![vec![2], vec![], vec![1]]));
    assert_eq!((verdict.cost, verdict.scaled_cost), (Some(14.0), Some(14)));
    let idle = &verdict.routes[1];
    assert_eq!((idle.distance, idle.duration, idle.cost, idle.returns), (0, 0, Some(0.0), None));
    assert_eq!((idle.latest_departure, idle.stops.len()), (None, 0));
}

#[test]
fn a_missing_arc_takes_no_time_and_has_no_cost() {
    let no = f64::INFINITY;
    let distance = Table::from_rows(vec![vec![0.0, 2.0, 3.0], vec![4.0, 0.0, no], vec![5.0, 9.0, 0.0]]);
    let verdict = check(&built(Problem::vrp(distance)), &Routes(vec![vec![1, 2]]));
    let route = &verdict.routes[0];
    assert_eq!((verdict.cost, verdict.scaled_cost, route.cost, route.scaled_cost), (None, None, None, None));
    assert_eq!((route.distance, route.stops[1].arrival, route.returns), (7, 2, Some(7)));
}

#[test]
fn a_tour_is_a_circle_with_a_schedule() {
    let distance = Table::from_rows(vec![vec![0.0, 2.0, 3.0], vec![4.0, 0.0, 8.0], vec![5.0, 9.0, 0.0]]);
    let instance = built(Problem::atsp(distance));
    let tour = check(&instance, &Routes(vec![vec![0, 1, 2]]));
    assert!(tour.feasible());
    assert_eq!(tour.cost, Some(15.0));
    let times: Vec<_> =
        tour.routes[0].stops.iter().map(|stop| (stop.position, stop.node, stop.arrival)).collect();
    assert_eq!(times, [(0, 0, 0), (1, 1, 2), (2, 2, 10)]);
    assert_eq!(tour.routes[0].returns, Some(15));
    assert_eq!(check(&instance, &Routes(vec![vec![2, 0, 1]])).cost, Some(15.0));

    let alone = built(Problem::atsp(Table::from_rows(vec![vec![0.0]])));
    let verdict = check(&alone, &Routes(vec![vec![0]]));
    assert!(verdict.feasible());
    assert_eq!((verdict.cost, verdict.scaled_cost), (Some(0.0), Some(0)));
    assert_eq!(verdict.routes[0].stops.len(), 1);
}

/// Starts and the end of a route that leaves at `departure`.
fn shifted(instance: &Instance, nodes: &[usize], departure: i64) -> (Vec<i64>, i64) {
    let travel = |from: usize, to: usize| match instance.duration().at(from, to) {
        UNREACHABLE => 0,
        time => time,
    };
    let (mut clock, mut place, mut starts) = (departure, 0, vec![]);
    for &node in nodes {
        clock = (clock + travel(place, node)).max(instance.opens(node));
        starts.push(clock);
        clock += instance.service(node);
        place = node;
    }
    (starts, if instance.is_open() { clock } else { clock + travel(place, 0) })
}

#[test]
fn the_latest_departure_is_the_latest() {
    let (mut bounded, mut free, mut moved) = (0, 0, 0);
    for (number, features) in random::cases(1600) {
        let dice = &mut Dice::new(number as u64);
        let instance = random::instance(dice, 1 + number % 5, features);
        let routes = random::plan(dice, instance.stops().collect());
        let verdict = check(&instance, &routes);
        for (nodes, report) in routes.iter().zip(&verdict.routes).filter(|(nodes, _)| !nodes.is_empty()) {
            let (now, end) = shifted(&instance, nodes, report.departure);
            assert_eq!(now, report.stops.iter().map(|stop| stop.start).collect::<Vec<_>>());
            assert_eq!(end, report.departure + report.duration);
            assert_eq!(report.returns, (!instance.is_open()).then_some(end));
            let harmless = |departure: i64| {
                let (starts, later) = shifted(&instance, nodes, departure);
                let windows = nodes
                    .iter()
                    .zip(starts.iter().zip(&now))
                    .all(|(&node, (&start, &now))| start <= now.max(instance.closes(node)));
                let home = instance.is_open() || later <= end.max(instance.closes(0));
                let shift = later <= end.max(instance.opens(0) + instance.max_duration());
                windows && home && shift
            };
            match report.latest_departure {
                Some(latest) => {
                    assert!(latest >= report.departure && harmless(latest) && !harmless(latest + 1));
                    bounded += 1;
                    moved += usize::from(latest > report.departure);
                }
                None => {
                    assert!(harmless(1_000_000_000_000));
                    free += 1;
                }
            }
        }
    }
    assert!(bounded > 500 && free > 500 && moved > 100, "{bounded} {free} {moved}");
}
