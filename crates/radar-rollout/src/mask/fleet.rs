//! The number of routes.

use radar_problem::Instance;

use super::{Found, Rule};
use crate::state::State;

struct Fleet {
    vehicles: usize,
}

pub(super) fn rule(instance: &Instance) -> Found<'_> {
    let vehicles = instance.vehicles()?;
    Some(Box::new(Fleet { vehicles }))
}

impl Rule for Fleet {
    fn narrow(&self, state: &State, stops: &mut [u64]) {
        if state.node == 0 && !has_spare(Some(self.vehicles), state.routes) {
            stops.fill(0);
        }
    }
}

/// Whether another route may be opened when `routes` have been.
pub(super) fn has_spare(vehicles: Option<usize>, routes: usize) -> bool {
    vehicles.is_none_or(|vehicles| routes < vehicles)
}
