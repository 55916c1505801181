//! Words for dispatchers: ids instead of indices, stated units instead of scaled ones.

use radar_problem::Instance;

use crate::clause::{Breach, Clause};

/// What a breach means, in one sentence.
pub(crate) fn sentence(instance: &Instance, breach: &Breach) -> String {
    let Breach { clause, route: index, position, node, other, found, bound } = *breach;
    let route = index.map(|index| route(instance, index)).unwrap_or_default();
    let named = |node: Option<usize>| node.map(|node| self::node(instance, node)).unwrap_or_default();
    let (stop, other_stop) = (named(node), named(other));
    let over = breach.excess();
    let onward = match node {
        Some(_) => format!("from {stop} on"),
        None => "on the way back".to_owned(),
    };
    match clause {
        Clause::UnknownNode => format!(
            "{route} names node {}, but the nodes are 0 to {}",
            node.unwrap_or_default(),
            instance.nodes() - 1
        ),
        Clause::DepotInside => {
            format!("{route} has the depot at position {}", position.unwrap_or_default())
        }
        Clause::RepeatedStop => {
            let first = other.map(|index| self::route(instance, index)).unwrap_or_default();
            format!("{route} visits {stop} again, after {first}")
        }
        Clause::MissingStop => format!("{stop} is on no route"),
        Clause::TourShape => match node {
            Some(_) => format!("the tour starts at {stop}, not at node 0"),
            None => format!("a tour is one list, there are {found}"),
        },
        Clause::TooManyRoutes => {
            format!("there are {found} routes, the fleet allows {bound} ({over} too many)")
        }
        Clause::UnreachableArc => format!("{route}: no way leads from {other_stop} to {stop}"),
        Clause::DeliveryOverload | Clause::PickupOverload => {
            let verb = if clause == Clause::DeliveryOverload { "delivers" } else { "picks up" };
            let [found, bound, over] = [found, bound, over].map(|value| instance.amount_in_words(value));
            format!("{route} {verb} {found}, a vehicle holds {bound} ({over} too much, {onward})")
        }
        Clause::DeliveryAfterPickup => {
            format!("{route}: {stop} receives goods after {other_stop} has handed some over")
        }
        Clause::LateArrival => {
            let [found, bound] = [found, bound].map(|value| instance.moment_in_words(value));
            let over = instance.span_in_words(over);
            format!("{route}: {stop} is reached at {found}, its window closes at {bound} ({over} late)")
        }
        Clause::LateReturn => {
            let [found, bound] = [found, bound].map(|value| instance.moment_in_words(value));
            let over = instance.span_in_words(over);
            format!("{route} is back at {found}, the depot closes at {bound} ({over} late)")
        }
        Clause::OverLimit => {
            let [found, bound, over] = [found, bound, over].map(|value| instance.length_in_words(value));
            format!("{route} is {found} long, the limit is {bound} ({over} too long, {onward})")
        }
        Clause::OverDuration => {
            let [found, bound, over] = [found, bound, over].map(|value| instance.span_in_words(value));
            format!("{route} takes {found}, the longest allowed is {bound} ({over} too long, {onward})")
        }
    }
}

/// A node by its name.
pub(crate) fn node(instance: &Instance, node: usize) -> String {
    if node == 0 && !instance.is_tour() {
        return "the depot".to_owned();
    }
    instance.label(node)
}

/// A route, counted from 1.
pub(crate) fn route(instance: &Instance, index: usize) -> String {
    if instance.is_tour() { "the tour".to_owned() } else { format!("route #{}", index + 1) }
}
