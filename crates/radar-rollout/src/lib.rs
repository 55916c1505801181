//! Batched construction of plans.
//!
//! A [`Batch`] holds many trajectories, each building one plan node by node; a mask says which moves
//! are legal, a [`Policy`] chooses among them, and [`rollout`] drives them to the end. Classical
//! constructors (savings, insertion, regret) live in [`mod@construct`]; [`construct()`] runs everything and
//! keeps the best.
//!
//! ```
//! use radar_problem::{Problem, Table};
//! use radar_rollout::{Nearest, Starts, rollout};
//!
//! let distance = Table::from_rows(vec![vec![0.0, 2.0, 9.0], vec![4.0, 0.0, 1.0], vec![3.0, 7.0, 0.0]]);
//! let instance = Problem::vrp(distance).validate().instance.expect("nothing is wrong with it");
//! let best = rollout(&[&instance], Starts::All, 1, || Nearest).into_iter().min_by_key(|one| one.cost);
//! let plan = best.expect("two starts").into_plan().expect("it is complete");
//! assert_eq!(plan.0, [[1, 2]]);
//! ```

mod batch;
mod bits;
pub mod construct;
mod mask;
mod policy;
mod rollout;
mod starts;
mod state;

pub use batch::Batch;
pub use bits::Mask;
pub use construct::{Best, Construction, Effort, Method, construct};
pub use mask::Rules;
pub use policy::{Nearest, Policy, Random};
pub use rollout::{Trajectory, rollout, run};
pub use starts::Starts;
pub use state::State;

/// A question asked often: should the work end here with what there is?
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);
