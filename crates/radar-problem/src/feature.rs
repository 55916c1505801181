//! The features of a variant, as a set; names are printed from it and parsed back.

use std::fmt;
use std::str::FromStr;

/// One thing a capacitated problem may have on top of capacity. Crates that treat features one by
/// one match on this exhaustively, so a new one cannot be forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feature {
    /// Vehicles do not return to the depot.
    Open,
    /// Some stops hand goods over; they come after all deliveries of a route.
    Backhaul,
    /// The length of a route is limited.
    Limit,
    /// Stops are served within windows.
    Windows,
}

impl Feature {
    /// All features, in the order their letters stand in a name.
    pub const ALL: [Feature; 4] = [Self::Open, Self::Backhaul, Self::Limit, Self::Windows];

    const fn bit(self) -> u8 {
        match self {
            Self::Open => 1,
            Self::Backhaul => 1 << 1,
            Self::Limit => 1 << 2,
            Self::Windows => 1 << 3,
        }
    }

    const fn letters(self) -> &'static str {
        match self {
            Self::Open => "O",
            Self::Backhaul => "B",
            Self::Limit => "L",
            Self::Windows => "TW",
        }
    }
}

/// A set of features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Features(u8);

impl Features {
    /// Capacity alone.
    pub const NONE: Features = Features(0);

    /// Kept free for mixed backhaul (deliveries and pickups in any order on a route).
    pub const RESERVED_MIXED_BACKHAUL: u8 = 1 << 4;

    /// The set with `feature` added.
    pub const fn with(self, feature: Feature) -> Self {
        Self(self.0 | feature.bit())
    }

    /// The set with `feature` added when `wanted`.
    pub const fn with_if(self, feature: Feature, wanted: bool) -> Self {
        if wanted { self.with(feature) } else { self }
    }

    /// Whether `feature` is in the set.
    pub const fn has(self, feature: Feature) -> bool {
        self.0 & feature.bit() != 0
    }

    /// The features in the set.
    pub fn iter(self) -> impl Iterator<Item = Feature> {
        Feature::ALL.into_iter().filter(move |&feature| self.has(feature))
    }

    /// Every set of features, capacity alone first.
    pub fn every() -> impl Iterator<Item = Features> {
        (0..1 << Feature::ALL.len()).map(Features)
    }
}

impl FromIterator<Feature> for Features {
    fn from_iter<I: IntoIterator<Item = Feature>>(features: I) -> Self {
        features.into_iter().fold(Self::NONE, Self::with)
    }
}

/// What is solved: one tour, or capacitated routes with a set of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variant {
    /// The asymmetric travelling salesman problem.
    Atsp,
    /// Asymmetric capacitated routing.
    Vrp(Features),
}

impl Variant {
    /// Every variant: ATSP, then every set of features.
    pub fn every() -> impl Iterator<Item = Variant> {
        std::iter::once(Self::Atsp).chain(Features::every().map(Self::Vrp))
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = String::new();
        match self {
            Self::Atsp => name.push_str("ATSP"),
            Self::Vrp(Features::NONE) => name.push_str("ACVRP"),
            Self::Vrp(features) => {
                name.push('A');
                if features.has(Feature::Open) {
                    name.push_str(Feature::Open.letters());
                }
                name.push_str("VRP");
                for feature in features.iter().filter(|&feature| feature != Feature::Open) {
                    name.push_str(feature.letters());
                }
            }
        }
        f.pad(&name)
    }
}

/// A name that is no variant's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` names no variant: ATSP, ACVRP, or A[O]VRP[B][L][TW] with at least one of the letters (for instance AVRPTW, AOVRPBL)"
)]
pub struct UnknownVariant(pub String);

impl FromStr for Variant {
    type Err = UnknownVariant;

    /// Reads a name in any case.
    fn from_str(name: &str) -> Result<Self, UnknownVariant> {
        let wanted = name.trim().to_ascii_uppercase();
        Self::every()
            .find(|variant| variant.to_string() == wanted)
            .ok_or_else(|| UnknownVariant(name.trim().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn seventeen_names_go_there_and_back() {
        let names: BTreeSet<String> = Variant::every().map(|variant| variant.to_string()).collect();
        assert_eq!(names.len(), 17);
        for variant in Variant::every() {
            assert_eq!(variant.to_string().parse(), Ok(variant));
            assert_eq!(variant.to_string().to_lowercase().parse(), Ok(variant));
        }
    }

    #[test]
    fn names_are_the_papers() {
        let all: Features = Feature::ALL.into_iter().collect();
        assert_eq!(Variant::Vrp(all).to_string(), "AOVRPBLTW");
        assert_eq!(Variant::Vrp(Features::NONE).to_string(), "ACVRP");
        assert_eq!(Variant::Vrp(Features::NONE.with(Feature::Open)).to_string(), "AOVRP");
        assert_eq!(Variant::Vrp(Features::NONE.with(Feature::Windows)).to_string(), "AVRPTW");
        for wrong in ["", "AVRP", "AVRPTWB", "VRPTW", "AVRPMB"] {
            assert!(wrong.parse::<Variant>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_mixed_backhaul_bit_is_free() {
        for features in Features::every() {
            assert_eq!(features.0 & Features::RESERVED_MIXED_BACKHAUL, 0);
        }
    }
}
