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

/// About what a step takes, in microseconds.
const MICROS_PER_STEP: u64 = 15;

impl Settings {
    /// The settings that did best for so much time on one core. An instance is roadlike when the assignment
    /// bound is far from any tour; on others reversals never gain, and little heat is enough.
    pub fn for_budget(nodes: usize, left: Option<Duration>, roadlike: bool) -> Self {
        let micros_per_node = left.map_or(f64::INFINITY, |left| left.as_secs_f64() * 1e6 / nodes.max(1) as f64);
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
        let deep = Self { depth: 4, breadth: [12, 10, 6, 4, 1, 1], ..base.clone() };
        match (roadlike, micros_per_node) {
            (false, _) => Self { reversal: 0, last: 0.01, ..deep },
            (true, ..60.0) => base,
            (true, ..1000.0) => Self { first: 1.0, ..base },
            (true, _) => Self { first: 3.0, ..deep },
        }
    }

    /// The settings for a number of steps instead of time.
    pub fn for_steps(nodes: usize, steps: u64, roadlike: bool) -> Self {
        Self::for_budget(nodes, Some(Duration::from_micros(steps.saturating_mul(MICROS_PER_STEP))), roadlike)
    }
}
