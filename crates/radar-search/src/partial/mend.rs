//! Exchanges of stretches that begin with an arc that can be driven: what closes gaps on tables with few arcs.

use radar_kernel::random::Stream;

use super::draft::{Draft, Spot};
use crate::fleet::Record;

/// How many arcs are looked at until one leads somewhere.
const TRIES: usize = 30;

/// Joins some place of a route to another by an arc that exists: what follows both is exchanged between two
/// routes, or two neighbouring stretches of one route change places.
pub(super) fn mend<R: Record>(draft: &mut Draft<'_, R>, stream: &mut Stream) {
    let used: Vec<usize> =
        (0..draft.routes().len()).filter(|&at| draft.routes()[at].len() > draft.frozen(at)).collect();
    if used.is_empty() {
        return;
    }
    let route = used[stream.index(used.len())];
    let (frozen, length) = (draft.frozen(route), draft.routes()[route].len());
    let node_at = |draft: &Draft<'_, R>, place: usize| match place.checked_sub(1) {
        Some(before) => draft.routes()[route][before] as usize,
        None => 0,
    };
    let stop_at = |draft: &Draft<'_, R>, place: usize| match draft.routes()[route].get(place) {
        Some(&stop) => stop as usize,
        None => 0,
    };
    // Half of the time where an arc is missing, if one is.
    let gaps: Vec<usize> = (frozen..=length)
        .filter(|&place| draft.way(node_at(draft, place), stop_at(draft, place)).1 > 0)
        .collect();
    let place = match gaps.len() {
        count if count > 0 && stream.chance(0.5) => gaps[stream.index(count)],
        _ => frozen + stream.index(length - frozen + 1),
    };
    let tail = node_at(draft, place);
    let next = (0..TRIES).find_map(|_| {
        let stop = 1 + stream.index(draft.instance().stops().len());
        let spot = draft.spot(stop as u32)?;
        let fits = stop != tail && draft.way(tail, stop).1 == 0 && !draft.is_frozen(stop as u32);
        fits.then_some(spot)
    });
    let Some(next) = next else { return };
    if next.route != route {
        draft.cross(Spot { route, place }, next);
    } else if next.place > place {
        // tail | place.. | next.. | until: the stretch from `next` comes first.
        let until = next.place + 1 + stream.index(length - next.place);
        draft.turn(route, place, next.place, until);
    } else if next.place < place {
        // from.. next.. place: the stretch from `next` moves behind something later, or to the front.
        if next.place > frozen {
            let from = frozen + stream.index(next.place - frozen);
            draft.turn(route, from, next.place, place);
        }
    }
}
