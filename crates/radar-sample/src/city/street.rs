//! What each street is: its rank and speed, and the directions it may be driven in.

use super::Place;
use super::near::{distance, dot, heading, middle};
use super::plan::Plan;
use super::skeleton::Link;
use super::stroke::{Stroke, strokes};
use radar_kernel::random::Stream;

/// Streets in the order of who gives way to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Local,
    Collector,
    Arterial,
    /// Crossed on another level, entered and left only where a collector or an arterial meets it.
    Express,
}

/// A link as a driver sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Street {
    pub rank: Rank,
    /// Metres per second.
    pub speed: f64,
    /// Whether it may be driven from its first end to its second, and back.
    pub open: [bool; 2],
    /// Whether a median parts the two directions.
    pub divided: bool,
}

/// Decides for every link.
pub(super) fn streets(plan: &Plan, junctions: &[Place], links: &[Link], stream: &mut Stream) -> Vec<Street> {
    let strokes = strokes(junctions, links);
    let ranks = ranks(plan, junctions, links, &strokes);
    let unset = Street { rank: Rank::Local, speed: 1.0, open: [true; 2], divided: false };
    let mut streets = vec![unset; links.len()];
    for (stroke, rank) in strokes.iter().zip(ranks) {
        let (speed, one_way, divided) = match rank {
            Rank::Local => (plan.local_speed, plan.one_way, 0.0),
            Rank::Collector => (plan.collector_speed, 0.7 * plan.one_way, 0.0),
            Rank::Arterial => (plan.arterial_speed, 0.3 * plan.one_way, plan.divided),
            Rank::Express => (plan.express_speed, 0.0, 0.0),
        };
        let speed = speed * (1.0 + stream.uniform(-plan.speed_spread, plan.speed_spread));
        let bridge = stroke.iter().any(|&(link, _)| links[link].bridge);
        let divided = stream.chance(divided) && !bridge;
        let one_way = stream.chance(one_way) && !divided && !bridge;
        let along =
            if plan.alternating { runs_along(plan, junctions, links, stroke) } else { stream.chance(0.5) };
        for &(link, forward) in stroke {
            let open = if one_way { [forward == along, forward != along] } else { [true; 2] };
            streets[link] = Street { rank, speed, open, divided };
        }
    }
    seclude(plan, junctions.len(), links, &mut streets, stream);
    streets
}

/// Cuts some local streets off the busier ones, so that neighbourhoods have few entrances.
fn seclude(plan: &Plan, junctions: usize, links: &[Link], streets: &mut [Street], stream: &mut Stream) {
    let mut busy = vec![false; junctions];
    for (link, street) in links.iter().zip(&*streets) {
        link.ends.iter().for_each(|&end| busy[end] |= street.rank > Rank::Local);
    }
    for (link, street) in links.iter().zip(streets) {
        let entrance = street.rank == Rank::Local && link.ends.iter().any(|&end| busy[end]);
        if entrance && stream.chance(plan.seclusion) {
            street.open = [false; 2];
        }
    }
}

/// The longest strokes become expressways, arterials and then collectors, as far as each keeps its distance from
/// those of its rank that run beside it.
fn ranks(plan: &Plan, junctions: &[Place], links: &[Link], strokes: &[Stroke]) -> Vec<Rank> {
    let length = |stroke: &Stroke| stroke.iter().map(|&(link, _)| links[link].length).sum::<f64>();
    let mut order: Vec<usize> = (0..strokes.len()).collect();
    order.sort_by(|&one, &other| length(&strokes[other]).total_cmp(&length(&strokes[one])));
    let mut ranks = vec![Rank::Local; strokes.len()];
    let mut placed: Vec<(Place, Place)> = Vec::new();
    let mut expressways = plan.expressways;
    for (rank, spacing) in
        [(Rank::Arterial, plan.arterial_spacing), (Rank::Collector, plan.arterial_spacing / 2.5)]
    {
        for &number in &order {
            let stroke = &strokes[number];
            if ranks[number] != Rank::Local {
                continue;
            }
            let bridge = rank == Rank::Arterial && stroke.iter().any(|&(link, _)| links[link].bridge);
            let pieces: Vec<(Place, Place)> =
                stroke.iter().map(|&(link, _)| piece(junctions, &links[link])).collect();
            let beside = |&&(centre, direction): &&(Place, Place)| {
                let parallel = |other: Place| dot(direction, other).abs() > 0.7;
                placed.iter().any(|&(place, other)| distance(centre, place) < spacing && parallel(other))
            };
            let long = length(stroke) > spacing;
            if bridge || long && 3 * pieces.iter().filter(beside).count() < pieces.len() {
                // The longest of all are the expressways; bridges are for everybody.
                let express = expressways > 0 && !bridge;
                expressways -= usize::from(express);
                ranks[number] = if express { Rank::Express } else { rank };
                placed.extend(pieces);
            }
        }
    }
    ranks
}

/// The middle and the direction of a link.
fn piece(junctions: &[Place], link: &Link) -> (Place, Place) {
    let [first, second] = link.ends.map(|end| junctions[end]);
    (middle(first, second), heading(first, second))
}

/// Whether an alternating one-way street is driven along its stroke: every other parallel street, a
/// block apart, is driven the opposite way.
fn runs_along(plan: &Plan, junctions: &[Place], links: &[Link], stroke: &Stroke) -> bool {
    let end = |&(link, forward): &(usize, bool), last: bool| {
        junctions[links[link].ends[usize::from(forward == last)]]
    };
    let (Some(first), Some(last)) = (stroke.first(), stroke.last()) else {
        return true;
    };
    let (first, last) = (end(first, false), end(last, true));
    let direction = heading(first, last);
    let reversed = direction[0] < 0.0 || direction[0] == 0.0 && direction[1] < 0.0;
    let normal = if reversed { [direction[1], -direction[0]] } else { [-direction[1], direction[0]] };
    let row = (dot(middle(first, last), normal) / plan.block).floor();
    (row.rem_euclid(2.0) == 0.0) != reversed
}
