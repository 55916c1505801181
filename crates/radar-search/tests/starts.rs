//! What a search is given: plans to start from, beginnings that must stay, a fleet, and somebody to ask.

mod common;

use std::sync::atomic::{AtomicUsize, Ordering};

use radar_check::check;
use radar_kernel::random::Stream;
use radar_problem::{Instance, Problem, Routes, Table};
use radar_search::{Outcome, Request};

fn run(instance: &Instance, starts: &[Routes], frozen: &[usize], most: u64) -> Outcome {
    let pace = common::steps(most);
    common::outcome(&Request { starts, frozen, searches: 2, ..common::request(instance, &pace) })
}

/// Any routes through all stops, some of them empty, or any tour.
fn drawn(stream: &mut Stream, instance: &Instance) -> Routes {
    let mut stops: Vec<usize> = (1..instance.nodes()).collect();
    stream.shuffle(&mut stops);
    if instance.is_tour() {
        return Routes(vec![[vec![0], stops].concat()]);
    }
    let mut routes = vec![Vec::new(); 1 + stream.index(instance.nodes())];
    for stop in stops {
        let route = stream.index(routes.len());
        routes[route].push(stop);
    }
    Routes(routes)
}

#[test]
fn a_start_is_never_made_worse() {
    let mut stream = Stream::new(1, "warm starts", 0);
    let mut kept = 0;
    for round in 0..400 {
        let stops = 1 + stream.index(9);
        let instance = match round % 4 {
            0 => common::tour(&mut stream, stops + 1),
            _ => common::routes(&mut stream, stops),
        };
        let starts: Vec<Routes> = (0..1 + round % 3).map(|_| drawn(&mut stream, &instance)).collect();
        let feasible = |start: &Routes| check(&instance, start).feasible();
        let costs =
            starts.iter().filter(|start| feasible(start)).map(|start| check(&instance, start).scaled_cost);
        let Some(best) = costs.flatten().min() else {
            run(&instance, &starts, &[], 0);
            continue;
        };
        kept += 1;
        for most in [0, 40] {
            let cost = run(&instance, &starts, &[], most).cost;
            assert!(cost.is_some_and(|cost| cost <= best), "round {round}: {cost:?} after {best}");
        }
    }
    assert!(kept > 80, "{kept}");
}

/// Arcs that cost nothing along `order` and one everywhere else.
fn along(order: &[usize]) -> Table {
    let nodes = order.len();
    let mut values = vec![1.0; nodes * nodes];
    for pair in order.windows(2) {
        values[pair[0] * nodes + pair[1]] = 0.0;
    }
    Table::from_values(nodes, nodes, values)
}

#[test]
fn empty_routes_take_no_vehicle() {
    // Each vehicle has hardly any choice; a start that has lost a route would end elsewhere.
    let instance = common::variant("AVRPTW", "tight", 60, 2, 1);
    let good = run(&instance, &[], &[], 3000);
    let mut routes = good.routes.expect("feasible");
    let instance = instance.with_vehicles(Some(routes.len()));
    routes.0.splice(0..0, vec![Vec::new(); 60]);
    let outcome = run(&instance, &[routes], &[], 0);
    assert!(outcome.cost.is_some_and(|cost| Some(cost) <= good.cost));
}

#[test]
fn missing_stops_are_put_in() {
    let mut stream = Stream::new(1, "parts of plans", 0);
    for index in 0..10 {
        let instance = common::variant(["ACVRP", "AOVRPBLTW"][index % 2], "paper", 20, 3, index as u64);
        let mut part = run(&instance, &[], &[], 0).routes.expect("feasible");
        part.0.iter_mut().for_each(|route| route.retain(|_| stream.chance(0.6)));
        assert!(run(&instance, &[part], &[], 0).routes.is_some());
    }
}

/// The least cost of any plan that goes on from these beginnings, by trying all.
fn best_behind(instance: &Instance, beginnings: &[Vec<usize>]) -> Option<i64> {
    let served = beginnings.concat();
    let mut missing = (1..instance.nodes()).filter(|stop| !served.contains(stop)).collect::<Vec<usize>>();
    fn fill(
        instance: &Instance,
        lengths: &[usize],
        plan: &mut Vec<Vec<usize>>,
        missing: &mut Vec<usize>,
    ) -> Option<i64> {
        let Some(stop) = missing.pop() else {
            let verdict = check(instance, &Routes(plan.clone()));
            return verdict.scaled_cost.filter(|_| verdict.feasible());
        };
        let mut best: Option<i64> = None;
        if !instance.is_tour() {
            plan.push(Vec::new());
        }
        for route in 0..plan.len() {
            for place in lengths.get(route).copied().unwrap_or(0)..=plan[route].len() {
                plan[route].insert(place, stop);
                let cost = fill(instance, lengths, plan, missing);
                best = best.into_iter().chain(cost).min();
                plan[route].remove(place);
            }
        }
        if !instance.is_tour() {
            plan.pop();
        }
        missing.push(stop);
        best
    }
    let lengths: Vec<usize> = beginnings.iter().map(Vec::len).collect();
    fill(instance, &lengths, &mut beginnings.to_vec(), &mut missing)
}

fn assert_kept(outcome: &Outcome, beginnings: &[Vec<usize>]) {
    let Some(routes) = &outcome.routes else { return };
    for beginning in beginnings.iter().filter(|beginning| !beginning.is_empty()) {
        let is_kept = routes.iter().any(|route| route.starts_with(beginning));
        assert!(is_kept, "{beginning:?} does not begin a route of {routes:?}");
    }
}

#[test]
fn beginnings_stay_and_the_rest_is_solved() {
    let mut stream = Stream::new(4, "frozen beginnings", 0);
    let (mut found, mut none) = (0, 0);
    for round in 0..250 {
        let stops = 1 + stream.index(7);
        let instance = match round % 4 {
            0 => common::tour(&mut stream, stops + 1),
            _ => common::routes(&mut stream, stops),
        };
        let mut start = drawn(&mut stream, &instance);
        // Some stops are new; at most four are not frozen.
        for route in &mut start.0 {
            route.retain(|&stop| stop == 0 || stream.chance(0.8));
        }
        start.0.truncate(instance.vehicles().unwrap_or(usize::MAX).min(stops));
        let mut frozen: Vec<usize> = start.iter().map(|route| stream.index(route.len() + 1)).collect();
        while stops - stops_of(&start, &frozen) > 4 {
            let Some(at) = (0..frozen.len()).find(|&at| frozen[at] < start.0[at].len()) else { break };
            frozen[at] += 1;
        }
        if instance.is_tour() {
            frozen[0] = frozen[0].max(1);
        }
        let beginnings: Vec<Vec<usize>> =
            start.iter().zip(&frozen).map(|(route, &length)| route[..length].to_vec()).collect();
        if stops - stops_of(&start, &frozen) > 4 || frozen.iter().all(|&length| length == 0) {
            continue;
        }
        let exact = best_behind(&instance, &beginnings);
        let starts = [start];
        for most in [800, 40_000] {
            let outcome = run(&instance, &starts, &frozen, most);
            assert_kept(&outcome, &beginnings);
            if outcome.cost == exact {
                break;
            }
            assert!(
                most == 800,
                "round {round}: {:?} instead of {exact:?} behind {beginnings:?}",
                outcome.cost
            );
        }
        *(if exact.is_some() { &mut found } else { &mut none }) += 1;
    }
    assert!(found > 60 && none > 20, "{found} feasible, {none} not");
}

/// How many stops the beginnings of this length serve.
fn stops_of(routes: &Routes, lengths: &[usize]) -> usize {
    routes
        .iter()
        .zip(lengths)
        .map(|(route, &length)| route[..length].iter().filter(|&&stop| stop != 0).count())
        .sum()
}

#[test]
fn new_stops_go_behind_long_beginnings() {
    for (index, name) in ["ACVRP", "AVRPL", "AOVRPB", "AVRPTW", "ATSP"].into_iter().enumerate() {
        let instance = match name {
            "ATSP" => common::sampled("tmat", &[("n", "40")], 6, 0),
            _ => common::variant(name, "paper", 40, 6, index as u64),
        };
        let mut start = run(&instance, &[], &[], 200).routes.expect("feasible");
        let frozen: Vec<usize> = start.iter().map(|route| route.len() / 2 + 1).collect();
        let halves =
            start.iter().zip(&frozen).map(|(route, &length)| route[..length.min(route.len())].to_vec());
        let beginnings: Vec<Vec<usize>> = halves.collect();
        let frozen: Vec<usize> = beginnings.iter().map(Vec::len).collect();
        // Every second stop behind the beginnings is new.
        for (route, beginning) in start.0.iter_mut().zip(&beginnings) {
            let rest = route.split_off(beginning.len());
            route.extend(rest.into_iter().step_by(2));
        }
        let outcome = run(&instance, &[start], &frozen, 200);
        assert!(outcome.routes.is_some(), "{name}");
        assert_kept(&outcome, &beginnings);
    }
}

#[test]
fn beginnings_stay_with_fewer_vehicles_than_routes() {
    // Two routes were planned, one vehicle is left, and it has set out on the second.
    let problem = Problem { vehicles: Some(1), ..Problem::vrp(along(&[0, 1, 2, 3])) };
    let instance = problem.validate().instance.expect("well formed");
    assert_eq!(run(&instance, &[], &[], 100).cost, Some(1));
    let outcome = run(&instance, &[Routes(vec![vec![1, 2], vec![3]])], &[0, 1], 100);
    assert_eq!(outcome.routes, Some(Routes(vec![vec![3, 1, 2]])));
}

/// Six stops of 5 each for vehicles that hold 10.
fn pairs(vehicles: usize) -> Instance {
    let mut stream = Stream::new(1, "pairs", 0);
    let values = (0..49).map(|_| stream.between(1, 99) as f64).collect();
    let demand = Some([vec![0.0], vec![5.0; 6]].concat());
    let distance = Table::from_values(7, 7, values);
    let problem =
        Problem { demand, capacity: Some(10.0), vehicles: Some(vehicles), ..Problem::vrp(distance) };
    problem.validate().instance.expect("well formed")
}

#[test]
fn a_fleet_is_kept_to_or_nothing_is_returned() {
    assert_eq!(run(&pairs(1), &[], &[], 300).cost, None);
    assert_eq!(run(&pairs(2), &[], &[], 300).cost, None);
    for vehicles in 3..=6 {
        let instance = pairs(vehicles);
        let outcome = run(&instance, &[], &[], 300);
        assert_eq!(outcome.cost, common::optimum(&instance).map(|best| best.0));
        assert!(outcome.routes.is_some_and(|routes| routes.len() <= vehicles));
    }
}

#[test]
fn rescue_is_asked_when_nothing_else_helps() {
    let mut stream = Stream::new(7, "rescue", 0);
    let (mut rescued, mut managed, mut lost) = (0, 0, 0);
    for round in 0..1500 {
        let instance = common::routes(&mut stream, 3 + round % 4);
        let best = std::sync::OnceLock::new();
        let optimum = || best.get_or_init(|| common::optimum(&instance)).clone();
        let asked = AtomicUsize::new(0);
        let rescue = || {
            asked.fetch_add(1, Ordering::Relaxed);
            optimum().map(|best| best.1)
        };
        let pace = common::steps(0);
        let request =
            Request { rescue: Some(&rescue), searches: 1 + round % 3, ..common::request(&instance, &pace) };
        let outcome = common::outcome(&request);
        match asked.load(Ordering::Relaxed) {
            0 => {
                assert!(outcome.routes.is_some(), "round {round}");
                managed += 1;
            }
            1 => {
                assert_eq!(outcome.cost, optimum().map(|best| best.0), "round {round}");
                *(if outcome.cost.is_some() { &mut rescued } else { &mut lost }) += 1;
            }
            times => panic!("asked {times} times"),
        }
    }
    assert!(rescued > 5 && managed > 300 && lost > 50, "{rescued} rescued, {managed} managed, {lost} lost");
}

#[test]
fn a_bad_rescue_is_no_worse_than_none() {
    let instance = pairs(2);
    let pace = common::steps(50);
    let answers = [
        None,
        Some(Routes(vec![])),
        Some(Routes((1..7).map(|stop| vec![stop]).collect())),
        Some(Routes(vec![vec![1, 2]])),
    ];
    for answer in answers {
        let rescue = || answer.clone();
        let request = Request { rescue: Some(&rescue), ..common::request(&instance, &pace) };
        assert_eq!(common::outcome(&request).cost, None, "{answer:?}");
    }
}

#[test]
fn nobody_is_asked_about_a_plan_that_must_stay() {
    let instance = pairs(3);
    let pace = common::steps(50);
    let rescue = || -> Option<Routes> { panic!("asked") };
    let start = [Routes(vec![vec![1, 2, 3], vec![4]])];
    let request = Request {
        starts: &start,
        frozen: &[3, 0],
        rescue: Some(&rescue),
        ..common::request(&instance, &pace)
    };
    assert_eq!(common::outcome(&request).cost, None);
    // Nor about one that is feasible already.
    let start = [Routes(vec![vec![1, 2], vec![3, 4], vec![5, 6]])];
    let request = Request { starts: &start, frozen: &[], ..request };
    assert!(common::outcome(&request).cost.is_some());
}

#[test]
fn few_stops_behind_a_frozen_one_are_put_in_the_best_order() {
    let rows = [
        [0, 60, 90, 94, 98],
        [82, 0, 91, 16, 99],
        [94, 81, 0, 81, 89],
        [26, 18, 29, 0, 19],
        [14, 97, 20, 36, 0],
    ];
    let rows = rows.iter().map(|row| row.iter().map(|&way| f64::from(way)).collect()).collect();
    let problem = Problem {
        demand: Some(vec![0.0, 0.0, 0.0, 3.0, 3.0]),
        capacity: Some(8.0),
        ..Problem::vrp(Table::from_rows(rows))
    };
    let instance = problem.validate().instance.expect("well formed");
    let outcome = run(&instance, &[Routes(vec![vec![4]])], &[1], 1000);
    assert_eq!(outcome.cost, Some(241));
}
