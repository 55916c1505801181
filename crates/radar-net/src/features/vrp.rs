//! Every feature. A stop: its amounts, window, service and ways to and from the depot. The depot: what
//! holds for all routes. Times count from the depot's opening; what is absent is 0, with a flag that says so.

use radar_problem::{Instance, NEVER};

use super::{Bounds, Facts, flag, share};
use crate::input::Stated;

/// Columns of a stop, and of the depot.
const COLUMNS: usize = 10;

/// What all routes deliver and pick up, and what a vehicle holds; 0 where that is without bound.
struct Amounts {
    delivery: i64,
    pickup: i64,
    capacity: i64,
}

pub(super) fn facts(instance: &Instance, cost: &Stated) -> Facts {
    let bounds = Bounds::of(instance);
    let total = |amount: &dyn Fn(usize) -> i64| instance.stops().map(amount).sum();
    let amounts = Amounts {
        delivery: total(&|stop| instance.demand(stop)),
        pickup: total(&|stop| instance.backhaul(stop)),
        capacity: if instance.capacity() == NEVER { 0 } else { instance.capacity() },
    };
    // The depot has a row of its own.
    let mut nodes = vec![0.0; COLUMNS];
    nodes.reserve(COLUMNS * instance.stops().len());
    for node in instance.stops() {
        nodes.extend(stop(instance, &bounds, &amounts, cost, node));
    }
    Facts { nodes, depot: Some(depot(instance, &bounds, &amounts).to_vec()) }
}

fn stop(
    instance: &Instance,
    bounds: &Bounds,
    amounts: &Amounts,
    cost: &Stated,
    node: usize,
) -> [f32; COLUMNS] {
    let (delivery, pickup) = (instance.demand(node), instance.backhaul(node));
    let closes = bounds.closes(instance, node);
    let unit = cost.unit();
    [
        share(delivery, amounts.capacity),
        share(pickup, amounts.capacity),
        bounds.time(bounds.opens(instance, node)),
        closes.map_or(0.0, |closes| bounds.time(closes)),
        flag(closes.is_some()),
        bounds.time(instance.service(node)),
        (cost.at(0, node) / unit) as f32,
        (cost.at(node, 0) / unit) as f32,
        share(delivery, amounts.delivery),
        share(pickup, amounts.pickup),
    ]
}

fn depot(instance: &Instance, bounds: &Bounds, amounts: &Amounts) -> [f32; COLUMNS] {
    let closes = bounds.closes(instance, 0);
    [
        flag(instance.is_open()),
        bounds.limit.map_or(0.0, |limit| bounds.length(limit)),
        flag(bounds.limit.is_some()),
        closes.map_or(0.0, |closes| bounds.time(closes)),
        flag(closes.is_some()),
        bounds.shift.map_or(0.0, |shift| bounds.time(shift)),
        flag(bounds.shift.is_some()),
        // In hundreds of vehicles: the order of 1 like the rest.
        share(amounts.delivery, amounts.capacity) / 100.0,
        share(amounts.pickup, amounts.capacity) / 100.0,
        flag(instance.capacity() != NEVER),
    ]
}
