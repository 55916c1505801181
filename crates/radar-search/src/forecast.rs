//! How long a set-up takes, so that one that would miss the deadline is not begun.

use std::time::Duration;

use radar_problem::{Instance, NEVER};

use crate::pace::Pace;

/// Nanoseconds per entry of the table on a slow core, as measured, and how they grow per thousand nodes as
/// caches no longer help: for the assignment, and for everything else that goes through the table before
/// the first plan.
const ASSIGNMENT: (f64, f64) = (14.0, 4.0);
const PASSES: (f64, f64) = (6.5, 2.0);
/// One exact evaluation of the bound by trees, and above how many nodes its ascent takes too long.
const TREE: f64 = 15.0;
const MOST_CLIMBED: usize = 3000;
/// Seconds per round of the ascent and node.
const ROUND: f64 = 0.45e-6;
/// Seconds per step.
const STEP: f64 = 15e-6;
/// Above so many nodes the assignment is never worth its time and memory.
const MOST_NODES: usize = 12_000;

/// Whether there is time for prices by assignment, and for something after that.
pub(crate) fn affords_assignment(instance: &Instance, left: Option<Duration>) -> bool {
    // Routes add copies of the depot; open and limited ones may be solved again with more of them.
    let again = match (instance.is_tour(), instance.is_open() || instance.limit() < NEVER) {
        (true, _) => 1.0,
        (false, false) => 1.2,
        (false, true) => 2.5,
    };
    let needed = again * nanoseconds(ASSIGNMENT, instance) + nanoseconds(PASSES, instance);
    // On a tour the assignment is most of the answer; routes gain more from steps if time is short.
    let share = if instance.is_tour() { 0.85 } else { 0.35 };
    instance.nodes() <= MOST_NODES && fits(needed, left, share)
}

/// Whether there is time to begin, or to go on with, the ascent of the bound: it may end with one more
/// evaluation.
pub(crate) fn affords_ascent(nodes: usize, left: Option<Duration>) -> bool {
    nodes <= MOST_CLIMBED && fits(TREE * (nodes as f64).powi(2), left, 1.0)
}

/// About how long the steps of a budget without a clock take: what suits a time suits as many steps.
pub(crate) fn time_of(pace: &dyn Pace) -> Option<Duration> {
    let per_step = pace.spent(1).max(1e-12);
    Some(Duration::from_secs_f64((STEP / per_step).min(1e6)))
}

/// How long an ascent of so many rounds takes.
pub(crate) fn ascent_time(nodes: usize, rounds: u64) -> Duration {
    Duration::from_secs_f64(round_time(nodes) * rounds as f64)
}

/// How many rounds of the ascent there is time for, at least a few: its steps are sized by them.
pub(crate) fn ascent_rounds(nodes: usize, left: Duration) -> u64 {
    (left.as_secs_f64() / round_time(nodes)).max(60.0) as u64
}

/// Seconds per round of the ascent, generously: one that is cut off is worth little.
fn round_time(nodes: usize) -> f64 {
    ROUND * nodes as f64 * (1.0 + nodes as f64 / 500.0)
}

/// Whether there is time for any search at all.
pub fn affords_search(instance: &Instance, left: Option<Duration>) -> bool {
    fits(nanoseconds(PASSES, instance), left, 0.95)
}

fn nanoseconds((base, growth): (f64, f64), instance: &Instance) -> f64 {
    let nodes = instance.nodes() as f64;
    (base + growth * nodes / 1000.0) * nodes * nodes
}

fn fits(nanoseconds: f64, left: Option<Duration>, share: f64) -> bool {
    left.is_none_or(|left| nanoseconds * 1e-9 <= left.as_secs_f64() * share)
}
