//! Words and stated units for relaxations, and advice where nothing can be relaxed.

use radar_problem::{Instance, Relaxation, Scale, UNREACHABLE};

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
        Place::NewRoute { before, after } => {
            let where_to = match (before, after) {
                (None, None) => "on a new route".to_owned(),
                (Some(before), None) => format!("on a new route after {}", named(before)),
                (None, Some(after)) => format!("on a new route before {}", named(after)),
                (Some(before), Some(after)) => {
                    format!("on a new route between {} and {}", named(before), named(after))
                }
            };
            // Companions leave the routes that they are on.
            let is_served = |node: &usize| routes.iter().any(|nodes| nodes.contains(node));
            let moving: Vec<usize> = before.into_iter().chain(after).filter(is_served).collect();
            match (moving.as_slice(), before.is_some() && after.is_some()) {
                ([], _) => where_to,
                ([one], true) => format!("{where_to}, of which {} moves there", named(*one)),
                ([_], false) => format!("{where_to}, which moves there"),
                _ => format!("{where_to}, which both move there"),
            }
        }
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
        Clause::UnreachableArc => unreachable(instance, breach, &other, &stop),
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

/// What to do about an arc that cannot be driven: only a way that exists is proposed.
fn unreachable(instance: &Instance, breach: &Breach, other: &str, stop: &str) -> String {
    match breach.other.zip(breach.node) {
        Some((from, _)) if !instance.stops().any(|to| to != from && drives(instance, from, to)) => {
            format!("check {other} on the map: it has no way to any other stop")
        }
        Some((_, to)) if !instance.stops().any(|from| from != to && drives(instance, from, to)) => {
            format!("check {stop} on the map: no other stop has a way to it")
        }
        Some((from, to)) if !connects(instance, from, to) => {
            format!("check {other} and {stop} on the map: no chain of stops leads from one to the other")
        }
        _ => format!(
            "drive from {other} to {stop} by way of a stop that connects them, or check both points on the map"
        ),
    }
}

fn drives(instance: &Instance, from: usize, to: usize) -> bool {
    instance.distance().at(from, to) != UNREACHABLE && instance.duration().at(from, to) != UNREACHABLE
}

/// Whether stops lead from one node to another.
fn connects(instance: &Instance, from: usize, to: usize) -> bool {
    let mut left: Vec<usize> = instance.stops().filter(|&by| by != from && by != to).collect();
    let mut reached = vec![from];
    while let Some(at) = reached.pop() {
        if at != from && drives(instance, at, to) {
            return true;
        }
        left.retain(|&by| {
            let is_next = drives(instance, at, by);
            if is_next {
                reached.push(by);
            }
            !is_next
        });
    }
    false
}
