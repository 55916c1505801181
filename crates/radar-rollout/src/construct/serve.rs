//! Fitting stops into a plan that is already there.

use super::draft::Draft;
use super::plan::{Plan, by_priority};
use super::yard::Yard;
use crate::Stop;

/// Pairs are tried for so many stops at most; beyond that the instance is hopeless anyway.
const PAIRED: usize = 256;

/// Puts every unserved stop where it costs least, those that matter most first, until none fits. On
/// matrices without the triangle inequality one stop can make room for another, hence the rounds.
pub(super) fn serve(yard: &Yard<'_>, plan: &mut Plan, stop: Stop<'_>) {
    loop {
        let mut waiting = std::mem::take(&mut plan.unserved);
        by_priority(yard, &mut waiting);
        let before = waiting.len();
        for node in waiting {
            if stop() || !place(yard, plan, node, true) {
                plan.unserved.push(node);
            }
        }
        if plan.unserved.is_empty() || stop() {
            return;
        }
        if plan.unserved.len() == before && !pair(yard, plan, stop) {
            return;
        }
    }
}

/// Puts one stop where it costs least; a route of its own counts when `fresh` or when nothing else is
/// left. Says whether it is served now.
pub(super) fn place(yard: &Yard<'_>, plan: &mut Plan, stop: usize, fresh: bool) -> bool {
    let mut best: Option<(i64, usize, usize)> = None;
    for (at, route) in plan.routes.iter().enumerate() {
        if let Some((added, place)) = route.best_place(yard, stop)
            && best.is_none_or(|(least, ..)| added < least)
        {
            best = Some((added, at, place));
        }
    }
    if plan.has_spare(yard)
        && (fresh || best.is_none())
        && let Some(alone) = Draft::alone(yard, stop)
        && best.is_none_or(|(least, ..)| alone.cost < least)
    {
        plan.routes.push(alone);
        return true;
    }
    if let Some((_, at, place)) = best {
        plan.routes[at].insert(yard, stop, place);
    }
    best.is_some()
}

/// Opens one route for two unserved stops that can only be served together: one may be reached only
/// by way of the other. Says whether it found such a pair.
fn pair(yard: &Yard<'_>, plan: &mut Plan, stop: Stop<'_>) -> bool {
    if !plan.has_spare(yard) || plan.unserved.len() > PAIRED {
        return false;
    }
    for (at, &first) in plan.unserved.iter().enumerate() {
        if stop() {
            return false;
        }
        for (with, &second) in plan.unserved.iter().enumerate().filter(|&(with, _)| with != at) {
            if let Some(route) = Draft::through(yard, &[first, second]) {
                plan.routes.push(route);
                plan.unserved.remove(at.max(with));
                plan.unserved.remove(at.min(with));
                return true;
            }
        }
    }
    false
}
