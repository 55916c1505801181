//! How long a vehicle may stay at the depot before somebody pays for it.

use radar_problem::{Instance, NEVER};

use crate::schedule::Visit;
use crate::trip::Trip;

/// The latest departure that causes no extra lateness, or `None` when nothing bounds it; `visits`
/// are those of the trip's stops. What is late already may stay as late as it is.
///
/// Walking backwards, the latest start at a stop is the latest at which both its own bound and the
/// latest arrival at the next stop are kept. Starts never lie before an opening, so waiting, which
/// only absorbs delay, needs no case of its own.
pub(crate) fn departure(trip: &Trip, visits: &[Visit], returns: Option<i64>) -> Option<i64> {
    let instance = trip.instance;
    let end = returns.or(visits.last().map(|visit| visit.leave))?;
    let shift = instance.opens(0).saturating_add(instance.max_duration());
    let mut latest = bound(shift, instance.max_duration(), end);
    if let Some(returns) = returns {
        latest = earlier(latest, bound(instance.closes(0), instance.closes(0), returns));
    }
    let travels: Vec<i64> = trip.legs().map(|leg| leg.duration(instance).unwrap_or(0)).collect();
    if returns.is_some() {
        latest = before(latest, travels.last().copied().unwrap_or(0));
    }
    for (visit, travel) in visits.iter().zip(travels).rev() {
        latest = before(latest, instance.service(visit.node));
        latest = earlier(latest, own(instance, visit));
        latest = before(latest, travel);
    }
    latest
}

/// The latest start of a visit by its own window.
fn own(instance: &Instance, visit: &Visit) -> Option<i64> {
    let close = instance.closes(visit.node);
    bound(close, close, visit.start)
}

/// `limit`, or `now` if that is later; nothing when `stated` never binds.
fn bound(limit: i64, stated: i64, now: i64) -> Option<i64> {
    (stated < NEVER).then_some(limit.max(now))
}

fn earlier(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a.into_iter().chain(b).min()
}

fn before(time: Option<i64>, by: i64) -> Option<i64> {
    time.map(|time| time.saturating_sub(by))
}
