//! What a valid plan is.
//!
//! [`check`] gives the verdict on any lists of nodes: cost, schedule, and every violated clause at
//! every stop. [`explain_plan`] and [`explain_stop`] say what would have to change, by the smallest
//! amount, and let the checker confirm it. [`oracle`] finds exact optima of small instances, for
//! tests.
//!
//! This crate knows the definition of a problem and nothing else: no masks, no moves, no shortcuts.
//! Whatever builds plans is judged here by code it does not share.
//!
//! ```
//! use radar_check::{Clause, check, explain_plan};
//! use radar_problem::{Problem, Relaxation, Routes, Table};
//!
//! let distance = Table::from_rows(vec![vec![0.0, 2.0, 9.0], vec![4.0, 0.0, 1.0], vec![3.0, 7.0, 0.0]]);
//! let problem = Problem {
//!     demand: Some(vec![0.0, 3.0, 4.0]),
//!     capacity: Some(5.0),
//!     ..Problem::vrp(distance)
//! };
//! let instance = problem.validate().instance.expect("nothing is wrong with it");
//!
//! let apart = check(&instance, &Routes(vec![vec![1], vec![2]]));
//! assert!(apart.feasible());
//! assert_eq!(apart.cost, Some(18.0));
//!
//! let together = Routes(vec![vec![1, 2]]);
//! assert_eq!(check(&instance, &together).violations[0].clause, Clause::DeliveryOverload);
//! let explanation = explain_plan(&instance, &together);
//! assert_eq!(explanation.remedies[0].relaxations, [Relaxation::Capacity(2)]);
//! ```

mod clause;
mod explain;
mod latest;
pub mod oracle;
mod phrase;
mod schedule;
mod trip;
mod verdict;

pub use clause::{Clause, Violation};
pub use explain::{Explanation, Place, Remedy, Subject, describe, explain_plan, explain_stop, stated_amount};
pub use schedule::{RouteReport, Visit};
pub use verdict::{Verdict, check};
