//! Deliveries and pickups each fit the vehicle.

use radar_problem::Instance;

use super::{Breach, Clause};
use crate::schedule::RouteReport;
use crate::trip::Trip;

pub(super) fn examine(trip: &Trip, report: &RouteReport, breaches: &mut Vec<Breach>) {
    overload(trip, Clause::DeliveryOverload, report.delivered, Instance::demand, breaches);
    overload(trip, Clause::PickupOverload, report.picked_up, Instance::backhaul, breaches);
}

/// One breach per route, at the first stop whose amount no longer fits.
fn overload(
    trip: &Trip,
    clause: Clause,
    total: i64,
    amount: fn(&Instance, usize) -> i64,
    breaches: &mut Vec<Breach>,
) {
    let capacity = trip.instance.capacity();
    let mut sum = 0_i64;
    for &(position, node) in &trip.stops {
        sum = sum.saturating_add(amount(trip.instance, node));
        if sum > capacity {
            let breach = Breach::of_route(clause, trip.index).at(position, node);
            return breaches.push(breach.measured(total, capacity));
        }
    }
}
