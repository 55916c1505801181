//! Every arc can be driven: it has a length and a travel time.

use super::{Breach, Clause};
use crate::trip::Trip;

pub(super) fn examine(trip: &Trip, breaches: &mut Vec<Breach>) {
    for leg in trip.legs() {
        if leg.distance(trip.instance).is_none() || leg.duration(trip.instance).is_none() {
            let breach = Breach::of_route(Clause::UnreachableArc, trip.index).at(leg.position, leg.to);
            breaches.push(Breach { other: Some(leg.from), ..breach });
        }
    }
}
