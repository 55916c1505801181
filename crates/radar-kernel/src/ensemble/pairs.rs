//! Pairs of stops between which nobody goes straight back.
//!
//! Walks that go back and forth between two near stops are no routes, and where roads are nearly symmetric they would be most of all
//! walks. So the two ends of such a pair know what they come to without each other. That takes two rows more of each pair, which is why
//! those do without whose way there and back is worth too little to matter.

use super::legs::Kept;

/// A way there and back counts if it is worth that much at the first prices, as a part of what a way is that pays.
const LEAST: f64 = 0.018;

/// The pairs, by their places, the lesser one first: two rows each, behind those of the places.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pairs {
    /// Places, the depot among them.
    places: usize,
    list: Vec<(usize, usize)>,
}

impl Pairs {
    /// Those of arcs (from, to, weight) in order; afterwards arcs of pairs come before the others.
    pub fn new(places: usize, arcs: &mut [(usize, usize, f64)]) -> Self {
        let back = |from: usize, to: usize| {
            arcs.binary_search_by_key(&(to, from), |arc| (arc.0, arc.1)).map_or(0.0, |at| arcs[at].2)
        };
        let matters = |&&(from, to, weight): &&(usize, usize, f64)| weight * back(from, to) > LEAST;
        let list =
            arcs.iter().filter(|arc| arc.0 < arc.1).filter(matters).map(|arc| (arc.0, arc.1)).collect();
        let pairs = Self { places, list };
        arcs.sort_by_key(|arc| pairs.rows(arc.0, arc.1).is_none());
        pairs
    }

    /// The first of the two rows of a pair, if two places are one.
    pub fn rows(&self, one: usize, other: usize) -> Option<usize> {
        let at = self.list.binary_search(&(one.min(other), one.max(other)));
        at.ok().map(|at| self.places + 2 * at)
    }

    /// Those of places that are kept, and a function that tells by one of its rows where the rows of such a pair are now: of no
    /// row of a place.
    pub fn among(&self, kept: &Kept) -> (Self, impl Fn(usize) -> Option<usize> + use<>) {
        let places = kept.stops.len() + 1;
        let (mut list, mut now) = (Vec::new(), Vec::with_capacity(self.list.len()));
        for &(one, other) in &self.list {
            now.push(places + 2 * list.len());
            list.extend(kept.now(one).zip(kept.now(other)));
        }
        let before = self.places;
        (Self { places, list }, move |row: usize| row.checked_sub(before).map(|row| now[row / 2]))
    }

    /// How many rows there are, those of the places among them.
    pub fn all_rows(&self) -> usize {
        self.places + 2 * self.list.len()
    }
}

/// Of an arc between two places, the rows of its far end and of its near one: their own, or each without the other if they are a pair
/// with rows from there on.
pub(super) fn rows(near: usize, far: usize, pair: Option<usize>) -> (usize, usize) {
    match pair {
        None => (far, near),
        Some(first) if near < far => (first + 1, first),
        Some(first) => (first, first + 1),
    }
}
