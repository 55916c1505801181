//! Ruin and recreate: strings of neighbouring stops are taken off several routes and put back one by one
//! where they cost least.

use radar_bound::Weight;
use radar_kernel::random::Stream;

use super::insertion::{self, Places};
use super::plan::{Head, Plan, Spot};
use super::record::Record;
use crate::candidates::Neighbours;

/// How much is ruined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ruin {
    /// How many stops are taken off on average.
    pub stops: f64,
    /// How many stops of one route at most.
    pub longest: f64,
    /// Where they may be put back.
    pub places: Places,
}

/// Takes strings of stops off routes near one chosen at random, and puts them back.
///
/// Contract: afterwards every stop is on a route again unless there is no route; what stands in a frozen
/// beginning stays; the reduced cost is accounted for.
pub(crate) fn ruin_and_recreate<W: Weight, R: Record>(
    plan: &mut Plan<'_, W, R>,
    neighbours: &Neighbours<W>,
    ruin: &Ruin,
    stream: &mut Stream,
) {
    let mut removed = take_strings(plan, neighbours, ruin, stream);
    arrange(plan, &mut removed, stream);
    for &stop in &removed {
        let stop = stop as usize;
        let place = insertion::best_place(plan, neighbours, ruin.places, stop, Some(stream))
            .or_else(|| insertion::best_place(plan, neighbours, Places::All, stop, None));
        if let Some(place) = place {
            insertion::insert(plan, stop, place);
        }
    }
}

/// Takes strings off routes around a random stop.
fn take_strings<W: Weight, R: Record>(
    plan: &mut Plan<'_, W, R>,
    neighbours: &Neighbours<W>,
    ruin: &Ruin,
    stream: &mut Stream,
) -> Vec<u32> {
    let stops = plan.nodes() - 1;
    // Stops that must stay make no route longer: what is free of it must be able to go as a whole.
    let free = |route: usize| plan.routes()[route].len() - plan.frozen(route);
    let (used, movable) = (0..plan.routes().len())
        .map(free)
        .filter(|&free| free > 0)
        .fold((0_usize, 0), |(used, movable), free| (used + 1, movable + free));
    let longest = ruin.longest.min(movable as f64 / used.max(1) as f64);
    let strings = (stream.unit() * (4.0 * ruin.stops / (1.0 + longest) - 1.0).max(0.0) + 1.0) as usize;
    let seed = 1 + stream.index(stops);
    let mut removed = Vec::new();
    let mut touched: Vec<u32> = Vec::new();
    let out = neighbours.out.of(seed).iter().map(|arc| arc.0);
    let back = neighbours.back.of(seed).iter().map(|arc| arc.0);
    let mut near: Vec<u32> = std::iter::once(seed as u32).chain(interleave(out, back)).collect();
    // Strings may reach further than one stop's candidates: go on from those of its candidates.
    let direct = near.len();
    for at in 1..direct {
        if near[at] != 0 {
            near.extend(neighbours.out.of(near[at] as usize).iter().take(4).map(|arc| arc.0));
        }
    }
    for stop in near {
        if touched.len() >= strings {
            break;
        }
        if stop == 0 || !plan.is_placed(stop as usize) {
            continue;
        }
        let spot = plan.spot(stop);
        if touched.contains(&spot.route) || plan.is_fixed(stop) {
            continue;
        }
        touched.push(spot.route);
        take_string(plan, spot, longest, stream, &mut removed);
    }
    removed
}

/// Takes one string that contains the stop at `spot`, sometimes sparing stops in its middle.
fn take_string<W: Weight, R: Record>(
    plan: &mut Plan<'_, W, R>,
    spot: Spot,
    longest: f64,
    stream: &mut Stream,
    removed: &mut Vec<u32>,
) {
    let route = spot.route as usize;
    let frozen = plan.frozen(route);
    let free = plan.routes()[route].len() - frozen;
    let place = spot.place as usize - frozen;
    let taken = ((stream.unit() * longest.min(free as f64) + 1.0) as usize).min(free);
    let mut spared = 0;
    if taken > 1 && taken < free && stream.chance(0.5) {
        spared = 1;
        while taken + spared < free && stream.chance(0.5) {
            spared += 1;
        }
    }
    let whole = taken + spared;
    let lowest = (place + 1).saturating_sub(whole);
    let highest = place.min(free - whole);
    let start = frozen + lowest + stream.index(highest - lowest + 1);
    if spared == 0 {
        take(plan, route, start, taken, removed);
    } else {
        let first = 1 + stream.index(taken - 1);
        take(plan, route, start + first + spared, taken - first, removed);
        take(plan, route, start, first, removed);
    }
}

/// Takes `count` stops from place `start` on.
fn take<W: Weight, R: Record>(
    plan: &mut Plan<'_, W, R>,
    route: usize,
    start: usize,
    count: usize,
    removed: &mut Vec<u32>,
) {
    let head_at = |place: usize| Spot { route: route as u32, place: place as u32 };
    let first: Head = plan.head_at(head_at(start));
    let next: Head = plan.head_at(head_at(start + count));
    let (tail, node) = (plan.tail(first), plan.node(next));
    let mut cost = plan.at(tail, node) - plan.entry(next);
    for place in start..start + count {
        let stop = plan.routes()[route][place];
        cost -= plan.entry(stop);
        removed.push(stop);
    }
    plan.edit(route, start, |stops| drop(stops.drain(start..start + count)));
    for &stop in &removed[removed.len() - count..] {
        plan.displace(stop as usize);
    }
    plan.charge(cost);
    plan.mark(tail);
    plan.mark(node);
}

/// In which order stops are put back: at random, largest first, farthest or nearest to the depot first.
fn arrange<W: Weight, R: Record>(plan: &Plan<'_, W, R>, removed: &mut [u32], stream: &mut Stream) {
    stream.shuffle(removed);
    let instance = plan.yard.instance();
    let round_trip = |stop: &u32| {
        let stop = *stop as usize;
        plan.reduced.cost(0, stop) + plan.reduced.cost(stop, 0)
    };
    let width = |stop: &u32| instance.closes(*stop as usize) - instance.opens(*stop as usize);
    match stream.below(12) {
        0..4 => (),
        4..7 => removed.sort_by_key(|&stop| {
            std::cmp::Reverse(instance.demand(stop as usize) + instance.backhaul(stop as usize))
        }),
        7..9 => removed.sort_by_key(|stop| std::cmp::Reverse(round_trip(stop))),
        9 => removed.sort_by_key(round_trip),
        _ => removed.sort_by_key(width),
    }
}

/// One of each in turn.
fn interleave(one: impl Iterator<Item = u32>, other: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
    let (mut one, mut other, mut turn) = (one.fuse(), other.fuse(), false);
    std::iter::from_fn(move || {
        turn = !turn;
        if turn { one.next().or_else(|| other.next()) } else { other.next().or_else(|| one.next()) }
    })
}
