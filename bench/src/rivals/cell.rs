//! A cell: one kind of instance.

use std::fmt;

use radar_problem::{Feature, Features, Variant};
use radar_sample::feature::Preset;

/// Stops of an instance with features.
const VARIANT_STOPS: usize = 100;

/// Where matrices come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Tmat,
    Roads,
    Tsplib,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tmat => "tmat",
            Self::Roads => "roads",
            Self::Tsplib => "TSPLIB",
        })
    }
}

/// One kind of instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub place: Place,
    pub variant: Variant,
    pub stops: usize,
    pub preset: Preset,
}

impl Cell {
    fn new(place: Place, variant: Variant, stops: usize, preset: Preset) -> Self {
        Self { place, variant, stops, preset }
    }

    /// Whether it is one of the 16 variants at their common size.
    pub fn is_variant(&self) -> bool {
        self.variant != Variant::Atsp && self.stops == VARIANT_STOPS
    }

    /// Whether it differs from capacity alone.
    pub fn has_features(&self) -> bool {
        !matches!(self.variant, Variant::Atsp | Variant::Vrp(Features::NONE))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place == Place::Tsplib {
            return write!(f, "{} {}", self.place, self.variant);
        }
        let tight = if self.preset == Preset::Tight { " tight" } else { "" };
        write!(f, "{} {} {}{tight}", self.place, self.variant, self.stops)
    }
}

/// All cells. The tight preset changes nothing without a limit or windows.
pub fn every() -> Vec<Cell> {
    let (tour, routes) = (Variant::Atsp, Variant::Vrp(Features::NONE));
    let mut cells = Vec::new();
    for (place, variant, sizes) in [
        (Place::Tmat, tour, &[100, 200, 500, 1000][..]),
        (Place::Roads, tour, &[100, 200, 500]),
        (Place::Tsplib, tour, &[0]),
        (Place::Tmat, routes, &[100, 200, 500, 1000]),
        (Place::Roads, routes, &[100, 200]),
    ] {
        cells.extend(sizes.iter().map(|&stops| Cell::new(place, variant, stops, Preset::Paper)));
    }
    for place in [Place::Tmat, Place::Roads] {
        for preset in [Preset::Paper, Preset::Tight] {
            let features = Features::every().filter(|&features| features != Features::NONE);
            let differs = |features: &Features| preset == Preset::Paper || tightens(*features);
            cells.extend(
                features
                    .filter(differs)
                    .map(|features| Cell::new(place, Variant::Vrp(features), VARIANT_STOPS, preset)),
            );
        }
    }
    cells
}

/// Whether there is a limit or are windows.
fn tightens(features: Features) -> bool {
    features.has(Feature::Limit) || features.has(Feature::Windows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_name_is_once_and_every_variant_in_both_places() {
        let cells = every();
        let names: BTreeSet<String> = cells.iter().map(Cell::to_string).collect();
        assert_eq!(names.len(), cells.len());
        for place in [Place::Tmat, Place::Roads] {
            for (preset, count) in [(Preset::Paper, 16), (Preset::Tight, 12)] {
                let here = |cell: &&Cell| cell.is_variant() && (cell.place, cell.preset) == (place, preset);
                assert_eq!(cells.iter().filter(here).count(), count);
            }
        }
    }
}
