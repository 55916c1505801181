//! Exchange of two stretches between routes: what swapping tails gains but the load forbids, a second pair
//! of cuts nearby may allow.

use radar_bound::Weight;

use super::exchange::Exchange;
use super::plan::{Head, Plan, Spot};
use super::record::Record;

/// The most stops of a stretch.
pub(crate) const LONGEST: usize = 5;

/// A second cut of a route, and the stretch between it and the first.
#[derive(Clone, Copy)]
struct Second<R> {
    head: Head,
    entry: i64,
    tail: usize,
    node: usize,
    stretch: R,
}

/// Given that swapping what follows `one` and `other` saves `saving` in cost but not with fines, looks for
/// a second pair of cuts, at most [`LONGEST`] places away on either side, that swaps the rest back; applies
/// the best and says whether there was one.
///
/// Contract: as for any exchange; the sum of cost and fines falls.
pub(crate) fn mend<W: Weight, R: Record>(
    plan: &mut Plan<'_, W, R>,
    one: Head,
    other: Head,
    saving: i64,
) -> bool {
    let (first, second) = (plan.spot(one), plan.spot(other));
    if first.route == second.route {
        return false;
    }
    let fined = plan.fine_of(first.route as usize) + plan.fine_of(second.route as usize);
    let mut best: Option<(i64, i64, [Head; 4])> = None;
    let mut least = 0;
    for forward in [true, false] {
        let (mine, count) = seconds(plan, first, forward);
        let (theirs, their_count) = seconds(plan, second, forward);
        for near in mine.iter().take(count).flatten() {
            for far in theirs.iter().take(their_count).flatten() {
                let joined = plan.at(near.tail, far.node) + plan.at(far.tail, near.node);
                let saving = saving + near.entry + far.entry - joined;
                if saving + fined <= least {
                    continue;
                }
                let fine = exchanged(plan, (first, one), near, (second, other), far, forward)
                    + exchanged(plan, (second, other), far, (first, one), near, forward)
                    - fined;
                if saving - fine > least {
                    least = saving - fine;
                    best = Some((least, saving, [one, other, near.head, far.head]));
                }
            }
        }
    }
    let Some((_, saving, heads)) = best else { return false };
    Exchange { heads: &heads, joins: &[1, 0, 3, 2] }.apply(plan, saving);
    true
}

/// The fine of a route whose stretch between `cut` and `end` gives way to the one between `others` and
/// `other_end`.
#[inline]
fn exchanged<W: Weight, R: Record>(
    plan: &Plan<'_, W, R>,
    (cut, cut_head): (Spot, Head),
    end: &Second<R>,
    (_, other_head): (Spot, Head),
    other_end: &Second<R>,
    forward: bool,
) -> i64 {
    let end_spot = plan.spot(end.head);
    // Whichever cut comes first begins the stretch.
    let ((from_spot, from), (to_spot, to)) = match forward {
        true => ((cut, cut_head), (end_spot, end.head)),
        false => ((end_spot, end.head), (cut, cut_head)),
    };
    let (enters, leaves) = match forward {
        true => (plan.node(other_head), other_end.tail),
        false => (other_end.node, plan.tail(other_head)),
    };
    let record = plan.record_before(from_spot, from);
    let record = record.join(plan.yard, plan.tail(from), enters, other_end.stretch);
    plan.fine_for(record.join(plan.yard, leaves, plan.node(to), plan.record_from(to_spot, to)))
}

/// The possible second cuts along a route in a direction, nearest first, without those that must stay.
#[inline]
fn seconds<W: Weight, R: Record>(
    plan: &Plan<'_, W, R>,
    spot: Spot,
    forward: bool,
) -> ([Option<Second<R>>; LONGEST], usize) {
    let stops = &plan.routes()[spot.route as usize];
    let frozen = plan.frozen(spot.route as usize);
    let place = spot.place as usize;
    let mut found = [None; LONGEST];
    let count = if forward { stops.len() - place } else { place.saturating_sub(frozen) }.min(LONGEST);
    let mut stretch: Option<(R, usize)> = None;
    for offset in 1..=count {
        let at = if forward { place + offset } else { place - offset };
        // The stop that the stretch grows by.
        let stop = stops[if forward { at - 1 } else { at }] as usize;
        let single = plan.single(stop);
        let record = match stretch {
            None => single,
            Some((record, last)) if forward => record.join(plan.yard, last, stop, single),
            Some((record, first)) => single.join(plan.yard, stop, first, record),
        };
        stretch = Some((record, stop));
        let head = plan.head_at(Spot { place: at as u32, ..spot });
        found[offset - 1] = Some(Second {
            head,
            entry: plan.entry(head),
            tail: plan.tail(head),
            node: plan.node(head),
            stretch: record,
        });
    }
    (found, count)
}
