//! All deliveries of a route come before its pickups.

use super::{Breach, Clause};
use crate::trip::Trip;

/// Once something has been picked up, nothing more is delivered. Stops without an amount may stand
/// anywhere.
pub(super) fn examine(trip: &Trip, breaches: &mut Vec<Breach>) {
    let mut picked_up_at = None;
    for &(position, node) in &trip.stops {
        if trip.instance.demand(node) > 0 && picked_up_at.is_some() {
            let breach = Breach::of_route(Clause::DeliveryAfterPickup, trip.index).at(position, node);
            breaches.push(Breach { other: picked_up_at, ..breach });
        }
        if trip.instance.backhaul(node) > 0 {
            picked_up_at = picked_up_at.or(Some(node));
        }
    }
}
