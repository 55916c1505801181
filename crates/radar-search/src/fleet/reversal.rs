//! Reversal of a short stretch of a route. Every arc of the stretch changes its cost, so it is driven anew;
//! it matters where both directions of a street cost nearly the same.

use radar_bound::Weight;

use super::plan::{Head, Plan};
use super::record::Record;
use crate::candidates::Candidates;

/// Looks for a stretch that begins with `start`, ends with a candidate of what is before it, and is better
/// driven backwards; applies the first it finds and says whether it did.
///
/// Contract: the reduced cost and the fines change by exactly what was computed, and their sum falls.
pub(crate) fn improve<W: Weight, R: Record>(
    plan: &mut Plan<'_, W, R>,
    out: &Candidates<W>,
    breadth: usize,
    longest: usize,
    start: Head,
) -> bool {
    if start as usize >= plan.nodes() || plan.is_fixed(start) {
        return false;
    }
    let spot = plan.spot(start);
    let (route, from) = (spot.route as usize, spot.place as usize);
    let tail = plan.tail(start);
    let hope = plan.fine_of(route);
    for &(end, cost) in out.of(tail).iter().take(breadth) {
        if end == 0 || end == start {
            continue;
        }
        let other = plan.spot(end);
        let until = other.place as usize;
        if other.route != spot.route || until <= from || until - from >= longest {
            continue;
        }
        let stops = &plan.routes()[route];
        let next = plan.after(end as usize);
        let mut saving =
            plan.entry(start) + plan.entry(next) - cost.to_i64() - plan.at(start as usize, plan.node(next));
        for pair in stops[from..=until].windows(2) {
            saving += plan.entry(pair[1]) - plan.at(pair[1] as usize, pair[0] as usize);
        }
        if saving + hope <= 0 {
            continue;
        }
        let backwards = stops[from..=until].iter().rev().copied();
        let (record, last) = plan.through(plan.record_before(spot, start), tail, backwards);
        let rest = plan.record_from(plan.spot(next), next);
        let record = record.join(plan.yard, last, plan.node(next), rest);
        if saving > plan.fine_for(record) - hope {
            let node = plan.node(next);
            plan.edit(route, from, |stops| stops[from..=until].reverse());
            plan.charge(-saving);
            plan.mark(tail);
            plan.mark(node);
            for place in from..=until {
                plan.mark(plan.routes()[route][place] as usize);
            }
            return true;
        }
    }
    false
}
