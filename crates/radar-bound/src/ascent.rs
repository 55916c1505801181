//! Better bounds by trees: Held and Karp's ascent, for tours and routes.
//!
//! Without its depot a plan is a forest of paths, so a cheapest forest plus the cheapest ways out of the
//! depot and back costs no more (see [`depot`]). Such a relaxed plan leaves and enters some stops too often
//! and others never. Multipliers make the former dearer and the latter cheaper; as every plan leaves and
//! enters each stop once, all plans change by the same amount, whatever the multipliers. The ascent looks
//! for those under which the cheapest relaxed plan costs most. It works on a sparse graph, whose values
//! are no bounds; bounds are stated only of values over the whole table, in integers (see [`exact`]).

mod climb;
mod depot;
mod exact;
mod graph;
mod relaxed;
mod scaled;

use climb::Climb;
use scaled::Scaled;

use crate::reduced::Reduced;
use crate::{Stop, Weight};

/// What an ascent came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ascent {
    /// What no plan costs less than. A plan at this cost is a best one.
    pub bound: i64,
    /// How many relaxed plans were made.
    pub rounds: u64,
}

/// Above so many nodes a last look at the whole table takes too long once the work should end.
const MOST_NODES_LATE: usize = 2000;

/// Raises the bound of `reduced` in at most `rounds` rounds, until it reaches `upper`, the cost of a known
/// plan, or it is told to stop. The bound is at least that of `reduced`.
///
/// The step is Helsgaun's: it doubles while the value rises at first, and halves after each period. Periods
/// halve as well, and double where the last round of one has still brought something. They start at a
/// quarter of `rounds`: more rounds make slower and better ascents.
pub fn ascend<W: Weight>(reduced: &Reduced<W>, upper: i64, rounds: u64, stop: Stop) -> Ascent {
    let mut ascent = Ascent { bound: reduced.bound(), rounds: 0 };
    if reduced.nodes() < 2 || ascent.bound >= upper || rounds == 0 || stop() {
        return ascent;
    }
    let Some(scaled) = Scaled::of(reduced) else { return ascent };
    let Some(mut climb) = Climb::start(reduced, &scaled, stop) else { return ascent };
    let longest = (rounds / 4).max(1);
    let (mut period, mut step, mut is_doubling) = (longest, climb.first_step(), true);
    loop {
        ascent.bound = ascent.bound.max(climb.bound());
        let is_over = period == 0 || ascent.rounds >= rounds || ascent.bound >= upper;
        if is_over || climb.is_level(step) || climb.is_balanced() {
            return ascent;
        }
        let mut round = 0;
        while round < period && ascent.rounds < rounds {
            round += 1;
            ascent.rounds += 1;
            if climb.round(step) {
                step *= if is_doubling { 2.0 } else { 1.0 };
                period = if round == period { (2 * period).min(longest) } else { period };
            } else if is_doubling && round > period / 2 {
                (is_doubling, round) = (false, 0);
                step *= 0.75;
            }
            if climb.is_above(upper) || climb.is_balanced() {
                break;
            }
            if stop() {
                if reduced.nodes() <= MOST_NODES_LATE {
                    climb.survey(&|| false);
                    ascent.bound = ascent.bound.max(climb.bound());
                }
                return ascent;
            }
        }
        climb.survey(stop);
        period /= 2;
        step /= 2.0;
    }
}
