//! Watching a solve, and stopping it.

use std::time::Duration;

use radar_problem::Routes;

/// Something that happened during a solve.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// The problem is valid; work begins.
    Started {
        /// The name of the variant.
        variant: String,
        /// How many stops there are.
        stops: usize,
    },
    /// A plan better than any before.
    Incumbent {
        /// Its cost in stated units.
        cost: f64,
        /// How many routes it has.
        routes: usize,
        /// How many stops it leaves out.
        unserved: usize,
        /// What made it.
        method: String,
        /// The routes themselves.
        plan: Routes,
        /// When, since the call.
        elapsed: Duration,
    },
    /// No plan that serves every stop costs less than this; told again when more is known.
    Bound {
        /// In stated units.
        bound: f64,
        /// When, since the call.
        elapsed: Duration,
    },
}

/// Observes a solve. Called from the solving threads: keep it short.
pub trait Progress: Sync {
    /// Is told of everything that happens.
    fn event(&self, event: &Event);

    /// Asked often; once true, the solve ends with the best plan so far.
    fn cancelled(&self) -> bool {
        false
    }
}

/// Watches nothing and never cancels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn event(&self, _: &Event) {}
}
