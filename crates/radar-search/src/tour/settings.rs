//! What a search tries, by how long it may take.

use std::time::Duration;

use super::kick::Kick;

/// The knobs of a [`super::TourSearch`].
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The most arcs of a sequential exchange, at most 6.
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
    /// Chosen by measurement.
    pub fn for_budget(_nodes: usize, _left: Option<Duration>, _roadlike: bool) -> Self {
        Self {
            depth: 3,
            breadth: [20; 6],
            reversal: 50,
            patch: 50,
            kick: Kick::Swap,
            stride: 30,
            first: 0.3,
            last: 0.01,
        }
    }
}
