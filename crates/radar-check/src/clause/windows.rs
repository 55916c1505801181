//! Nobody comes after a window has closed, nor home after the depot has. Windows are closed
//! intervals: arriving at the very close is in time.

use super::{Breach, Clause};
use crate::schedule::RouteReport;
use crate::trip::Trip;

pub(super) fn examine(trip: &Trip, report: &RouteReport, breaches: &mut Vec<Breach>) {
    for visit in &report.stops {
        let close = trip.instance.closes(visit.node);
        if visit.arrival > close {
            let breach = Breach::of_route(Clause::LateArrival, trip.index).at(visit.position, visit.node);
            breaches.push(breach.measured(visit.arrival, close));
        }
    }
    let close = trip.instance.closes(0);
    if let Some(returns) = report.returns.filter(|&returns| returns > close) {
        breaches.push(Breach::of_route(Clause::LateReturn, trip.index).measured(returns, close));
    }
}
