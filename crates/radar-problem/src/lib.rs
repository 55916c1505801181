//! What a routing problem is.
//!
//! A [`Problem`] is what somebody stated: floats, any lengths, nothing checked. [`Problem::validate`]
//! turns it into an [`Instance`], scaled integers that every other crate computes with, and returns
//! *all* findings at once. [`Routes`] is a plan for an instance.
//!
//! ```
//! use radar_problem::{Problem, Table};
//!
//! let distance = Table::from_rows(vec![vec![0.0, 2.0, 9.0], vec![4.5, 0.0, 1.0], vec![3.0, 7.0, 0.0]]);
//! let report = Problem {
//!     demand: Some(vec![0.0, 3.0, 4.0]),
//!     capacity: Some(5.0),
//!     ..Problem::vrp(distance)
//! }
//! .validate();
//! let instance = report.instance.expect("nothing is wrong with it");
//! assert_eq!(instance.variant().to_string(), "ACVRP");
//! assert_eq!(instance.distance().at(1, 0), 45); // tenths: 4.5 is the finest entry
//! ```

mod feature;
mod finding;
mod instance;
mod matrix;
mod merit;
mod problem;
mod relax;
mod routes;
mod scale;
mod scaled;
mod shortest;
mod table;
mod validate;
mod words;

pub use feature::{Feature, Features, UnknownVariant, Variant};
pub use finding::{Code, Finding, Severity};
pub use instance::{Instance, Objective};
pub use matrix::Matrix;
pub use merit::{Merit, gap};
pub use problem::{Kind, Problem, Units};
pub use relax::Relaxation;
pub use routes::Routes;
pub use scale::{Scale, Scales, seven_digits};
pub use scaled::{Row, Scaled};
pub use shortest::{shortest_from, shortest_to};
pub use table::{Precision, Table};
pub use validate::Report;
pub use words::clock;

/// The scaled cost of an arc that cannot be driven. Never add to it: test for it.
pub const UNREACHABLE: i64 = i64::MAX;

/// A bound that never binds: the close of an endless window, an unlimited capacity. Leaves room to
/// add or subtract any schedule without overflow.
pub const NEVER: i64 = i64::MAX / 4;
