//! Who takes part.

use radar_problem::{Feature, Variant};

/// A solver under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Solver {
    Radar,
    PyVrp,
    OrTools,
    Vroom,
    Lkh,
    Hgs,
}

impl Solver {
    pub const ALL: [Solver; 6] = [Self::Radar, Self::PyVrp, Self::OrTools, Self::Vroom, Self::Lkh, Self::Hgs];

    /// What tables and records call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Radar => "radar",
            Self::PyVrp => "PyVRP",
            Self::OrTools => "OR-Tools",
            Self::Vroom => "VROOM",
            Self::Lkh => "LKH",
            Self::Hgs => "HGS",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|solver| solver.name().eq_ignore_ascii_case(name))
    }

    /// The Python module that drives it, unless it is ours.
    pub fn module(self) -> Option<&'static str> {
        match self {
            Self::Radar => None,
            Self::PyVrp => Some("rival_pyvrp"),
            Self::OrTools => Some("rival_ortools"),
            Self::Vroom => Some("rival_vroom"),
            Self::Lkh => Some("rival_lkh"),
            Self::Hgs => Some("rival_hgs"),
        }
    }

    /// Whether it can be asked for the variant at all.
    pub fn takes(self, variant: Variant) -> bool {
        match (self, variant) {
            (Self::Radar | Self::PyVrp | Self::OrTools | Self::Vroom, _) => true,
            (Self::Lkh, variant) => variant == Variant::Atsp,
            (Self::Hgs, Variant::Atsp) => false,
            (Self::Hgs, Variant::Vrp(features)) => {
                !features.has(Feature::Backhaul) && !features.has(Feature::Windows)
            }
        }
    }

    /// Whether it stops by a budget. One that does not is run once and counts for the budgets it kept.
    pub fn keeps_time(self) -> bool {
        self != Self::Lkh
    }

    /// By when a plan must be there to count for a budget. We are held to what we promise; to rivals a fifth
    /// and a hundredth of a second are forgiven, because most look at their clock between long steps. One
    /// that keeps no time counts where it happens to be quick enough.
    pub fn deadline(self, budget: f64) -> f64 {
        match self {
            Self::Radar => (1.02 * budget).max(budget + 0.005),
            _ if self.keeps_time() => 1.2 * budget + 0.01,
            _ => budget,
        }
    }

    /// Its colour in pictures, told apart also by people who see few colours (Okabe and Ito).
    pub fn colour(self) -> &'static str {
        match self {
            Self::Radar => "#d55e00",
            Self::PyVrp => "#0072b2",
            Self::OrTools => "#009e73",
            Self::Vroom => "#cc79a7",
            Self::Lkh => "#000000",
            Self::Hgs => "#e69f00",
        }
    }
}
