//! Whether deadlines are kept: wall time beyond the limit, validation and the check of the answer included; and what
//! ten thousand nodes take.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use radar::{Budget, Event, Options, Problem, Progress, Silent, Solver, Table};
use radar_kernel::random::Stream;

use crate::Row;
use crate::memory::peak_gigabytes;

/// Sizes, and how often each is solved at each limit.
const RUNS: [(usize, usize); 4] = [(20, 40), (100, 40), (1000, 20), (3000, 6)];
const LIMITS: [f64; 4] = [0.005, 0.02, 0.1, 0.5];
const LARGE: usize = 10_000;

pub fn run() -> Vec<Row> {
    let mut rows = Vec::new();
    for (nodes, count) in RUNS {
        for is_tour in [true, false] {
            let problem = random(nodes, is_tour);
            let kind = if is_tour { "ATSP" } else { "ACVRP" };
            // No limit below this can be kept: a table is not solved before it is known to be sound.
            rows.push(Row::plain(format!("{kind} {nodes}: validation"), 1e3 * validation(&problem), "ms"));
            for limit in LIMITS {
                let mut late: Vec<f64> =
                    (0..count).map(|seed| lateness(&problem, limit, seed as u64)).collect();
                late.sort_by(f64::total_cmp);
                let worst = late[(count * 19).div_ceil(20) - 1];
                let name = format!("{kind} {nodes}, {limit} s: lateness, p95 of {count}");
                rows.push(Row::at_most(name, 1e3 * worst, "ms", (5.0_f64).max(20.0 * limit)));
            }
        }
    }
    for is_tour in [true, false] {
        let kind = if is_tour { "ATSP" } else { "ACVRP" };
        let problem = random(LARGE, is_tour);
        let heard = First { begun: Instant::now(), at: Mutex::new(None) };
        let options = Options { budget: Budget::time(Duration::from_secs(20)), ..Options::default() };
        let solution = Solver::new(options).solve(problem, &heard).expect("random tables have plans");
        let first = heard.at.into_inner().ok().flatten().unwrap_or(f64::INFINITY);
        rows.push(Row::at_most(format!("{kind} {LARGE}: first routes of 20 s"), first, "s", 10.0));
        rows.push(Row::plain(format!("{kind} {LARGE}: cost after 20 s"), solution.cost, ""));
        rows.push(Row::at_most(
            format!("{kind} {LARGE}: beyond 20 s"),
            1e3 * (solution.timings.total.as_secs_f64() - 20.0),
            "ms",
            400.0,
        ));
    }
    rows.push(Row::at_most("memory at its highest", peak_gigabytes(), "GB", 2.0));
    rows
}

/// Seconds beyond the limit.
fn lateness(problem: &Problem, limit: f64, seed: u64) -> f64 {
    let options =
        Options { seed, budget: Budget::time(Duration::from_secs_f64(limit)), ..Options::default() };
    let (solver, problem) = (Solver::new(options), problem.clone());
    let begun = Instant::now();
    let solution = solver.solve(problem, &Silent);
    let late = begun.elapsed().as_secs_f64() - limit;
    solution.expect("random tables have plans");
    late
}

/// Seconds that validation takes, the best of three.
fn validation(problem: &Problem) -> f64 {
    let once = |_| {
        let problem = problem.clone();
        let begun = Instant::now();
        let report = problem.validate();
        let seconds = begun.elapsed().as_secs_f64();
        report.instance.expect("random tables are sound");
        seconds
    };
    (0..3).map(once).fold(f64::INFINITY, f64::min)
}

/// When the first plan was heard of.
struct First {
    begun: Instant,
    at: Mutex<Option<f64>>,
}

impl Progress for First {
    fn event(&self, event: &Event) {
        if let (Event::Incumbent { .. }, Ok(mut at)) = (event, self.at.lock()) {
            at.get_or_insert(self.begun.elapsed().as_secs_f64());
        }
    }
}

/// Costs from 1 to 1000 at random: nothing is as quick to make.
fn random(nodes: usize, is_tour: bool) -> Problem {
    let mut stream = Stream::new(7, "deadlines", nodes as u64);
    let mut values: Vec<i32> = (0..nodes * nodes).map(|_| stream.between(1, 1000) as i32).collect();
    for node in 0..nodes {
        values[node * nodes + node] = 0;
    }
    let table = Table::from_i32(nodes, nodes, values);
    if is_tour {
        return Problem::atsp(table);
    }
    let demand = (0..nodes).map(|node| if node == 0 { 0.0 } else { stream.between(1, 9) as f64 }).collect();
    Problem { demand: Some(demand), capacity: Some(250.0), ..Problem::vrp(table) }
}
