//! No route takes longer than a shift: travel, waiting and service from the depot's opening to the
//! end, the way back included unless routes are open.

use super::{Breach, Clause};
use crate::schedule::RouteReport;
use crate::trip::Trip;

pub(super) fn examine(trip: &Trip, report: &RouteReport, breaches: &mut Vec<Breach>) {
    let longest = trip.instance.max_duration();
    if report.duration <= longest {
        return;
    }
    let breach = Breach::of_route(Clause::OverDuration, trip.index).measured(report.duration, longest);
    let beyond = report.stops.iter().find(|visit| visit.leave - report.departure > longest);
    breaches.push(match beyond {
        Some(visit) => breach.at(visit.position, visit.node),
        None => breach,
    });
}
