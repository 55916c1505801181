//! How many routes there will be.

use radar_problem::{Instance, NEVER};

/// How many routes loads need at least; 1 if it is a tour, or nothing has to be carried.
pub(super) fn least(instance: &Instance) -> usize {
    let total = |amount: &dyn Fn(usize) -> i64| instance.stops().map(amount).sum::<i64>();
    let amount = total(&|stop| instance.demand(stop)).max(total(&|stop| instance.backhaul(stop)));
    match instance.capacity() {
        NEVER | 0 => 1,
        _ if instance.is_tour() => 1,
        capacity => {
            let loads = amount / capacity + i64::from(amount % capacity > 0);
            usize::try_from(loads).unwrap_or(1).clamp(1, instance.stops().len().max(1))
        }
    }
}
