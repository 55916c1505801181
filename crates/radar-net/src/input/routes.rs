//! How many routes there will be.

use radar_problem::Instance;

use crate::features::Loads;

/// How many routes loads need at least; 1 if it is a tour, or nothing has to be carried.
pub(super) fn least(instance: &Instance) -> usize {
    if instance.is_tour() {
        return 1;
    }
    let loads = Loads::of(instance);
    let routes = loads.routes(loads.delivery, loads.pickup);
    usize::try_from(routes).unwrap_or(1).clamp(1, instance.stops().len().max(1))
}
