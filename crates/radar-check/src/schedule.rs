//! Driving a route: when the vehicle is where, with what on board.

use radar_problem::Instance;

use crate::latest;
use crate::trip::{Leg, Trip};

/// One visit of a route, in scaled units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The position in the stated list.
    pub position: usize,
    /// Who is visited.
    pub node: usize,
    /// When the vehicle arrives.
    pub arrival: i64,
    /// How long it waits for the window to open.
    pub wait: i64,
    /// When service starts. A vehicle that comes too late serves at once.
    pub start: i64,
    /// When the vehicle leaves.
    pub leave: i64,
    /// What is on board when it leaves: deliveries still to make and pickups taken.
    pub load: i64,
}

/// What one route does, in scaled units unless said otherwise.
///
/// An arc that cannot be driven counts as length 0 and time 0, so that what follows it can still
/// be judged; the costs are then `None`. Nodes that do not exist are passed over.
#[derive(Clone, Debug, PartialEq)]
pub struct RouteReport {
    /// The length driven, the way back included unless routes are open.
    pub distance: i64,
    /// The cost in stated units, summed in driving order.
    pub cost: Option<f64>,
    /// The cost in scaled units.
    pub scaled_cost: Option<i64>,
    /// From the depot's opening to the end: travel, waiting and service, the way back included
    /// unless routes are open.
    pub duration: i64,
    /// All that is delivered.
    pub delivered: i64,
    /// All that is picked up.
    pub picked_up: i64,
    /// When the vehicle leaves: at the depot's opening.
    pub departure: i64,
    /// The latest departure that causes no extra lateness: no service starts later than its
    /// window's close or than it does now (whichever is later), the return of a closed route is no
    /// later than the depot's close or than it is now, and the route ends no later than a shift
    /// from the depot's opening allows or than it does now. `None` when nothing bounds it.
    pub latest_departure: Option<i64>,
    /// When the vehicle is back, if routes are closed and this one has a stop.
    pub returns: Option<i64>,
    /// The visits in order. A tour's first visit is where it starts.
    pub stops: Vec<Visit>,
}

/// Drives a trip from the depot's opening on.
pub(crate) fn drive(trip: &Trip) -> RouteReport {
    let instance = trip.instance;
    let departure = instance.opens(0);
    let total = |amount: fn(&Instance, usize) -> i64| {
        let amounts = trip.stops.iter().map(|&(_, node)| amount(instance, node));
        amounts.fold(0_i64, i64::saturating_add)
    };
    let (delivered, picked_up) = (total(Instance::demand), total(Instance::backhaul));

    let mut clock = departure;
    let mut load = delivered;
    let mut returns = None;
    let mut stops = Vec::with_capacity(trip.stops.len() + 1);
    for (order, leg) in trip.legs().enumerate() {
        let arrival = clock.saturating_add(leg.duration(instance).unwrap_or(0));
        if order == trip.stops.len() {
            returns = Some(arrival);
            clock = arrival;
            break;
        }
        let node = leg.to;
        let start = arrival.max(instance.opens(node));
        clock = start.saturating_add(instance.service(node));
        load = load.saturating_sub(instance.demand(node)).saturating_add(instance.backhaul(node));
        let (position, wait, leave) = (leg.position, start - arrival, clock);
        stops.push(Visit { position, node, arrival, wait, start, leave, load });
    }
    let latest_departure = latest::departure(trip, &stops, returns);
    if let Some((position, node)) = trip.start {
        let (arrival, start, leave) = (departure, departure, departure);
        stops.insert(0, Visit { position, node, arrival, wait: 0, start, leave, load: delivered });
    }
    RouteReport {
        distance: trip.legs().filter_map(|leg| leg.distance(instance)).fold(0, i64::saturating_add),
        cost: stated_cost(trip),
        scaled_cost: trip.legs().try_fold(0_i64, |sum, leg| Some(sum.saturating_add(leg.cost(instance)?))),
        duration: clock - departure,
        delivered,
        picked_up,
        departure,
        latest_departure,
        returns,
        stops,
    }
}

fn stated_cost(trip: &Trip) -> Option<f64> {
    let stated = |leg: Leg| trip.instance.stated_cost(leg.from, leg.to);
    let cost: f64 = trip.legs().map(stated).fold(0.0, |sum, cost| sum + cost);
    cost.is_finite().then_some(cost)
}
