//! Words and stated units for relaxations, and advice where nothing can be relaxed.

use radar_problem::{Instance, Relaxation, Scale};

use super::Place;
use crate::clause::{Breach, Clause};
use crate::phrase;

/// How much a relaxation loosens its bound, in stated units.
pub fn stated_amount(instance: &Instance, relaxation: Relaxation) -> f64 {
    let scales = instance.scales();
    let scale = match relaxation {
        Relaxation::Capacity(_) => scales.amount,
        Relaxation::Close { .. } | Relaxation::MaxDuration(_) => scales.duration,
        Relaxation::Limit(_) => scales.distance,
        Relaxation::Vehicles(_) => Scale::UNIT,
    };
    scale.undo(relaxation.amount())
}

/// A relaxation in words, such as "window of stop 17 closes 7 later" or "capacity +3".
pub fn describe(instance: &Instance, relaxation: Relaxation) -> String {
    let by = relaxation.amount();
    match relaxation {
        Relaxation::Capacity(_) => format!("capacity +{}", instance.amount_in_words(by)),
        Relaxation::Close { node: 0, .. } => format!("depot closes {} later", instance.span_in_words(by)),
        Relaxation::Close { node, .. } => {
            format!("window of {} closes {} later", phrase::node(instance, node), instance.span_in_words(by))
        }
        Relaxation::Limit(_) => format!("limit +{}", instance.length_in_words(by)),
        Relaxation::MaxDuration(_) => format!("max_duration +{}", instance.span_in_words(by)),
        Relaxation::Vehicles(_) => format!("vehicles +{by}"),
    }
}

/// Several relaxations in words.
pub(super) fn describe_all(instance: &Instance, relaxations: &[Relaxation]) -> String {
    let each: Vec<String> = relaxations.iter().map(|&relaxation| describe(instance, relaxation)).collect();
    each.join(" and ")
}

/// A place in words; `routes` is the plan before the stop is put there.
pub(super) fn describe_place(instance: &Instance, place: Place, routes: &[Vec<usize>]) -> String {
    let named = |node: usize| match node < instance.nodes() {
        true => phrase::node(instance, node),
        false => format!("node {node}"),
    };
    match place {
        Place::AsItStands => "as it stands".to_owned(),
        Place::On { route, position } => {
            let nodes = routes.get(route).map_or(&[][..], Vec::as_slice);
            let on = phrase::route(instance, route);
            match (nodes.iter().take(position).next_back(), nodes.get(position)) {
                (Some(&last), Some(&next)) => {
                    format!("on {on} between {} and {}", named(last), named(next))
                }
                (None, Some(&next)) => format!("on {on} before {}", named(next)),
                (Some(&last), None) => format!("on {on} after {}", named(last)),
                (None, None) => format!("on {on}"),
            }
        }
        Place::NewRoute { before, after } => match (before, after) {
            (None, None) => "on a new route".to_owned(),
            (Some(before), None) => format!("on a new route after {}", named(before)),
            (None, Some(after)) => format!("on a new route before {}", named(after)),
            (Some(before), Some(after)) => {
                format!("on a new route between {} and {}", named(before), named(after))
            }
        },
    }
}

/// What to do about something that no loosened bound would mend; `None` for what one would.
pub(super) fn advice(instance: &Instance, breach: &Breach) -> Option<String> {
    let stop = breach.node.map(|node| phrase::node(instance, node)).unwrap_or_default();
    let other = breach.other.map(|node| phrase::node(instance, node)).unwrap_or_default();
    Some(match breach.clause {
        Clause::UnknownNode => {
            format!("take node {} out of the plan, or add it to the problem", breach.node.unwrap_or_default())
        }
        Clause::DepotInside => {
            "split the route there: routes start and end at the depot without naming it".to_owned()
        }
        Clause::RepeatedStop => format!("keep only one of the visits of {stop}"),
        Clause::MissingStop => format!("put {stop} on a route, or take it out of the problem"),
        Clause::TourShape => "give one list of all nodes that starts at node 0".to_owned(),
        Clause::UnreachableArc => format!(
            "drive from {other} to {stop} by way of a stop that connects them, or check both points on the map"
        ),
        Clause::DeliveryAfterPickup => {
            format!("deliver to {stop} before {other} hands its goods over, or on another route")
        }
        Clause::TooManyRoutes
        | Clause::DeliveryOverload
        | Clause::PickupOverload
        | Clause::LateArrival
        | Clause::LateReturn
        | Clause::OverLimit
        | Clause::OverDuration => return None,
    })
}
