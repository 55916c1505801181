//! Every feature. A stop: its amounts, window, service and ways to and from the depot. The depot: what
//! holds for all routes. Times count from the depot's opening; what is absent is 0, with a flag that says so.

use radar_problem::{Instance, NEVER};

use super::{Bounds, Facts, Loads, flag, share};
use crate::input::Stated;

/// Columns of a stop, and of the depot.
const COLUMNS: usize = 10;

pub(super) fn facts(instance: &Instance, cost: &Stated) -> Facts {
    let bounds = Bounds::of(instance);
    let loads = Loads::of(instance);
    // The depot has a row of its own.
    let mut nodes = vec![0.0; COLUMNS];
    nodes.reserve(COLUMNS * instance.stops().len());
    for node in instance.stops() {
        nodes.extend(stop(instance, &bounds, &loads, cost, node));
    }
    Facts { nodes, depot: Some(depot(instance, &bounds, &loads).to_vec()) }
}

fn stop(instance: &Instance, bounds: &Bounds, loads: &Loads, cost: &Stated, node: usize) -> [f32; COLUMNS] {
    let (delivery, pickup) = (instance.demand(node), instance.backhaul(node));
    let closes = bounds.closes(instance, node);
    let unit = cost.unit();
    [
        share(delivery, loads.capacity),
        share(pickup, loads.capacity),
        bounds.time(bounds.opens(instance, node)),
        closes.map_or(0.0, |closes| bounds.time(closes)),
        flag(closes.is_some()),
        bounds.time(instance.service(node)),
        (cost.at(0, node) / unit) as f32,
        (cost.at(node, 0) / unit) as f32,
        share(delivery, loads.delivery),
        share(pickup, loads.pickup),
    ]
}

fn depot(instance: &Instance, bounds: &Bounds, loads: &Loads) -> [f32; COLUMNS] {
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
        share(loads.delivery, loads.capacity) / 100.0,
        share(loads.pickup, loads.capacity) / 100.0,
        flag(instance.capacity() != NEVER),
    ]
}
