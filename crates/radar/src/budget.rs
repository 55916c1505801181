//! How long a solve may take, and the clock that tells.

use std::time::{Duration, Instant};

/// When to stop. With steps alone the answer is a function of problem, options and seed; a time limit
/// ends wherever the clock says, and the answer says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Wall time from the call of `solve`.
    pub time: Option<Duration>,
    /// How many steps each search takes; of construction, how many plans are made, each start counted as
    /// one. With neither time nor steps a search takes 500 steps per node, from 2,000
    /// to 50,000, and a network may go before it ([`crate::companion`]).
    pub steps: Option<u64>,
}

impl Budget {
    /// A limit on wall time.
    pub fn time(limit: Duration) -> Self {
        Self { time: Some(limit), steps: None }
    }

    /// A limit on work, the same on every machine.
    pub fn steps(steps: u64) -> Self {
        Self { time: None, steps: Some(steps) }
    }
}

/// Tells the time since some moment in the past. The one place where time comes from.
pub trait Clock: Sync {
    /// The time passed.
    fn now(&self) -> Duration;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(Instant);

impl SystemClock {
    /// A clock that starts now.
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
