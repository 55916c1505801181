//! What the solver promises, on small problems of every variant.

mod common;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use radar::{
    Budget, Clock, EdgePrior, Event, Features, Freeze, Method, Options, Problem, Progress, Routes, Severity,
    Silent, SolveError, Solver, Table,
};
use radar_check::{check, oracle};
use radar_sample::Distribution;

fn serving_the_rest() -> Solver {
    Solver::new(Options { allow_unserved: true, ..Options::default() })
}

#[test]
fn answers_are_legal_and_as_good_as_the_oracles() {
    let (mut solved, mut blocked, mut missed, mut proved) = (0, 0, 0, 0);
    for (number, features) in Features::every().enumerate() {
        for seed in 0..40 {
            let problem = common::problem(features, 1 + seed as usize % 6, 100 * number as u64 + seed);
            let best = problem.clone().validate().instance.and_then(|instance| oracle::routes(&instance));
            match Solver::default().solve(problem, &Silent) {
                Ok(solution) => {
                    solved += 1;
                    let verdict = check(&solution.instance, &solution.routes);
                    assert!(verdict.feasible(), "{:?}", verdict.violations);
                    assert_eq!(verdict.cost, Some(solution.cost));
                    let (optimum, _) = best.expect("a plan exists");
                    assert_eq!(verdict.scaled_cost, Some(optimum), "{features:?} {seed}");
                    let bound = solution.bound.expect("complete plans have one");
                    assert!(bound <= solution.cost, "{features:?} {seed}");
                    proved += usize::from(solution.optimal);
                }
                Err(SolveError::Blocked(_)) => {
                    blocked += 1;
                    assert!(best.is_none(), "a blocker is a proof: {features:?} {seed}");
                }
                Err(SolveError::Incomplete { unserved, .. }) => {
                    missed += 1;
                    assert!(!unserved.is_empty());
                    assert!(best.is_none(), "there is a plan: {features:?} {seed}");
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
    assert!(solved > 200 && blocked > 50, "{solved} solved, {blocked} blocked, {missed} not found");
    assert!(proved > 20, "{proved}");
}

#[test]
fn the_rest_is_served_and_reasons_are_given() {
    let mut partial = 0;
    for (number, features) in Features::every().enumerate() {
        for seed in 0..25 {
            let problem = common::problem(features, 5, 1000 + 100 * number as u64 + seed);
            let solution = serving_the_rest().solve(problem, &Silent).expect("allowed to leave stops out");
            let served: usize = solution.routes.iter().map(Vec::len).sum();
            assert_eq!(served + solution.unserved.len(), 5);
            assert!(solution.unserved.iter().all(|stop| !stop.reasons.is_empty()));
            for stop in &solution.unserved {
                let explanation = radar_check::explain_stop(&solution.instance, stop.node, &solution.routes);
                assert!(!explanation.fits(), "a stop is left out that fits: {explanation}");
            }
            let missing: Vec<usize> =
                solution.verdict.violations.iter().filter_map(|violation| violation.node).collect();
            let declared: Vec<usize> = solution.unserved.iter().map(|stop| stop.node).collect();
            assert_eq!(missing, declared, "nothing but the declared stops is missing");
            if !solution.unserved.is_empty() {
                partial += 1;
                assert_eq!(solution.bound, None);
            }
        }
    }
    assert!(partial > 50, "{partial}");
}

#[test]
fn malformed_problems_are_refused_with_all_findings() {
    let problem = Problem { capacity: Some(-1.0), vehicles: Some(0), ..Problem::vrp(Table::default()) };
    let Err(SolveError::Malformed(findings)) = Solver::default().solve(problem, &Silent) else {
        panic!("malformed")
    };
    assert!(findings.len() >= 3 && findings.iter().all(|finding| finding.severity() == Severity::Error));
}

#[test]
fn a_warm_start_never_comes_back_worse() {
    for seed in 0..60 {
        let features = Features::every().nth(seed as usize % 16).expect("sixteen");
        let problem = common::problem(features, 6, 5000 + seed);
        let Some(instance) = problem.clone().validate().instance else { panic!("well formed") };
        let Some((optimum, routes)) = oracle::routes(&instance) else { continue };
        let solver = Solver::new(Options { warm: Some(routes), ..Options::default() });
        let solution = solver.solve(problem, &Silent).expect("the given plan at least");
        assert_eq!(solution.verdict.scaled_cost, Some(optimum));
    }
}

/// A search that began as hot as from nothing would forget such a plan, and in so few steps find no other one as good.
#[test]
fn a_search_goes_on_from_a_good_plan() {
    let law = Distribution::named("acvrp", &[("n", "150")], None).expect("ours");
    let better = (0..6).filter(|&index| {
        let problem = law.sample(31, index).problem;
        let solve = |seed, steps, warm| {
            let options = Options { seed, budget: Budget::steps(steps), warm, ..Options::default() };
            Solver::new(options).solve(problem.clone(), &Silent).expect("a plan")
        };
        let good = solve(1, 12_000, None);
        let longer = solve(2, 4_000, Some(good.routes.clone()));
        assert!(longer.cost <= good.cost);
        longer.cost < good.cost
    });
    let better = better.count();
    assert!(better >= 4, "{better} of 6");
}

/// Lengths that are the same there and back: every tour costs as much as its reverse, summed in another order.
fn there_and_back(length: impl Fn(f64) -> f64) -> Problem {
    let nodes = 9;
    let of = |from: usize, to: usize| length(((from * to * 31 + 7 * (from + to)) % 89 + 1) as f64);
    let row = |from: usize| (0..nodes).map(|to| if from == to { 0.0 } else { of(from, to) }).collect();
    Problem::atsp(Table::from_rows((0..nodes).map(row).collect()))
}

#[test]
fn a_plan_that_costs_the_same_does_not_replace_the_given_one() {
    // Decimals that scaling keeps, and such as it rounds.
    for problem in [there_and_back(|whole| whole / 10.0), there_and_back(|whole| whole.sqrt())] {
        let best = Solver::default().solve(problem.clone(), &Silent).expect("a tour").routes.0.remove(0);
        let reversed: Vec<usize> = best[..1].iter().chain(best[1..].iter().rev()).copied().collect();
        for tour in [best, reversed] {
            for method in [Method::Auto, Method::Search, Method::Construct] {
                let (given, watcher) = (Routes(vec![tour.clone()]), Patient(Mutex::new(Vec::new())));
                let solver = Solver::new(Options { method, warm: Some(given.clone()), ..Options::default() });
                let solution = solver.solve(problem.clone(), &watcher).expect("the given plan at least");
                assert_eq!(solution.routes, given, "{method:?}: {}", solution.method);
                assert_eq!(Some(solution.cost), check(&solution.instance, &given).cost);
                let events = watcher.0.into_inner().expect("nobody else");
                let told = events.iter().rev().find_map(|event| match event {
                    Event::Incumbent { plan, .. } => Some(plan.clone()),
                    _ => None,
                });
                assert_eq!(told, Some(solution.routes), "what is told last is the answer");
            }
        }
    }
}

#[test]
fn nor_does_one_that_costs_less_only_when_rounded() {
    // Beside the long ways two decimals are kept: four times 0.0049 is nothing then, and 0.006 is 0.01.
    const LONG: f64 = 1e13;
    let rows = vec![
        vec![0.0, 0.0049, LONG, 0.006],
        vec![0.0, 0.0, 0.0049, LONG],
        vec![LONG, 0.0, 0.0, 0.0049],
        vec![0.0049, LONG, 0.0, 0.0],
    ];
    for method in [Method::Auto, Method::Construct] {
        let solve = |warm: Option<Routes>| {
            let solver = Solver::new(Options { method, warm, ..Options::default() });
            solver.solve(Problem::atsp(Table::from_rows(rows.clone())), &Silent).expect("a tour")
        };
        let (free, given) = (solve(None), Routes(vec![vec![0, 3, 2, 1]]));
        assert_eq!((free.routes.0, free.verdict.scaled_cost), (vec![vec![0, 1, 2, 3]], Some(0)));
        let kept = solve(Some(given.clone()));
        assert_eq!((kept.routes, kept.cost, kept.optimal), (given, 0.006, false));
    }
}

#[test]
fn a_tour_to_start_from_may_be_told_from_any_of_its_nodes() {
    let problem = there_and_back(|whole| whole);
    let best = Solver::default().solve(problem.clone(), &Silent).expect("a tour");
    for first in 0..9 {
        let mut tour = best.routes.0[0].clone();
        tour.rotate_left(first);
        let warm = Some(Routes(vec![tour, Vec::new()]));
        let solver = Solver::new(Options { method: Method::Construct, warm, ..Options::default() });
        let solution = solver.solve(problem.clone(), &Silent).expect("a tour");
        assert_eq!((&solution.routes, &solution.warnings[..]), (&best.routes, &[][..]));
    }
}

#[test]
fn nor_does_a_mediocre_one_when_there_is_no_time_for_better() {
    let (mut kept, mut improved) = (0, 0);
    for (number, features) in Features::every().enumerate() {
        for seed in 0..6 {
            let problem = common::problem(features, 12, 7000 + 50 * number as u64 + seed);
            let instance = problem.clone().validate().instance.expect("well formed");
            // Every stop alone is a plan, and a bad one.
            let alone = Routes(instance.stops().map(|stop| vec![stop]).collect());
            let verdict = check(&instance, &alone);
            let Some(given) = verdict.scaled_cost.filter(|_| verdict.feasible()) else { continue };
            for budget in
                [Budget::steps(0), Budget::steps(1), Budget::time(Duration::ZERO), Budget::steps(200)]
            {
                let solver = Solver::new(Options { warm: Some(alone.clone()), budget, ..Options::default() });
                let cost =
                    solver.solve(problem.clone(), &Silent).expect("the given plan").verdict.scaled_cost;
                let cost = cost.expect("complete");
                assert!(
                    cost <= given,
                    "{cost} is worse than the given {given}: {features:?} {seed} {budget:?}"
                );
                *(if cost == given { &mut kept } else { &mut improved }) += 1;
            }
        }
    }
    assert!(kept + improved > 60 && improved > 30, "{kept} {improved}");
}

/// Believes in arcs to the next number, and remembers the highest node it was asked about.
#[derive(Debug, Default)]
struct Onwards(AtomicU64);

impl EdgePrior for Onwards {
    fn belief(&self, from: usize, to: usize) -> f32 {
        self.0.fetch_max(from.max(to) as u64, Ordering::Relaxed);
        if to == from + 1 { 1.0 } else { 0.0 }
    }
}

#[test]
fn beliefs_are_asked_for_in_the_numbers_of_the_problem() {
    // Stop 3 cannot be reached; the last of the others is 20.
    let arc = |from: usize, to: usize| match to {
        3 => f64::INFINITY,
        _ => ((from * 7 + to * 13) % 23 + 1) as f64,
    };
    let rows = (0..21).map(|from| (0..21).map(|to| if from == to { 0.0 } else { arc(from, to) }).collect());
    let problem = Problem::vrp(Table::from_rows(rows.collect()));
    let prior = Arc::new(Onwards::default());
    let options = Options { prior: Some(prior.clone()), allow_unserved: true, ..Options::default() };
    let solution = Solver::new(options).solve(problem, &Silent).expect("the others can be served");
    assert_eq!(solution.unserved.len(), 1);
    assert_eq!(prior.0.load(Ordering::Relaxed), 20);
}

#[test]
fn frozen_beginnings_stay_and_the_rest_goes_behind_them() {
    let mut kept = 0;
    for (number, features) in Features::every().enumerate() {
        for seed in 0..10 {
            let problem = common::problem(features, 6, 900 + 50 * number as u64 + seed);
            let Ok(free) = Solver::default().solve(problem.clone(), &Silent) else { continue };
            // Drive the first two stops of every route the other way round, if that is allowed.
            let routes: Vec<Vec<usize>> =
                free.routes.iter().map(|route| route.iter().rev().take(2).copied().collect()).collect();
            let lengths = routes.iter().map(Vec::len).collect();
            let freeze = Freeze { routes: Routes(routes.clone()), lengths };
            let solver = Solver::new(Options { freeze: Some(freeze), ..Options::default() });
            match solver.solve(problem, &Silent) {
                Ok(solution) => {
                    kept += 1;
                    let begins = |beginning: &Vec<usize>| {
                        solution.routes.iter().any(|route| route.starts_with(beginning))
                    };
                    assert!(routes.iter().all(begins), "{:?} of {routes:?}", solution.routes);
                    assert!(check(&solution.instance, &solution.routes).feasible());
                    assert!(solution.cost >= free.cost);
                }
                Err(SolveError::Frozen(_) | SolveError::Incomplete { .. }) => {}
                Err(other) => panic!("{other}"),
            }
        }
    }
    assert!(kept > 40, "{kept}");
}

#[test]
fn a_frozen_tour_goes_on_from_its_beginning() {
    let rows = (0..8).map(|from| (0..8).map(|to| f64::from((from * 5 + to * 3) % 7 + 1)).collect()).collect();
    let freeze = Freeze { routes: Routes(vec![vec![0, 5, 2]]), lengths: vec![3] };
    let solver = Solver::new(Options { freeze: Some(freeze), ..Options::default() });
    let solution = solver.solve(Problem::atsp(Table::from_rows(rows)), &Silent).expect("a tour");
    assert!(solution.routes.0[0].starts_with(&[0, 5, 2]) && solution.routes.0[0].len() == 8);
}

#[test]
fn a_search_under_a_clock_says_so_even_if_it_ends_early() {
    let problem = common::problem(Features::NONE, 40, 3);
    let solver = Solver::new(Options {
        budget: Budget::time(Duration::from_millis(40)),
        allow_unserved: true,
        ..Options::default()
    });
    let solution = solver.solve(problem, &Silent).expect("allowed");
    assert!(solution.optimal || (solution.interrupted && !solution.warnings.is_empty()));
}

#[test]
fn what_follows_may_mend_the_way_back_of_a_frozen_beginning() {
    // From stop 1 straight home takes too long; by way of stop 2 it does not.
    let rows = vec![vec![0.0, 3.0, 3.0], vec![50.0, 0.0, 3.0], vec![3.0, 3.0, 0.0]];
    let problem = Problem { limit: Some(10.0), ..Problem::vrp(Table::from_rows(rows)) };
    let freeze = Freeze { routes: Routes(vec![vec![1]]), lengths: vec![1] };
    let solver = Solver::new(Options { freeze: Some(freeze), ..Options::default() });
    let solution = solver.solve(problem, &Silent).expect("1 then 2");
    assert_eq!(solution.routes.0, [[1, 2]]);
}

#[test]
fn what_cannot_be_frozen_is_refused() {
    let problem = common::problem(Features::NONE, 5, 4);
    for (routes, lengths) in [
        (vec![vec![1, 1]], vec![2]),
        (vec![vec![9]], vec![1]),
        (vec![vec![0]], vec![1]),
        (vec![vec![1]], vec![2]),
        (vec![vec![1]], vec![1, 1]),
    ] {
        let freeze = Freeze { routes: Routes(routes), lengths };
        let solver = Solver::new(Options { freeze: Some(freeze), ..Options::default() });
        assert!(matches!(solver.solve(problem.clone(), &Silent), Err(SolveError::Frozen(_))));
    }
}

#[test]
fn a_tour_like_its_assignment_is_proved() {
    let stream = &mut radar_kernel::random::Stream::new(3, "proved", 0);
    let values = (0..6400).map(|_| stream.between(1, 1_000_000) as f64).collect();
    let solution = Solver::default().solve(Problem::atsp(Table::from_values(80, 80, values)), &Silent);
    let solution = solution.expect("a tour");
    assert!(solution.optimal && solution.bound == Some(solution.cost) && solution.gap() == Some(0.0));
}

#[test]
fn a_warm_start_that_is_refused_is_named() {
    let problem = common::problem(Features::NONE, 3, 1);
    let warm = Some(Routes(vec![vec![1, 1]]));
    let solution =
        Solver::new(Options { warm, allow_unserved: true, ..Options::default() }).solve(problem, &Silent);
    assert!(solution.expect("solved").warnings[0].text.contains("refused"));
}

#[test]
fn a_fleet_that_is_too_small_is_told_what_would_do() {
    // Two stops that are each a round trip of 8, with a limit of 10: one vehicle cannot serve both.
    let rows = vec![vec![0.0, 4.0, 4.0], vec![4.0, 0.0, 4.0], vec![4.0, 4.0, 0.0]];
    let problem = Problem { limit: Some(10.0), vehicles: Some(1), ..Problem::vrp(Table::from_rows(rows)) };
    match Solver::default().solve(problem, &Silent) {
        Err(SolveError::Incomplete { unserved, vehicles_needed, .. }) => {
            assert_eq!((unserved.len(), vehicles_needed), (1, Some(2)));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_fleet_that_would_do_is_not_far_from_the_best() {
    for (variant, vehicles) in [("AVRPTW", 3), ("AVRPL", 2), ("AVRPBLTW", 3)] {
        let settings = [("n", "40"), ("variant", variant), ("preset", "tight")];
        let sample = radar_sample::Distribution::named("multitask", &settings, None).expect("known");
        let problem = sample.sample(3, 0).problem;
        let free = Solver::default().solve(problem.clone(), &Silent).expect("a plan");
        assert!(free.routes.len() > vehicles, "{variant}: {}", free.routes.len());
        // So large a capacity that only the rest can show that the fleet is too small.
        let problem = Problem { vehicles: Some(vehicles), capacity: Some(1e6), ..problem };
        match Solver::default().solve(problem, &Silent) {
            Err(SolveError::Incomplete { vehicles_needed, .. }) => {
                let needed = vehicles_needed.expect("found");
                assert!(needed > vehicles && needed <= free.routes.len() + 1, "{variant}: {needed}");
            }
            Ok(solution) => assert!(solution.routes.len() <= vehicles, "{variant}"),
            Err(other) => panic!("{variant}: {other}"),
        }
    }
}

#[test]
fn tours_of_one_and_two_and_with_islands() {
    let far = f64::INFINITY;
    let one =
        Solver::default().solve(Problem::atsp(Table::from_rows(vec![vec![0.0]])), &Silent).expect("one");
    assert_eq!((one.routes.0, one.cost), (vec![vec![0]], 0.0));
    let rows = vec![vec![0.0, 3.0, far], vec![4.0, 0.0, far], vec![1.0, 1.0, 0.0]];
    let island = Problem::atsp(Table::from_rows(rows));
    assert!(matches!(Solver::default().solve(island.clone(), &Silent), Err(SolveError::Blocked(_))));
    let rest = serving_the_rest().solve(island, &Silent).expect("the rest");
    assert_eq!((rest.routes.0.clone(), rest.cost, rest.unserved[0].node), (vec![vec![0, 1]], 7.0, 2));
}

#[test]
fn everything_blocked_leaves_an_empty_plan() {
    let problem = Problem {
        demand: Some(vec![0.0, 5.0]),
        capacity: Some(4.0),
        ..Problem::vrp(Table::from_rows(vec![vec![0.0, 1.0], vec![1.0, 0.0]]))
    };
    let solution = serving_the_rest().solve(problem, &Silent).expect("allowed");
    assert!(solution.routes.is_empty() && solution.cost == 0.0 && solution.unserved.len() == 1);
}

#[test]
fn threads_change_nothing() {
    for (number, features) in Features::every().enumerate() {
        let problem = common::problem(features, 30, 7000 + number as u64);
        let by = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            let budget = Budget::steps(400);
            let options = Options { allow_unserved: true, searches: 3, budget, ..Options::default() };
            pool.install(|| Solver::new(options).solve(problem.clone(), &Silent).expect("allowed").routes)
        };
        let one = by(1);
        assert_eq!(one, by(2));
        assert_eq!(one, by(5));
    }
}

/// A clock that moves a millisecond each time it is asked.
struct Counting(AtomicU64);

impl Clock for Counting {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::SeqCst))
    }
}

#[test]
fn a_deadline_is_heard_soon_and_still_gives_a_plan() {
    let problem = common::problem(Features::NONE, 80, 3);
    for limit in [0, 5, 50] {
        let clock = Counting(AtomicU64::new(0));
        let solver = Solver::new(Options {
            budget: Budget::time(Duration::from_millis(limit)),
            allow_unserved: true,
            ..Options::default()
        });
        let solution = solver.solve_by(problem.clone(), &Silent, &clock).expect("some plan");
        assert!(solution.interrupted && !solution.warnings.is_empty());
        assert!(clock.0.load(Ordering::SeqCst) < limit + 100, "asked on after the deadline");
        let served: usize = solution.routes.iter().map(Vec::len).sum();
        assert_eq!(served + solution.unserved.len(), 80);
    }
}

/// Cancels at once and remembers what it heard.
struct Impatient(Mutex<Vec<Event>>);

impl Progress for Impatient {
    fn event(&self, event: &Event) {
        self.0.lock().expect("one thread at a time").push(event.clone());
    }

    fn cancelled(&self) -> bool {
        true
    }
}

#[test]
fn a_cancelled_solve_returns_what_it_has() {
    let watcher = Impatient(Mutex::new(Vec::new()));
    let problem = common::problem(Features::NONE, 40, 4);
    let solution = serving_the_rest().solve(problem, &watcher).expect("some plan");
    assert!(solution.interrupted);
    let events = watcher.0.into_inner().expect("nobody else");
    assert!(matches!(events[..], [Event::Started { stops: 40, .. }]), "nothing was constructed: {events:?}");
}

/// Remembers what it heard.
struct Patient(Mutex<Vec<Event>>);

impl Progress for Patient {
    fn event(&self, event: &Event) {
        self.0.lock().expect("one thread at a time").push(event.clone());
    }
}

#[test]
fn every_incumbent_is_heard_of_and_the_last_is_the_answer() {
    let watcher = Patient(Mutex::new(Vec::new()));
    let solution =
        serving_the_rest().solve(common::problem(Features::NONE, 40, 4), &watcher).expect("a plan");
    let events = watcher.0.into_inner().expect("nobody else");
    let incumbents: Vec<(usize, f64)> = events
        .iter()
        .filter_map(|event| match event {
            Event::Incumbent { cost, unserved, .. } => Some((*unserved, *cost)),
            _ => None,
        })
        .collect();
    assert!(incumbents.windows(2).all(|pair| pair[1] < pair[0]), "{incumbents:?}");
    assert_eq!(incumbents.last(), Some(&(solution.unserved.len(), solution.cost)));
}

#[test]
fn a_bound_is_told_before_the_end_and_only_rises() {
    let watcher = Patient(Mutex::new(Vec::new()));
    let row = |from: usize| {
        (0..40).map(move |to| ((from * 37 + to * 61) % 97 + 3) as f64 * f64::from(u8::from(from != to)))
    };
    let distance = Table::from_rows((0..40).map(|from| row(from).collect()).collect());
    let demand = (0..40).map(|node| f64::from(u8::from(node > 0))).collect();
    let problem = Problem { demand: Some(demand), capacity: Some(10.0), ..Problem::vrp(distance) };
    let solution = Solver::default().solve(problem, &watcher).expect("a plan");
    let events = watcher.0.into_inner().expect("nobody else");
    let first = events.iter().position(|event| matches!(event, Event::Bound { .. })).expect("a bound");
    assert!(first + 1 < events.len(), "{events:?}");
    let bounds: Vec<f64> = events
        .iter()
        .filter_map(|event| match event {
            Event::Bound { bound, .. } => Some(*bound),
            _ => None,
        })
        .collect();
    assert!(bounds.windows(2).all(|pair| pair[1] >= pair[0]), "{bounds:?}");
    assert_eq!(bounds.last().copied(), solution.bound);
}

#[test]
fn endless_time_is_no_overflow() {
    let budget = Budget::time(Duration::MAX);
    let solver = Solver::new(Options { budget, ..Options::default() });
    assert!(!solver.solve(common::problem(Features::NONE, 3, 9), &Silent).expect("a plan").interrupted);
}

#[test]
fn minimising_durations_keeps_every_constraint() {
    let slow_but_short =
        Table::from_rows(vec![vec![0.0, 1.0, 1.0], vec![1.0, 0.0, 1.0], vec![1.0, 9.0, 0.0]]);
    let times = Table::from_rows(vec![vec![0.0, 9.0, 1.0], vec![1.0, 0.0, 9.0], vec![9.0, 1.0, 0.0]]);
    let problem = Problem { duration: Some(times), ..Problem::atsp(slow_but_short) };
    let by = |objective| {
        let solver = Solver::new(Options { objective, ..Options::default() });
        solver.solve(problem.clone(), &Silent).expect("a tour")
    };
    let (short, quick) = (by(radar::Objective::Distance), by(radar::Objective::Duration));
    assert_eq!((short.cost, quick.cost), (3.0, 3.0));
    assert_eq!((short.routes.0, quick.routes.0), (vec![vec![0, 1, 2]], vec![vec![0, 2, 1]]));
}

/// A chain of arcs from the depot through six of seven stops and back; the seventh leads nowhere else.
fn chain() -> Problem {
    let far = f64::INFINITY;
    let mut rows = vec![vec![far; 8]; 8];
    for stop in 0..7 {
        rows[stop][(stop + 1) % 7] = 5.0;
    }
    (rows[0][7], rows[7][0], rows[3][0], rows[0][4]) = (1.0, 1.0, 1.0, 1.0);
    Problem { vehicles: Some(1), ..Problem::vrp(Table::from_rows(rows)) }
}

#[test]
fn as_many_as_the_fleet_can_are_served() {
    let solution = serving_the_rest().solve(chain(), &Silent).expect("allowed");
    assert_eq!(solution.routes.0, [[1, 2, 3, 4, 5, 6]]);
    assert_eq!((solution.cost, solution.bound), (35.0, None));
    let told: Vec<usize> = solution.unserved.iter().map(|stop| stop.node).collect();
    assert_eq!(told, [7]);
}

#[test]
fn as_many_as_possible_go_behind_a_frozen_beginning() {
    let freeze = Freeze { routes: Routes(vec![vec![4]]), lengths: vec![1] };
    let options = Options { freeze: Some(freeze), allow_unserved: true, ..Options::default() };
    let solution = Solver::new(options).solve(chain(), &Silent).expect("allowed");
    assert_eq!(solution.routes.0, [[4, 5, 6]]);
}

#[test]
fn every_complete_answer_has_a_bound() {
    let (mut bounded, mut proved) = (0, 0);
    for (number, features) in Features::every().enumerate() {
        for seed in 0..12 {
            let problem = common::problem(features, 1 + seed as usize % 6, 3000 + 100 * number as u64 + seed);
            let best = problem.clone().validate().instance.and_then(|instance| oracle::routes(&instance));
            let construct = Options { method: radar::Method::Construct, ..Options::default() };
            let no_steps = Options { budget: Budget::steps(0), ..Options::default() };
            let no_time = Options { budget: Budget::time(Duration::ZERO), ..Options::default() };
            for options in [construct, no_steps, no_time] {
                let Ok(solution) = Solver::new(options).solve(problem.clone(), &Silent) else { continue };
                let bound = solution.bound.expect("complete plans have one");
                let (optimum, _) = best.as_ref().expect("there is a plan");
                let optimum = solution.instance.cost_scale().undo(*optimum);
                assert!(bound <= optimum + 1e-9, "{bound} above {optimum}: {features:?} {seed}");
                assert!(!solution.optimal || solution.cost <= optimum + 1e-9);
                assert!(solution.gap().is_some());
                bounded += 1;
                proved += usize::from(solution.optimal);
            }
        }
    }
    assert!(bounded > 100 && proved > 5, "{bounded} with a bound, {proved} proved");
}
