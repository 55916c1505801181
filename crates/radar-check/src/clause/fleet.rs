//! No more routes than vehicles.

use radar_problem::{Instance, Routes};

use super::{Breach, Clause};

pub(super) fn examine(instance: &Instance, routes: &Routes, breaches: &mut Vec<Breach>) {
    let used = routes.iter().filter(|nodes| !nodes.is_empty()).count();
    examine_count(instance, used, breaches);
}

/// The same for a plan of which only the number of routes that are used is known.
pub(crate) fn examine_count(instance: &Instance, used: usize, breaches: &mut Vec<Breach>) {
    let Some(vehicles) = instance.vehicles() else { return };
    if used > vehicles {
        breaches.push(Breach::of_plan(Clause::TooManyRoutes).measured(used as i64, vehicles as i64));
    }
}
