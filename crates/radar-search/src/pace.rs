//! How much of the budget is spent. The caller has the clock.

use std::time::Duration;

/// Paces a search: temperatures follow the part of the budget that is spent, and the search ends when all
/// of it is.
pub trait Pace: Sync {
    /// The part of the budget that is spent after `steps` steps; at 1 or above the search ends. A pace
    /// that looks at the steps alone makes the search a function of its input.
    fn spent(&self, steps: u64) -> f64;

    /// How much time is left, if time is what is budgeted: a set-up that would take longer gives way to a
    /// cheaper one.
    fn left(&self) -> Option<Duration>;

    /// Whether a bound is worth work of its own at the end; if not, it is what the search knew anyway.
    fn wants_bound(&self) -> bool {
        true
    }

    /// Is told of every lower bound as soon as it is known, in scaled units.
    fn bounded(&self, bound: i64) {
        let _ = bound;
    }

    /// Asked in long stretches of work that are not counted in steps.
    fn is_over(&self) -> bool {
        self.left().is_some_and(|left| left.is_zero())
    }
}

/// A number of steps, and a way to end before.
#[derive(Clone, Copy)]
pub struct Steps<'a> {
    /// How many steps are taken.
    pub most: u64,
    /// Ends the search at once when true.
    pub cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl Pace for Steps<'_> {
    fn spent(&self, steps: u64) -> f64 {
        if (self.cancelled)() || steps >= self.most { 1.0 } else { steps as f64 / self.most as f64 }
    }

    fn left(&self) -> Option<Duration> {
        (self.cancelled)().then_some(Duration::ZERO)
    }
}

/// The first part of another budget.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub whole: &'a dyn Pace,
    /// Which share of the whole it is.
    pub share: f64,
}

impl Pace for Part<'_> {
    fn spent(&self, steps: u64) -> f64 {
        match self.whole.left() {
            // Steps are all spent on steps.
            None => self.whole.spent(steps),
            Some(_) => self.whole.spent(steps) / self.share,
        }
    }

    fn left(&self) -> Option<Duration> {
        self.whole.left()
    }
}
