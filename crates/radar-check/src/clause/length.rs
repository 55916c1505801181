//! No route is longer than the limit. Only driving counts, the way back included unless routes are
//! open.

use super::{Breach, Clause};
use crate::schedule::RouteReport;
use crate::trip::Trip;

pub(super) fn examine(trip: &Trip, report: &RouteReport, breaches: &mut Vec<Breach>) {
    let limit = trip.instance.limit();
    if report.distance <= limit {
        return;
    }
    let breach = Breach::of_route(Clause::OverLimit, trip.index).measured(report.distance, limit);
    let mut driven = 0_i64;
    let beyond = trip.legs().take(trip.stops.len()).find(|leg| {
        driven = driven.saturating_add(leg.distance(trip.instance).unwrap_or(0));
        driven > limit
    });
    breaches.push(match beyond {
        Some(leg) => breach.at(leg.position, leg.to),
        None => breach,
    });
}
