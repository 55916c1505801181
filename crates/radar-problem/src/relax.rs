//! Loosening one constraint of an instance, to ask what would have to change.

use crate::NEVER;
use crate::instance::Instance;

/// One constraint made looser, in scaled units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relaxation {
    /// Vehicles hold this much more.
    Capacity(i64),
    /// The window of a node (the depot's is the latest return) closes this much later.
    Close {
        /// Whose window.
        node: usize,
        /// How much later.
        by: i64,
    },
    /// Routes may be this much longer.
    Limit(i64),
    /// Routes may take this much more time.
    MaxDuration(i64),
    /// This many more routes are allowed.
    Vehicles(usize),
}

impl Relaxation {
    /// The same constraint by another amount.
    pub fn with_amount(self, amount: i64) -> Self {
        match self {
            Self::Capacity(_) => Self::Capacity(amount),
            Self::Close { node, .. } => Self::Close { node, by: amount },
            Self::Limit(_) => Self::Limit(amount),
            Self::MaxDuration(_) => Self::MaxDuration(amount),
            Self::Vehicles(_) => Self::Vehicles(amount.max(0) as usize),
        }
    }

    /// By how much, in scaled units.
    pub fn amount(self) -> i64 {
        match self {
            Self::Capacity(by) | Self::Limit(by) | Self::MaxDuration(by) => by,
            Self::Close { by, .. } => by,
            Self::Vehicles(by) => by as i64,
        }
    }
}

impl Instance {
    /// The instance with every relaxation applied. The stated input stays as it was: a relaxed
    /// instance is for checking, not for writing.
    pub fn relaxed(&self, relaxations: &[Relaxation]) -> Instance {
        let mut relaxed = self.clone();
        let raise = |bound: &mut i64, by: i64| *bound = bound.saturating_add(by).min(NEVER);
        for &relaxation in relaxations {
            match relaxation {
                Relaxation::Capacity(by) => raise(&mut relaxed.capacity, by),
                Relaxation::Close { node, by } => raise(&mut relaxed.closes[node], by),
                Relaxation::Limit(by) => raise(&mut relaxed.limit, by),
                Relaxation::MaxDuration(by) => raise(&mut relaxed.max_duration, by),
                Relaxation::Vehicles(by) => {
                    relaxed.vehicles = relaxed.vehicles.map(|vehicles| vehicles.saturating_add(by));
                }
            }
        }
        relaxed
    }
}
