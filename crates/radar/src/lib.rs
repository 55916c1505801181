//! Asymmetric vehicle routing: a matrix in, checked routes out.
//!
//! ```
//! use radar::{Problem, Silent, Solver, Table};
//!
//! let distance = Table::from_rows(vec![vec![0.0, 2.0, 9.0], vec![4.5, 0.0, 1.0], vec![3.0, 7.0, 0.0]]);
//! let problem =
//!     Problem { demand: Some(vec![0.0, 3.0, 4.0]), capacity: Some(9.0), ..Problem::vrp(distance) };
//! let solution = Solver::default().solve(problem, &Silent).expect("one route holds all");
//! assert_eq!(solution.routes.0, [[1, 2]]);
//! assert_eq!(solution.cost, 6.0);
//! ```
//!
//! Every answer has passed `radar-check` before it leaves; what could not be served comes with reasons.

mod budget;
mod companion;
mod error;
mod exact;
mod guide;
mod improve;
mod lanes;
mod neural;
mod options;
mod pace;
mod plan;
mod progress;
mod reasons;
mod restrict;
mod select;
mod shipped;
mod solution;
mod solver;
mod task;
mod warm;

pub use budget::{Budget, Clock, SystemClock};
pub use companion::companion;
pub use error::SolveError;
pub use lanes::Lanes;
pub use neural::Model;
pub use options::{Freeze, Guide, Method, Options, Prior};
pub use progress::{Event, Progress, Silent};
pub use radar_problem::{
    Code, Feature, Features, Finding, Instance, Kind, Objective, Precision, Problem, Report, Routes,
    Severity, Table, Units, Variant,
};
pub use radar_search::EdgePrior;
pub use shipped::shipped;
pub use solution::{Solution, Timings, Unserved, Warning};
pub use solver::Solver;
