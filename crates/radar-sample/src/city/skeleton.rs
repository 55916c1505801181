//! Which junctions are joined by a street.
//!
//! The lune-based β-skeleton of Kirkpatrick and Radke (1985): two junctions are joined when no third
//! one stands in the lune between them, wider for a larger β. It gives back the streets of a grid or
//! of a web of rings, knits districts together along their borders, and never lets streets cross.

use super::Place;
use super::ground::{Ground, River};
use super::near::{Near, distance};
use super::plan::Plan;
use radar_kernel::random::Stream;

/// A piece of street between two junctions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// The junctions at its ends.
    pub ends: [usize; 2],
    /// Metres to drive, at least the straight distance.
    pub length: f64,
    /// Whether it spans the river.
    pub bridge: bool,
}

/// Joins the junctions, leaves some streets out, and spans the river by its bridges.
pub(super) fn links(plan: &Plan, ground: &Ground, junctions: &[Place], stream: &mut Stream) -> Vec<Link> {
    let reach = 2.5 * plan.block * plan.block_ratio.sqrt();
    let mut near = Near::new(ground.size, reach);
    junctions.iter().enumerate().for_each(|(number, &place)| near.insert(number, place));
    let mut links = Vec::new();
    for (number, &place) in junctions.iter().enumerate() {
        let around = near.within(place, reach);
        for &(other, there) in around.iter().filter(|&&(other, _)| other > number) {
            let wet = ground.river.as_ref().is_some_and(|river| river.parts(place, there));
            let blocked = || around.iter().any(|&(_, third)| in_lune(place, there, third, plan.sparsity));
            if !wet && !blocked() && !stream.chance(plan.missing) {
                let length = distance(place, there) * (1.0 + stream.uniform(0.0, plan.winding));
                links.push(Link { ends: [number, other], length, bridge: false });
            }
        }
    }
    if let Some(river) = &ground.river {
        links.extend(river.bridges.iter().filter_map(|&position| span(river, position, junctions)));
    }
    links
}

/// Whether `third` stands strictly inside the lune of `first` and `second`.
fn in_lune(first: Place, second: Place, third: Place, beta: f64) -> bool {
    let half = beta / 2.0;
    let centre = |from: Place, to: Place| {
        [(1.0 - half) * from[0] + half * to[0], (1.0 - half) * from[1] + half * to[1]]
    };
    // The slack keeps the ends themselves, which lie on the border, outside whatever the rounding.
    let radius = half * distance(first, second) * (1.0 - 1e-9);
    distance(centre(first, second), third) < radius && distance(centre(second, first), third) < radius
}

/// The bridge nearest to a position along the river: from the best junction of one bank to the best
/// of the other.
fn span(river: &River, position: f64, junctions: &[Place]) -> Option<Link> {
    let best = |bank: f64| {
        let offset = |place: Place| bank * river.offset(place);
        let cost = |&number: &usize| {
            let place = junctions[number];
            offset(place) + (river.position(place) - position).abs()
        };
        let mut banks = (0..junctions.len()).filter(|&number| offset(junctions[number]) >= 0.0);
        let first = banks.next()?;
        Some(banks.fold(first, |best, next| if cost(&next) < cost(&best) { next } else { best }))
    };
    let ends = [best(-1.0)?, best(1.0)?];
    Some(Link { ends, length: distance(junctions[ends[0]], junctions[ends[1]]), bridge: true })
}
