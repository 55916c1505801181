//! How long a set-up takes, so that one that would miss the deadline is not begun.

use std::time::Duration;

use radar_problem::Instance;

/// Nanoseconds per entry of the table, on a slow core: for the assignment, and for everything else that
/// goes through the table before the first plan.
const ASSIGNMENT: f64 = 30.0;
const PASSES: f64 = 18.0;
/// One exact evaluation of the bound by trees, and above how many nodes its ascent takes too long.
const TREE: f64 = 15.0;
const MOST_CLIMBED: usize = 3000;
/// Above so many nodes the assignment is never worth its time and memory.
const MOST_NODES: usize = 12_000;

/// Whether there is time for prices by assignment, and for something after that.
pub(crate) fn affords_assignment(instance: &Instance, left: Option<Duration>) -> bool {
    let entries = (instance.nodes() as f64).powi(2);
    instance.nodes() <= MOST_NODES && fits((ASSIGNMENT + PASSES) * entries, left, 0.6)
}

/// Whether there is time to begin, or to go on with, the ascent of the bound: it may end with one more
/// evaluation.
pub(crate) fn affords_ascent(nodes: usize, left: Option<Duration>) -> bool {
    nodes <= MOST_CLIMBED && fits(TREE * (nodes as f64).powi(2), left, 1.0)
}

/// Whether there is time for any search at all.
pub fn affords_search(instance: &Instance, left: Option<Duration>) -> bool {
    let entries = (instance.nodes() as f64).powi(2);
    fits(PASSES * entries, left, 0.8)
}

fn fits(nanoseconds: f64, left: Option<Duration>, share: f64) -> bool {
    left.is_none_or(|left| nanoseconds * 1e-9 <= left.as_secs_f64() * share)
}
