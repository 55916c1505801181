//! Budgets that end early, how often they are asked, and problems with hardly anything to search.

mod common;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use radar_kernel::random::Stream;
use radar_problem::{Instance, Problem, Routes, Table};
use radar_search::{Outcome, Pace, Request};

/// Counts how often it is asked, and is over from some time on.
struct Counting {
    /// How many steps there are.
    most: u64,
    /// After how many questions the budget is over.
    until: u64,
    /// Whether time is budgeted.
    timed: bool,
    asked: AtomicU64,
    /// The last number of steps that was told, and the most steps between two questions.
    last: AtomicU64,
    widest: AtomicU64,
}

impl Counting {
    fn new(most: u64, until: u64, timed: bool) -> Self {
        let zero = || AtomicU64::new(0);
        Self { most, until, timed, asked: zero(), last: zero(), widest: zero() }
    }

    fn is_late(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= self.until
    }
}

impl Pace for Counting {
    fn spent(&self, steps: u64) -> f64 {
        let last = self.last.swap(steps, Ordering::Relaxed);
        self.widest.fetch_max(steps.saturating_sub(last), Ordering::Relaxed);
        if self.is_late() || steps >= self.most { 1.0 } else { steps as f64 / self.most as f64 }
    }

    fn left(&self) -> Option<Duration> {
        match self.is_late() {
            true => Some(Duration::ZERO),
            false => self.timed.then_some(Duration::from_secs(3600)),
        }
    }
}

fn instances() -> Vec<Instance> {
    let routes =
        ["ACVRP", "AVRPBL", "AOVRPTW", "AVRPBLTW"].map(|name| common::variant(name, "tight", 60, 1, 0));
    let tours = ["tmat", "asymmetry"].map(|name| common::sampled(name, &[("n", "60")], 1, 0));
    routes.into_iter().chain(tours).collect()
}

#[test]
fn an_early_end_leaves_a_valid_outcome() {
    for instance in instances() {
        for until in [0, 1, 2, 3, 5, 8, 13, 50, 200] {
            for (timed, searches) in [(false, 1), (true, 1), (true, 3)] {
                let pace = Counting::new(u64::MAX, until, timed);
                let outcome = common::outcome(&Request { searches, ..common::request(&instance, &pace) });
                // Once it is over, it is asked about for the last time soon.
                let asked = pace.asked.load(Ordering::Relaxed);
                assert!(asked <= until + 200 * searches as u64, "{asked} after {until}");
                assert!(outcome.steps <= 16 * (until + 2) * searches as u64);
            }
        }
    }
}

#[test]
fn unpleasant_problems_end_early_too() {
    let mut stream = Stream::new(1, "early ends", 0);
    for round in 0..300 {
        let instance = match round % 3 {
            0 => common::tour(&mut stream, 1 + round % 20),
            _ => common::routes(&mut stream, 1 + round % 20),
        };
        let pace = Counting::new(1000, stream.below(30), round % 2 == 0);
        common::outcome(&common::request(&instance, &pace));
    }
}

#[test]
fn the_budget_is_asked_every_few_steps() {
    for instance in instances() {
        let pace = Counting::new(2000, u64::MAX, true);
        let outcome = common::outcome(&common::request(&instance, &pace));
        if outcome.optimal {
            continue;
        }
        let (asked, widest) = (pace.asked.load(Ordering::Relaxed), pace.widest.load(Ordering::Relaxed));
        assert!((1..=32).contains(&widest), "{widest} steps between two questions");
        // Not more often than a few times a step, or asking would be what takes the time.
        assert!(asked <= 3 * outcome.steps + 4000, "{asked} times in {} steps", outcome.steps);
    }
}

#[test]
fn steps_are_all_taken() {
    for searches in [1, 3] {
        let pace = common::steps(320);
        let instance = common::variant("AVRPTW", "tight", 40, 1, 0);
        let outcome = common::outcome(&Request { searches, ..common::request(&instance, &pace) });
        assert_eq!(outcome.steps, 320 * searches as u64);
    }
}

fn solve(instance: &Instance, starts: &[Routes], frozen: &[usize]) -> Outcome {
    let pace = common::steps(200);
    common::outcome(&Request { starts, frozen, searches: 2, ..common::request(instance, &pace) })
}

fn valid(problem: Problem) -> Instance {
    problem.validate().instance.expect("well formed")
}

#[test]
fn tiny_problems() {
    let mut stream = Stream::new(1, "tiny", 0);
    for round in 0..200 {
        let nodes = 1 + round % 3;
        let tour = common::tour(&mut stream, nodes);
        assert_eq!(solve(&tour, &[], &[]).cost, common::optimum(&tour).map(|best| best.0));
        let start = [Routes(vec![(0..nodes).collect()])];
        for length in 1..=nodes {
            let frozen = solve(&tour, &start, &[length]).cost;
            let optimum = common::optimum(&tour).map(|best| best.0);
            assert!(frozen == optimum || length > 1, "{frozen:?} instead of {optimum:?}");
        }
        let routes = common::routes(&mut stream, nodes);
        assert_eq!(solve(&routes, &[], &[]).cost, common::optimum(&routes).map(|best| best.0));
    }
}

#[test]
fn a_matrix_of_zeros() {
    for nodes in [1, 2, 3, 10, 30] {
        let zeros = || Table::from_values(nodes, nodes, vec![0.0; nodes * nodes]);
        let outcome = solve(&valid(Problem::atsp(zeros())), &[], &[]);
        assert_eq!((outcome.cost, outcome.bound, outcome.optimal), (Some(0), 0, true));
        if nodes > 1 {
            let demand = Some([vec![0.0], vec![3.0; nodes - 1]].concat());
            let problem = Problem { demand, capacity: Some(10.0), limit: Some(0.0), ..Problem::vrp(zeros()) };
            let outcome = solve(&valid(problem), &[], &[]);
            assert_eq!((outcome.cost, outcome.bound, outcome.optimal), (Some(0), 0, true));
        }
    }
}

#[test]
fn stops_that_only_the_depot_reaches() {
    for nodes in [2, 3, 4, 12] {
        let way = |from: usize, to: usize| if from * to == 0 { 5.0 } else { f64::INFINITY };
        let rows = (0..nodes).map(|from| (0..nodes).map(|to| way(from, to)).collect()).collect();
        let table = Table::from_rows(rows);
        let instance = valid(Problem::vrp(table.clone()));
        let outcome = solve(&instance, &[], &[]);
        assert_eq!(outcome.cost, Some(10 * (nodes as i64 - 1)));
        assert_eq!(outcome.routes.map(|routes| routes.len()), Some(nodes - 1));
        if nodes > 2 {
            assert_eq!(solve(&instance.with_vehicles(Some(nodes - 2)), &[], &[]).cost, None);
            assert_eq!(solve(&valid(Problem::atsp(table)), &[], &[]).cost, None);
        }
    }
}
