//! What is taken off the routes before they are filled anew.

use radar_kernel::random::Stream;

use super::draft::{Draft, Spot};
use crate::fleet::Record;

/// How many stops are taken off at most, and how many of one route.
const MOST: usize = 12;
/// A whole route is taken off in one step if it has no more stops than this.
const WHOLE: usize = 40;

/// Takes stops off in one of several ways: a stretch of a route, all of it, stops near one another, or any.
/// What is frozen stays. The stops taken off are in the pool afterwards, and in the answer.
pub(super) fn ruin<R: Record>(draft: &mut Draft<'_, R>, stream: &mut Stream) -> Vec<u32> {
    let kind = stream.below(16);
    let count = 1 + stream.index(MOST.min(draft.served()).max(1));
    match kind {
        0..7 => strings(draft, stream, count),
        7..11 => near(draft, stream, count),
        11..14 => any(draft, stream, count),
        _ => whole(draft, stream),
    }
}

/// A stop that may move, near which something is done: often one that is left out.
fn seed<R: Record>(draft: &Draft<'_, R>, stream: &mut Stream) -> usize {
    match draft.pool().len() {
        pool if pool > 0 && stream.chance(0.5) => draft.pool()[stream.index(pool)] as usize,
        _ => 1 + stream.index(draft.instance().stops().len()),
    }
}

/// Stops on routes that may move, those nearest to `seed` first.
fn by_nearness<R: Record>(draft: &Draft<'_, R>, seed: usize, count: usize) -> Vec<u32> {
    let distance = |stop: u32| {
        let (out, back) = (draft.way(seed, stop as usize), draft.way(stop as usize, seed));
        // A way in one direction is near enough.
        match (out.1, back.1) {
            (0, 0) => out.0.min(back.0),
            (0, _) => out.0,
            (_, 0) => back.0,
            _ => i64::MAX,
        }
    };
    let free = draft.routes().iter().enumerate().flat_map(|(at, stops)| &stops[draft.frozen(at)..]);
    let mut near: Vec<(i64, u32)> = free.map(|&stop| (distance(stop), stop)).collect();
    if near.len() > count {
        near.select_nth_unstable(count);
        near.truncate(count);
    }
    near.sort_unstable();
    near.into_iter().map(|(_, stop)| stop).collect()
}

/// Stretches of the routes that come near some stop.
fn strings<R: Record>(draft: &mut Draft<'_, R>, stream: &mut Stream, count: usize) -> Vec<u32> {
    let seed = seed(draft, stream);
    let mut taken = Vec::new();
    let mut touched: Vec<usize> = Vec::new();
    let mut around = by_nearness(draft, seed, 3 * count);
    if draft.spot(seed as u32).is_some() && !draft.is_frozen(seed as u32) {
        around.insert(0, seed as u32);
    }
    for stop in around {
        if taken.len() >= count {
            break;
        }
        let Some(spot) = draft.spot(stop) else { continue };
        if touched.contains(&spot.route) {
            continue;
        }
        touched.push(spot.route);
        let (frozen, length) = (draft.frozen(spot.route), draft.routes()[spot.route].len());
        let span = (1 + stream.index(count - taken.len())).min(length - frozen);
        let lowest = (spot.place + 1).saturating_sub(span).max(frozen);
        let highest = spot.place.min(length - span);
        let place = lowest + stream.index(highest - lowest + 1);
        take(draft, Spot { place, ..spot }, span, &mut taken);
    }
    taken
}

/// The stops nearest to one.
fn near<R: Record>(draft: &mut Draft<'_, R>, stream: &mut Stream, count: usize) -> Vec<u32> {
    let seed = seed(draft, stream);
    let mut taken = Vec::new();
    for stop in by_nearness(draft, seed, count) {
        take_one(draft, stop, &mut taken);
    }
    taken
}

/// Any stops.
fn any<R: Record>(draft: &mut Draft<'_, R>, stream: &mut Stream, count: usize) -> Vec<u32> {
    let mut taken = Vec::new();
    for _ in 0..count {
        let stop = 1 + stream.index(draft.instance().stops().len());
        take_one(draft, stop as u32, &mut taken);
    }
    taken
}

/// A route as far as it may change, or a stretch of it if it is long.
fn whole<R: Record>(draft: &mut Draft<'_, R>, stream: &mut Stream) -> Vec<u32> {
    let mut taken = Vec::new();
    let route = stream.index(draft.routes().len().max(1));
    let Some(stops) = draft.routes().get(route) else { return taken };
    let free = stops.len() - draft.frozen(route);
    let span = free.min(WHOLE);
    let place = draft.frozen(route) + stream.index(free - span + 1);
    take(draft, Spot { route, place }, span, &mut taken);
    taken
}

fn take_one<R: Record>(draft: &mut Draft<'_, R>, stop: u32, taken: &mut Vec<u32>) {
    if let Some(spot) = draft.spot(stop).filter(|_| !draft.is_frozen(stop)) {
        take(draft, spot, 1, taken);
    }
}

fn take<R: Record>(draft: &mut Draft<'_, R>, spot: Spot, span: usize, taken: &mut Vec<u32>) {
    taken.extend_from_slice(&draft.routes()[spot.route][spot.place..spot.place + span]);
    if span > 0 {
        draft.exchange(spot, span, None);
    }
}
