//! The land a city is built on: where streets may be, and the river that parts it.

use super::Place;
use super::near::distance;
use super::plan::Plan;
use radar_kernel::random::Stream;
use std::f64::consts::TAU;

/// The rectangle from the origin to `size`, less parks and water.
pub(super) struct Ground {
    pub size: Place,
    pub river: Option<River>,
    parks: Vec<(Place, f64)>,
}

impl Ground {
    pub fn lay(plan: &Plan, stream: &mut Stream) -> Self {
        let size = plan.size();
        let short = plan.window[0].min(plan.window[1]);
        let parks = (0..plan.parks)
            .map(|_| {
                let centre = [stream.uniform(0.0, size[0]), stream.uniform(0.0, size[1])];
                (centre, stream.uniform(0.05, 0.16) * short)
            })
            .collect();
        let river = (plan.bridges > 0).then(|| River::flow(size, plan.bridges, stream));
        Self { size, river, parks }
    }

    /// Whether a junction may stand here.
    pub fn is_open(&self, place: Place) -> bool {
        let inside = (0..2).all(|axis| (0.0..=self.size[axis]).contains(&place[axis]));
        let dry = self.river.as_ref().is_none_or(|river| !river.covers(place));
        inside && dry && self.parks.iter().all(|&(centre, radius)| distance(centre, place) > radius)
    }
}

/// A meandering river from edge to edge.
pub(super) struct River {
    through: Place,
    along: Place,
    swing: f64,
    wave: f64,
    phase: f64,
    half_width: f64,
    /// Where the bridges are, as positions along the river.
    pub bridges: Vec<f64>,
}

impl River {
    fn flow(size: Place, bridges: usize, stream: &mut Stream) -> Self {
        let mut within = |length: f64| stream.uniform(0.3, 0.7) * length;
        let through = [within(size[0]), within(size[1])];
        let angle = stream.uniform(0.0, TAU / 2.0);
        let half = distance([0.0, 0.0], size) / 2.0;
        // Bridges stand evenly but for a random shift each, about the middle of the city.
        let gap = 1.4 * half / bridges as f64;
        let bridges = (0..bridges)
            .map(|number| gap * (number as f64 + stream.uniform(0.15, 0.85)) - 0.7 * half)
            .collect();
        Self {
            through,
            along: [libm::cos(angle), libm::sin(angle)],
            swing: stream.uniform(0.0, 0.08) * half,
            wave: stream.uniform(0.4, 1.5) * half,
            phase: stream.uniform(0.0, TAU),
            half_width: stream.uniform(15.0, 70.0),
            bridges,
        }
    }

    /// How far along the river a place is.
    pub fn position(&self, place: Place) -> f64 {
        (place[0] - self.through[0]) * self.along[0] + (place[1] - self.through[1]) * self.along[1]
    }

    /// How far off the middle of the river a place is, with the sign of its bank.
    pub fn offset(&self, place: Place) -> f64 {
        let across =
            (place[1] - self.through[1]) * self.along[0] - (place[0] - self.through[0]) * self.along[1];
        across - self.swing * libm::sin(TAU * self.position(place) / self.wave + self.phase)
    }

    fn covers(&self, place: Place) -> bool {
        self.offset(place).abs() < self.half_width
    }

    /// Whether two places lie on different banks.
    pub fn parts(&self, first: Place, second: Place) -> bool {
        (self.offset(first) < 0.0) != (self.offset(second) < 0.0)
    }
}
