//! Plans by a network with random weights: bad ones, but legal, for every variant.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use radar::{
    Budget, Clock, Event, Freeze, Guide, Method, Model, Options, Problem, Progress, Routes, Silent,
    SolveError, Solver, Table,
};
use radar_net::decode::Isa;
use radar_net::{Card, Checkpoint, Config, Weights};
use radar_sample::Distribution;

fn model(preset: &str) -> Arc<Model> {
    let config =
        Config { width: 32, hidden: 32, heads: 4, layers: 2, ..Config::preset(preset).expect("a preset") };
    let (card, weights) = (Card::new("untrained", config.clone()), Weights::random(&config, 1));
    Arc::new(Model::new(Checkpoint { card, weights }, Isa::best()))
}

fn options(preset: &str) -> Options {
    Options { method: Method::Neural, model: Some(model(preset)), ..Options::default() }
}

#[test]
fn every_variant_is_decoded_checked_and_bounded() {
    for (distribution, variants) in [("tmat", 0..1), ("multitask", 0..16)] {
        for number in variants {
            let letters = ["O", "B", "L", "TW"];
            let has = |bit: usize| if number >> bit & 1 == 1 { letters[bit] } else { "" };
            let variant = match (distribution, number) {
                ("tmat", _) => "ATSP".to_owned(),
                (_, 0) => "ACVRP".to_owned(),
                _ => format!("A{}VRP{}{}{}", has(0), has(1), has(2), has(3)),
            };
            let drawn = Distribution::named(distribution, &[("n", "15"), ("variant", &variant)], None);
            let problem = drawn.expect("ours").sample(2, 0).problem;
            let preset = if variant == "ATSP" { "small-atsp" } else { "small-vrp" };
            let solve = |augment: usize| {
                let options = Options { augment, ..options(preset) };
                Solver::new(options).solve(problem.clone(), &Silent).expect("a plan")
            };
            let solution = solve(1);
            assert_eq!(solution.instance.variant().to_string(), variant);
            assert!(solution.verdict.feasible() && solution.unserved.is_empty(), "{variant}");
            assert!(solution.method.starts_with("network `untrained`"), "{}", solution.method);
            assert_eq!(solution.model.as_deref(), Some("untrained"));
            assert!(solution.bound.is_some_and(|bound| bound <= solution.cost), "{variant}");
            // What the weights have seen is unknown.
            assert!(!solution.warnings.is_empty(), "{variant}");
            assert!(solve(3).cost <= solution.cost, "{variant}");
        }
    }
}

#[test]
fn what_it_cannot_do_is_said() {
    let table = Table::from_values(4, 4, (0..16).map(f64::from).collect());
    let refusal = |options: Options, problem: Problem| match Solver::new(options).solve(problem, &Silent) {
        Err(SolveError::Model(error)) => error.cause,
        other => panic!("{other:?}"),
    };
    let tour = || Problem::atsp(table.clone());
    let routes = Problem {
        demand: Some(vec![0.0, 1.0, 1.0, 1.0]),
        capacity: Some(2.0),
        ..Problem::vrp(table.clone())
    };
    let without = Options { model: None, ..options("small-atsp") };
    match cfg!(feature = "weights") {
        true => {
            let solution = Solver::new(without).solve(routes, &Silent).expect("by what comes along");
            assert_eq!(solution.model.as_deref(), Some("vrp"));
        }
        false => assert!(refusal(without, routes).contains("no model")),
    }
    assert!(refusal(options("small-vrp"), tour()).contains("tour"));
    let freeze = Some(Freeze { routes: Routes(vec![vec![0, 2]]), lengths: vec![2] });
    assert!(refusal(Options { freeze, ..options("small-atsp") }, tour()).contains("frozen"));
}

/// A fleet that trajectories do not respect to the end: construction serves instead, and the answer says so.
#[test]
fn construction_steps_in() {
    let distance = Table::from_values(7, 7, (0..49).map(|at| f64::from((at * 29) % 17 + 1)).collect());
    let demand = Some(vec![0.0, 5.0, 5.0, 4.0, 4.0, 1.0, 1.0]);
    let problem = Problem { demand, capacity: Some(10.0), vehicles: Some(2), ..Problem::vrp(distance) };
    let solution = Solver::new(options("small-acvrp")).solve(problem, &Silent);
    let solution = solution.expect("two vehicles hold it exactly");
    assert!(solution.verdict.feasible());
    if solution.model.is_none() {
        assert!(solution.warnings.iter().any(|warning| warning.text.contains("trajectories")));
    }
}

/// A clock that moves on whenever it is looked at.
struct Counting(AtomicU64);

impl Clock for Counting {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn time_that_is_over_is_not_blamed_on_the_network() {
    let sample =
        Distribution::named("tmat", &[("n", "60"), ("variant", "ATSP")], None).expect("ours").sample(2, 0);
    let mut said = 0;
    for looks in [1, 5, 10, 20, 100, 100_000] {
        let budget = Budget::time(Duration::from_millis(looks));
        let solver = Solver::new(Options { budget, ..options("small-atsp") });
        let clock = Counting(AtomicU64::new(0));
        let solution =
            solver.solve_by(sample.problem.clone(), &Silent, &clock).expect("construction at least");
        assert!(solution.verdict.feasible());
        // However little time there was: the clock is looked at a few more times, not until the work is done.
        assert!(clock.0.load(Ordering::Relaxed) < looks + 200, "{looks}");
        assert!(
            !solution.warnings.iter().any(|warning| warning.text.contains("none of the")),
            "{:?}",
            solution.warnings
        );
        said += usize::from(solution.warnings.iter().any(|warning| warning.text.contains("was over before")));
        assert!(looks < 100_000 || solution.method.starts_with("network"), "{}", solution.method);
    }
    assert!(said > 0);
}

/// A network before a search: what it says is a start and a belief, and never makes an answer worse than the start.
#[test]
fn a_network_guides_a_search() {
    for (variant, preset) in [("ATSP", "small-atsp"), ("AVRPTW", "small-vrp"), ("AOVRPBL", "small-vrp")] {
        let distribution = if variant == "ATSP" { "asymmetry" } else { "multitask" };
        let drawn = Distribution::named(distribution, &[("n", "30"), ("variant", variant)], None);
        let problem = drawn.expect("ours").sample(2, 0).problem;
        let alone = Solver::new(Options { starts: Some(4), ..options(preset) });
        let alone = alone.solve(problem.clone(), &Silent).expect("a plan");
        for guide in [Guide::Both, Guide::Start, Guide::Arcs] {
            let budget = Budget::steps(300);
            let options = Options { method: Method::Auto, guide, budget, ..options(preset) };
            let solve = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                let solver = Solver::new(options.clone());
                pool.install(|| solver.solve(problem.clone(), &Silent)).expect("a plan")
            };
            let (solution, again) = (solve(1), solve(2));
            assert_eq!((&solution.routes, &solution.method), (&again.routes, &again.method), "{variant}");
            assert!(solution.verdict.feasible() && solution.cost <= alone.cost, "{variant} {guide:?}");
            let said = solution.method.strip_prefix("network `untrained`: ").expect("the network first");
            let (cost, rest) = said.split_once(", ").expect("its cost, and how");
            let cost: f64 = cost.parse().expect("a number");
            assert!((cost - alone.cost).abs() < 1e-9 * alone.cost, "{said} {}", alone.cost);
            assert!(rest.starts_with("best of 4 trajectories; then search"), "{rest}");
            assert_eq!(solution.model.as_deref(), Some("untrained"));
        }
        // Search alone hears no network.
        let budget = Budget::steps(300);
        let deaf = Solver::new(Options { method: Method::Search, budget, ..options(preset) });
        let deaf = deaf.solve(problem, &Silent).expect("a plan");
        assert!(deaf.method.starts_with("search") && deaf.model.is_none(), "{}", deaf.method);
    }
}

#[test]
fn half_of_the_time_at_most_goes_to_the_network_before_a_search() {
    let sample =
        Distribution::named("tmat", &[("n", "60"), ("variant", "ACVRP")], None).expect("ours").sample(2, 0);
    for looks in [1, 5, 20, 100, 1000] {
        let budget = Budget::time(Duration::from_millis(looks));
        let solver = Solver::new(Options { method: Method::Auto, budget, ..options("small-acvrp") });
        let clock = Counting(AtomicU64::new(0));
        let solution = solver.solve_by(sample.problem.clone(), &Silent, &clock).expect("a plan");
        assert!(solution.verdict.feasible());
        assert!(clock.0.load(Ordering::Relaxed) < looks + 200, "{looks}");
        assert!(solution.timings.network <= Duration::from_millis(looks / 2 + 50), "{:?}", solution.timings);
    }
}

/// Is content with the first plan: then it cancels, or its clock is far on.
struct Content {
    heard: Mutex<Option<(f64, Routes)>>,
    cancels: bool,
}

impl Content {
    fn has_heard(&self) -> bool {
        self.heard.lock().expect("one thread at a time").is_some()
    }
}

impl Progress for Content {
    fn event(&self, event: &Event) {
        if let Event::Incumbent { cost, plan, .. } = event {
            self.heard.lock().expect("one thread at a time").get_or_insert((*cost, plan.clone()));
        }
    }

    fn cancelled(&self) -> bool {
        self.cancels && self.has_heard()
    }
}

impl Clock for Content {
    fn now(&self) -> Duration {
        Duration::from_secs(if self.has_heard() { 3600 } else { 0 })
    }
}

#[test]
fn the_plan_of_a_network_is_kept_when_no_time_is_left_for_a_search() {
    for (variant, preset) in [("ATSP", "small-atsp"), ("AVRPTW", "small-vrp")] {
        let distribution = if variant == "ATSP" { "asymmetry" } else { "multitask" };
        let drawn = Distribution::named(distribution, &[("n", "30"), ("variant", variant)], None);
        let problem = drawn.expect("ours").sample(2, 0).problem;
        for (cancels, budget) in [(true, Budget::default()), (false, Budget::time(Duration::from_secs(60)))] {
            for guide in [Guide::Both, Guide::Arcs] {
                let content = Content { heard: Mutex::new(None), cancels };
                let options = Options { method: Method::Auto, guide, budget, ..options(preset) };
                let solution = Solver::new(options).solve_by(problem.clone(), &content, &content);
                let solution = solution.expect("the network's plan at least");
                let (cost, routes) = content.heard.into_inner().expect("nobody else").expect("a plan");
                assert_eq!((solution.cost, solution.routes), (cost, routes), "{}", solution.method);
                assert!(solution.method.starts_with("network `untrained`: "), "{}", solution.method);
                assert!(!solution.method.contains("; then"), "{}", solution.method);
                assert!(solution.interrupted && solution.model.as_deref() == Some("untrained"));
            }
        }
    }
}

/// Beginnings that must stay leave nothing to a network, and a few stops are weighed exactly.
#[test]
fn what_needs_no_network_asks_none() {
    let table = Table::from_values(5, 5, (0..25).map(|at| f64::from((at * 7) % 11)).collect());
    let tiny = Options { method: Method::Auto, ..options("small-atsp") };
    let freeze = Some(Freeze { routes: Routes(vec![vec![0, 2]]), lengths: vec![2] });
    let frozen = Options { freeze, ..tiny.clone() };
    let routes = Options { method: Method::Auto, ..options("small-vrp") };
    let wrong = Solver::new(routes).solve(Problem::atsp(table.clone()), &Silent);
    assert!(matches!(wrong, Err(SolveError::Model(error)) if error.code == "wrong-task"));
    for options in [tiny, frozen] {
        let solution = Solver::new(options).solve(Problem::atsp(table.clone()), &Silent).expect("a tour");
        assert!(solution.model.is_none(), "{}", solution.method);
    }
}

/// Who says nothing gets the network that comes along before the search, of routes; who counts steps or has a plan does not, and a time
/// limit gets it where it is worth its time.
#[cfg(feature = "weights")]
#[test]
fn the_network_that_comes_along_goes_first_where_it_is_worth_it() {
    let drawn = |law: &str, parameters: &[(&str, &str)]| {
        let law = Distribution::named(law, parameters, None).expect("ours");
        law.sample(5, 0).problem
    };
    let method = |problem: &Problem, options: Options, looks: Option<u64>| {
        let budget = looks.map_or(options.budget, |looks| Budget::time(Duration::from_millis(looks)));
        let solver = Solver::new(Options { budget, ..options });
        let clock = Counting(AtomicU64::new(0));
        let solution = solver.solve_by(problem.clone(), &Silent, &clock).expect("a plan");
        assert!(
            solution.verdict.feasible() && solution.model.is_some() == solution.method.contains("network")
        );
        assert!(solution.warnings.iter().all(|warning| !warning.code.starts_with("network")));
        solution.method
    };
    let is_first = |problem: &Problem, options: Options, looks: Option<u64>| {
        method(problem, options, looks).starts_with("network `vrp`: ")
    };
    let (usual, steps) = (Options::default(), Options { budget: Budget::steps(100), ..Options::default() });
    let routes = drawn("multitask", &[("n", "30"), ("variant", "AVRPTW")]);
    let plan = Solver::new(steps.clone()).solve(routes.clone(), &Silent).expect("a plan").routes;
    assert!(is_first(&routes, usual.clone(), None));
    assert!(!is_first(&routes, steps, None));
    assert!(!is_first(&routes, Options { method: Method::Search, ..usual.clone() }, None));
    assert!(!is_first(&routes, Options { warm: Some(plan), ..usual.clone() }, None));
    // A plan that is refused is none.
    let refused = Routes(vec![(1..=30).rev().collect()]);
    assert!(is_first(&routes, Options { warm: Some(refused), ..usual.clone() }, None));
    assert!(!is_first(&drawn("tmat", &[("n", "30"), ("variant", "ATSP")]), usual.clone(), None));
    // Hours take longer to heed than windows that decide by themselves who comes first.
    let timed = |preset| drawn("multitask", &[("n", "200"), ("variant", "AVRPTW"), ("preset", preset)]);
    assert!(is_first(&timed("paper"), usual.clone(), None) && !is_first(&timed("day"), usual.clone(), None));
    // Time is another matter: too few stops, enough of them, too little time, and streets.
    let many = drawn("acvrp", &[("n", "120")]);
    let streets = drawn("city", &[("n", "120"), ("variant", "ACVRP")]);
    let cases = [(&routes, 2000), (&many, 20_000), (&many, 20), (&streets, 2000)];
    let first = cases.map(|(problem, looks)| is_first(problem, usual.clone(), Some(looks)));
    assert_eq!(first, [false, true, false, false]);
}

/// With it answers do not depend on the number of threads either.
#[cfg(feature = "weights")]
#[test]
fn threads_change_nothing_with_the_network_that_comes_along() {
    let law = [("n", "24"), ("variant", "mix"), ("preset", "tight")];
    let mix = Distribution::named("multitask", &law, None).expect("ours");
    for index in 0..4 {
        let problem = mix.sample(9, index).problem;
        let by = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            let solver = Solver::new(Options { searches: 2, ..Options::default() });
            let solution = pool.install(|| solver.solve(problem.clone(), &Silent)).expect("a plan");
            (solution.routes, solution.method)
        };
        let one = by(1);
        assert!(one.1.starts_with("network"), "{}", one.1);
        assert_eq!(one, by(3));
    }
}

/// The network that comes along for routes does well on every variant, usual and tight, and says who it is.
#[cfg(feature = "weights")]
#[test]
fn the_network_that_comes_along_builds_good_routes() {
    let card = radar::shipped(radar::Kind::Vrp, Isa::best()).expect("one for routes").card().clone();
    assert!(card.trained.is_some() && card.cpu_hours > 0.0);
    for preset in ["paper", "tight"] {
        let law = [("n", "50"), ("variant", "mix"), ("preset", preset)];
        let mix = Distribution::named("multitask", &law, None).expect("ours");
        let gaps = (0..32).map(|index| {
            let problem = mix.sample(77, index).problem;
            let by = |method, steps| {
                let budget = Budget { steps, ..Budget::default() };
                let solver = Solver::new(Options { method, budget, ..Options::default() });
                solver.solve(problem.clone(), &Silent).expect("routes")
            };
            let (routes, good) = (by(Method::Neural, None), by(Method::Search, Some(4000)));
            assert_eq!(routes.model.as_ref(), Some(&card.name));
            routes.cost / good.cost - 1.0
        });
        let gap = gaps.sum::<f64>() / 32.0;
        assert!(gap < 0.08, "{preset}: {gap}");
    }
}

/// The network that comes along builds good tours by itself, far from its size too, and says who it is.
#[cfg(feature = "weights")]
#[test]
fn the_network_that_comes_along_builds_good_tours() {
    let card = radar::shipped(radar::Kind::Atsp, Isa::best()).expect("one for tours").card().clone();
    assert!(card.trained.is_some() && card.cpu_hours > 0.0);
    for (nodes, most) in [("20", 0.02), ("100", 0.03), ("200", 0.04)] {
        let tmat = Distribution::named("tmat", &[("n", nodes), ("variant", "ATSP")], None).expect("ours");
        let gaps = (0..5).map(|index| {
            let problem = tmat.sample(77, index).problem;
            let by = |method| {
                let solver = Solver::new(Options { method, ..Options::default() });
                solver.solve(problem.clone(), &Silent).expect("a tour")
            };
            let (tour, best) = (by(Method::Neural), by(Method::Search));
            assert_eq!(tour.model.as_ref(), Some(&card.name));
            assert!(best.optimal);
            tour.cost / best.cost - 1.0
        });
        let gap = gaps.sum::<f64>() / 5.0;
        assert!(gap < most, "{nodes} nodes: {gap}");
    }
}
