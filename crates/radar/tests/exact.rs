//! A few stops are solved to the optimum, whatever stands in the way, and plans that are given are used.

mod common;

use radar::{Budget, Features, Freeze, Method, Options, Problem, Routes, Silent, SolveError, Solver, Table};
use radar_kernel::random::Stream;

const FAR: f64 = f64::INFINITY;

/// Six stops of which few orders can be driven; `[[3, 5, 1], [4, 2], [6]]` is legal.
fn sparse() -> Problem {
    let rows = vec![
        vec![0.0, FAR, FAR, 21.0, 28.0, FAR, 42.0],
        vec![10.0, 0.0, FAR, FAR, 21.0, FAR, 35.0],
        vec![17.0, 10.0, 0.0, FAR, 14.0, FAR, FAR],
        vec![24.0, FAR, 10.0, 0.0, FAR, 14.0, 21.0],
        vec![31.0, 24.0, 17.0, 10.0, 0.0, 7.0, 14.0],
        vec![FAR, 31.0, FAR, FAR, 10.0, 0.0, 7.0],
        vec![45.0, 38.0, FAR, 24.0, FAR, 10.0, 0.0],
    ];
    Problem {
        demand: Some(vec![0.0, 1.0, 7.0, 2.0, 8.0, 7.0, 3.0]),
        capacity: Some(15.0),
        limit: Some(89.0),
        ..Problem::vrp(Table::from_rows(rows))
    }
}

fn rest() -> Options {
    Options { allow_unserved: true, ..Options::default() }
}

#[test]
fn a_problem_with_hardly_a_plan_is_solved_for_every_seed() {
    let best =
        radar_check::oracle::routes(&sparse().validate().instance.expect("well formed")).expect("a plan");
    for seed in 0..5 {
        let solver = Solver::new(Options { seed, ..Options::default() });
        let solution = solver.solve(sparse(), &Silent).expect("there is a plan");
        assert!(solution.optimal && solution.bound == Some(solution.cost));
        assert_eq!(solution.verdict.scaled_cost, Some(best.0));
        assert!(solution.method.contains("every plan weighed"), "{}", solution.method);
    }
}

#[test]
fn as_many_as_possible_are_served_at_the_least_cost() {
    // Three of five can be served by one vehicle.
    let rows = vec![
        vec![0.0, 0.0, FAR, 1.0, FAR, FAR],
        vec![0.0, 0.0, 1.0, FAR, 2.0, 2.0],
        vec![FAR, FAR, 0.0, 2.0, FAR, FAR],
        vec![FAR, FAR, 0.0, 0.0, 1.0, FAR],
        vec![1.0, 2.0, 2.0, 0.0, 0.0, FAR],
        vec![2.0, FAR, 2.0, 2.0, FAR, 0.0],
    ];
    let problem = Problem {
        demand: Some(vec![0.0, 0.0, 0.2, 0.4, 0.2, 0.3]),
        backhaul: Some(vec![0.0, 0.8, 0.0, 0.0, 0.0, 0.0]),
        capacity: Some(0.9),
        vehicles: Some(1),
        ..Problem::vrp(Table::from_rows(rows))
    };
    let solution = Solver::new(rest()).solve(problem.clone(), &Silent).expect("allowed");
    // Every plan was weighed, but nothing is called optimal, as on the wire, that leaves stops out.
    assert_eq!((solution.unserved.len(), solution.optimal, solution.bound), (2, false, None));
    assert!(solution.method.contains("every plan weighed") && !solution.interrupted);
    match Solver::default().solve(problem, &Silent) {
        Err(SolveError::Blocked(_) | SolveError::Incomplete { proved: true, .. }) => {}
        other => panic!("{other:?}"),
    }
    // The limit leaves a choice of whom to serve, and what that costs.
    let rows = vec![
        vec![0.0, 60.0, 31.0, 92.0, 56.0],
        vec![93.0, 0.0, 39.0, 90.0, 24.0],
        vec![87.0, 7.0, 0.0, 1.0, 96.0],
        vec![18.0, 69.0, 35.0, 0.0, 11.0],
        vec![34.0, 79.0, 66.0, 71.0, 0.0],
    ];
    let problem = Problem { limit: Some(98.0), ..Problem::vrp(Table::from_rows(rows)) };
    assert_eq!(Solver::new(rest()).solve(problem, &Silent).expect("allowed").cost, 77.0);
}

#[test]
fn a_fleet_too_small_is_told_the_least_that_would_do() {
    for seed in 0..20 {
        let mut problem = common::problem(Features::NONE, 6, 60 + seed);
        problem.vehicles = None;
        let Ok(free) = Solver::default().solve(problem.clone(), &Silent) else { continue };
        problem.vehicles = Some(1);
        match Solver::default().solve(problem.clone(), &Silent) {
            Err(SolveError::Incomplete { vehicles_needed: Some(needed), proved, .. }) => {
                assert!(proved && needed > 1 && needed <= free.routes.len());
                problem.vehicles = Some(needed - 1);
                assert!(Solver::default().solve(problem.clone(), &Silent).is_err());
                problem.vehicles = Some(needed);
                assert!(Solver::default().solve(problem, &Silent).is_ok());
            }
            Err(SolveError::Blocked(_)) | Ok(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn words_and_proof_agree() {
    // Numbers of full precision cannot be scaled to integers without loss.
    let stream = &mut Stream::new(3, "full precision", 0);
    let values = (0..900).map(|_| stream.between(1, 1 << 50) as f64 / (1_u64 << 50) as f64).collect();
    let tour = Problem::atsp(Table::from_values(30, 30, values));
    let values = (0..25).map(|_| stream.between(1, 1 << 50) as f64 / (1_u64 << 50) as f64).collect();
    let routes = Problem::vrp(Table::from_values(5, 5, values));
    for problem in [tour, routes] {
        let solution = Solver::default().solve(problem, &Silent).expect("a plan");
        assert!(!solution.optimal && !solution.instance.cost_scale().is_exact());
        assert!(solution.method.contains("for the rounded costs"), "{}", solution.method);
    }
}

#[test]
fn what_a_given_plan_leaves_out_is_put_in() {
    let told = |options: Options, problem: Problem| {
        let solution = Solver::new(options).solve(problem, &Silent).expect("a plan");
        let told: Vec<&str> = solution.warnings.iter().map(|warning| warning.code).collect();
        (solution.cost, solution.unserved.len(), told.join(" "))
    };
    for problem in [common::problem(Features::NONE, 25, 7), atsp(25)] {
        let problem = Problem { vehicles: None, ..problem };
        let Ok(best) = Solver::default().solve(problem.clone(), &Silent) else { panic!("a plan") };
        let mut routes = best.routes.clone();
        let longest = routes.0.iter_mut().max_by_key(|route| route.len()).expect("a route");
        longest.pop();
        // With hardly a step, what is found is the given plan with one stop put in.
        let warm = Options { warm: Some(routes), budget: Budget::steps(1), ..Options::default() };
        let (cost, unserved, warnings) = told(warm.clone(), problem.clone());
        let (cold, ..) = told(Options { warm: None, ..warm.clone() }, problem.clone());
        assert_eq!((unserved, warnings.as_str()), (0, "warm-plan-incomplete"));
        assert!(cost <= cold && cost <= 1.2 * best.cost, "{cost}, {cold} without, {} at best", best.cost);
        let construct = Options { method: Method::Construct, ..warm };
        assert_eq!(told(construct, problem).2, "warm-plan-incomplete");
    }
}

/// A tour whose assignment is no tour.
fn atsp(nodes: usize) -> Problem {
    let place = |node: usize| ((node * 37 % 101) as f64, (node * 53 % 97) as f64);
    let way = |from: usize, to: usize| {
        let (a, b) = (place(from), place(to));
        ((a.0 - b.0).abs() + (a.1 - b.1).abs() + (from % 3) as f64).round()
    };
    let rows = (0..nodes).map(|from| (0..nodes).map(|to| way(from, to)).collect()).collect();
    Problem::atsp(Table::from_rows(rows))
}

#[test]
fn a_freeze_that_says_nothing_of_some_routes_is_refused() {
    let freeze = |routes: Vec<Vec<usize>>, lengths: Vec<usize>| {
        let freeze = Some(Freeze { routes: Routes(routes), lengths });
        Solver::new(Options { freeze, ..Options::default() }).solve(sparse(), &Silent)
    };
    for lengths in [vec![], vec![1]] {
        let Err(SolveError::Frozen(cause)) = freeze(vec![vec![3, 5], vec![4]], lengths) else {
            panic!("refused")
        };
        assert!(cause.contains("there are 2"), "{cause}");
    }
    let Err(SolveError::Frozen(cause)) = freeze(vec![vec![3], vec![4]], vec![1, 3]) else {
        panic!("refused")
    };
    assert!(cause.contains("route #2"), "{cause}");
    let kept = freeze(vec![vec![3, 5], vec![4]], vec![2, 1]).expect("legal");
    assert!(kept.optimal && kept.routes.iter().any(|route| route.starts_with(&[3, 5])));
}
