//! Getting across a junction: who waits, and which turns are forbidden.

use super::near::dot;
use super::plan::Plan;
use super::street::Rank;
use super::{Place, Town};
use radar_kernel::random::Stream;

/// A junction as something to get across.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// Seconds that a light costs on average, if there is one.
    light: Option<f64>,
    /// The highest rank that meets here on the ground.
    rank: Rank,
    /// Whether a street with a median passes.
    divided: bool,
}

/// What there is to get across at every junction.
pub(super) fn crossings(town: &Town, stream: &mut Stream) -> Vec<Crossing> {
    let Town { plan, junctions, links, streets } = town;
    let mut crossings = vec![Crossing { light: None, rank: Rank::Local, divided: false }; junctions.len()];
    let mut busy = vec![0; junctions.len()];
    for (link, street) in links.iter().zip(streets) {
        for end in link.ends {
            if street.rank < Rank::Express {
                crossings[end].rank = crossings[end].rank.max(street.rank);
            }
            crossings[end].divided |= street.divided;
            busy[end] += usize::from(street.rank > Rank::Local);
        }
    }
    for (crossing, busy) in crossings.iter_mut().zip(busy) {
        // Lights stand where busy streets cross; three busy arms or more.
        let (has_light, seconds) = (stream.chance(plan.lights), stream.uniform(0.5, 1.5) * plan.light);
        crossing.light = (busy > 2 && has_light).then_some(seconds);
    }
    crossings
}

/// One movement across a junction.
pub(super) struct Turn {
    /// Directions before and after.
    pub from: Place,
    pub to: Place,
    /// Ranks before and after.
    pub ranks: [Rank; 2],
    /// Whether there is a median before and after.
    pub divided: [bool; 2],
}

impl Turn {
    /// Seconds lost, or `None` where the movement is forbidden. Traffic keeps to the right.
    pub fn delay(&self, plan: &Plan, crossing: &Crossing) -> Option<f64> {
        let express = self.ranks.map(|rank| rank == Rank::Express);
        if express[0] != express[1] && crossing.rank == Rank::Local {
            return None;
        }
        let sharpness = 1.0 - dot(self.from, self.to);
        let left = self.from[0] * self.to[1] - self.from[1] * self.to[0] > 0.0;
        if crossing.divided && crossing.light.is_none() {
            // A median without a light lets nobody across: one follows it or turns right.
            let follows = self.divided == [true; 2] && sharpness < 0.5;
            if !follows && (left || sharpness < 0.1) {
                return None;
            }
        }
        let turn = sharpness * plan.turn * if left { 1.0 } else { 0.4 };
        let wait = match crossing.light {
            _ if express == [true; 2] => 0.0,
            Some(light) => light,
            None if self.ranks[0] < crossing.rank => plan.give_way,
            None => 0.0,
        };
        Some(turn + wait)
    }
}
