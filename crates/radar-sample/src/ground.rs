//! The matrix layer: what features are put upon.

use radar_problem::{Kind, Problem, Table, Units};

/// What one unit of time or length of the published generators means on a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The matrix is on their scale already (tmat): one unit is 1.
    Absolute,
    /// One unit is the largest entry, as in RRNCO's min-max normalisation; results are stated in the
    /// matrix's own units. Distances and durations each have their own largest entry.
    Largest,
}

/// A matrix with what is known about its places, before any demand or window.
///
/// Every value is a decimal of few digits (six at most where this crate makes it), so that validation
/// finds integers and nothing is rounded later.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground {
    /// Lengths.
    pub distance: Table,
    /// Travel times, where they are not the lengths.
    pub duration: Option<Table>,
    /// Where the nodes are, if anywhere.
    pub points: Option<Vec<[f64; 2]>>,
    /// Names of units.
    pub units: Units,
    /// The scale of windows and limits.
    pub measure: Measure,
    /// How many negative entries were replaced by 0 (only the asymmetry study draws any).
    pub clamped: usize,
}

impl Ground {
    /// A bare matrix.
    pub fn new(distance: Table, measure: Measure) -> Self {
        Self { distance, duration: None, points: None, units: Units::default(), measure, clamped: 0 }
    }

    /// A problem on this ground without any feature.
    pub fn into_problem(self, kind: Kind) -> Problem {
        Problem {
            duration: self.duration,
            points: self.points,
            units: self.units,
            ..Problem::new(kind, self.distance)
        }
    }
}
