//! What a search tries, by how long it may take.

use std::time::Duration;

use super::kick::Kick;

/// The knobs of a [`super::TourSearch`].
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The most arcs of a sequential exchange, from 2 to 6.
    pub depth: usize,
    /// How many candidates are tried at each level.
    pub breadth: [usize; 6],
    /// The longest stretch that is turned round.
    pub reversal: usize,
    /// The largest cycle that is joined to the rest.
    pub patch: usize,
    /// How pieces are put together again.
    pub kick: Kick,
    /// The longest piece that a kick moves.
    pub stride: usize,
    /// The first and last temperature, in mean arcs.
    pub first: f64,
    pub last: f64,
}

impl Settings {
    /// The settings that did best for so much time on one core; `None` is plenty. An instance is roadlike
    /// when the assignment bound is far from any tour; on others reversals hardly ever gain, and little heat
    /// is enough.
    pub fn for_budget(nodes: usize, left: Option<Duration>, roadlike: bool) -> Self {
        let micros = left.map_or(f64::INFINITY, |left| left.as_secs_f64() * 1e6);
        let base = Self {
            depth: 3,
            breadth: [20; 6],
            reversal: 50,
            patch: 50,
            kick: Kick::Swap,
            stride: 30,
            first: 0.3,
            last: 0.05,
        };
        match (roadlike, micros / nodes.max(1) as f64) {
            (false, _) => Self { depth: 4, breadth: [12, 10, 6, 4, 1, 1], reversal: 0, last: 0.01, ..base },
            (true, ..60.0) => base,
            (true, ..1000.0) => Self { first: 1.0, ..base },
            (true, _) => Self { kick: Kick::Bridge, first: 3.0, last: 0.03, ..base },
        }
    }
}
