//! Our own solver, in this process, on one thread, by a clock of CPU time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use radar::{Budget, Clock, Method, Options, Silent, Solver};

use super::driver::Answer;
use super::exam::Exam;
use crate::timing::{CpuClock, alone};

/// The library has no release of its own yet that would tell two states apart: `--again radar` does.
pub fn version() -> String {
    format!("radar {}", env!("CARGO_PKG_VERSION"))
}

/// The seeds of an instance: three where runs are short and luck says most, one otherwise.
pub fn seeds(first: u64, budget: f64) -> impl Iterator<Item = u64> {
    (0..if budget < 1.0 { 3 } else { 1 }).map(move |more| first + 100 * more)
}

/// Solves within the budget, validation included.
pub fn solve(exam: &Exam, budget: f64, seed: u64) -> Answer {
    let problem = exam.problem.clone();
    let options = Options {
        seed,
        budget: Budget::time(Duration::from_secs_f64(budget)),
        method: Method::Search,
        ..Options::default()
    };
    let solver = Solver::new(options);
    // A defect in one instance must not end a run of an hour and a half.
    let run = catch_unwind(AssertUnwindSafe(|| {
        alone(|| {
            let clock = CpuClock::start();
            let solution = solver.solve_by(problem, &Silent, &clock);
            (solution, clock.now())
        })
    }));
    match run {
        Err(_) => Answer::failed("panicked"),
        Ok((Err(error), spent)) => Answer { seconds: Some(spent.as_secs_f64()), ..Answer::failed(error) },
        Ok((Ok(solution), spent)) => Answer {
            routes: Ok(solution.routes.0),
            seconds: Some(spent.as_secs_f64()),
            optimal: solution.optimal,
        },
    }
}
