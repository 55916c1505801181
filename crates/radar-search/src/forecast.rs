//! How long a set-up takes, so that one that would miss the deadline is not begun.

use std::time::Duration;

use radar_problem::Instance;

/// Nanoseconds per entry of the table, on a slow core: for the assignment, and for everything else that
/// goes through the table before the first plan.
const ASSIGNMENT: f64 = 30.0;
const PASSES: f64 = 12.0;
/// Above so many nodes the assignment is never worth its time.
const MOST_NODES: usize = 6000;

/// Whether there is time for prices by assignment, and for something after that.
pub(crate) fn affords_assignment(instance: &Instance, left: Option<Duration>) -> bool {
    let entries = (instance.nodes() as f64).powi(2);
    instance.nodes() <= MOST_NODES && fits((ASSIGNMENT + PASSES) * entries, left, 0.6)
}

/// Whether there is time for any search at all.
pub fn affords_search(instance: &Instance, left: Option<Duration>) -> bool {
    let entries = (instance.nodes() as f64).powi(2);
    fits(PASSES * entries, left, 0.8)
}

fn fits(nanoseconds: f64, left: Option<Duration>, share: f64) -> bool {
    left.is_none_or(|left| nanoseconds * 1e-9 <= left.as_secs_f64() * share)
}
