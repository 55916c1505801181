//! What is left of a plan when the stops go that break something.

use super::draft::{Draft, Spot};
use super::watch::Watch;
use crate::fleet::{Excess, Record};

/// How many neighbouring stops are put out at once at most.
const SPAN: usize = 8;

/// Puts out stops until nothing is broken any more; says whether that was possible.
pub(super) fn prune<R: Record>(draft: &mut Draft<'_, R>, watch: &mut Watch<'_>) -> bool {
    (0..draft.routes().len()).all(|route| prune_route(draft, route, watch))
}

fn prune_route<R: Record>(draft: &mut Draft<'_, R>, route: usize, watch: &mut Watch<'_>) -> bool {
    while !draft.toll(route).excess.is_none() {
        let stops = &draft.routes()[route];
        let mut best: Option<(bool, i64, Spot, usize)> = None;
        for place in draft.frozen(route)..stops.len() {
            let spot = Spot { route, place };
            let mut lost = 0;
            for span in 1..=SPAN.min(stops.len() - place) {
                lost += draft.worth.of(stops[place + span - 1] as usize);
                let toll = draft.weigh(spot, span, None);
                let rank =
                    (toll.excess != Excess::default(), toll.fine + draft.worth.of_cost(toll.cost) + lost);
                if best.is_none_or(|best| rank < (best.0, best.1)) {
                    best = Some((rank.0, rank.1, spot, span));
                }
            }
        }
        if watch.is_over_after(SPAN * stops.len()) {
            return false;
        }
        let Some((_, _, spot, span)) = best else { return false };
        draft.exchange(spot, span, None);
    }
    true
}
