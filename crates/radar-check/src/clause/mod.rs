//! The clauses a plan must satisfy. Each theme has its file; this one names them.

mod arcs;
mod backhaul;
pub(crate) mod fleet;
mod length;
mod load;
mod nodes;
mod shift;
mod windows;

use std::fmt;

use radar_problem::{Feature, Instance, Routes, Scale};

use crate::phrase;
use crate::schedule::RouteReport;
use crate::trip::Trip;

/// What can be wrong with a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Clause {
    /// A route names a node that does not exist.
    UnknownNode,
    /// The depot stands inside a route.
    DepotInside,
    /// A stop is visited again.
    RepeatedStop,
    /// A stop is on no route.
    MissingStop,
    /// A tour is not one list that starts at node 0.
    TourShape,
    /// More routes than vehicles.
    TooManyRoutes,
    /// Two nodes follow each other and no way leads from one to the other.
    UnreachableArc,
    /// A route delivers more than a vehicle holds.
    DeliveryOverload,
    /// A route picks up more than a vehicle holds.
    PickupOverload,
    /// A stop receives goods after the route has picked some up.
    DeliveryAfterPickup,
    /// A stop is reached after its window has closed.
    LateArrival,
    /// The vehicle is back after the depot has closed.
    LateReturn,
    /// A route is longer than the limit.
    OverLimit,
    /// A route takes longer than a shift.
    OverDuration,
}

impl Clause {
    /// Every clause.
    pub const ALL: [Clause; 14] = [
        Self::UnknownNode,
        Self::DepotInside,
        Self::RepeatedStop,
        Self::MissingStop,
        Self::TourShape,
        Self::TooManyRoutes,
        Self::UnreachableArc,
        Self::DeliveryOverload,
        Self::PickupOverload,
        Self::DeliveryAfterPickup,
        Self::LateArrival,
        Self::LateReturn,
        Self::OverLimit,
        Self::OverDuration,
    ];

    /// The stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnknownNode => "unknown-node",
            Self::DepotInside => "depot-inside",
            Self::RepeatedStop => "repeated-stop",
            Self::MissingStop => "missing-stop",
            Self::TourShape => "tour-shape",
            Self::TooManyRoutes => "too-many-routes",
            Self::UnreachableArc => "unreachable-arc",
            Self::DeliveryOverload => "delivery-overload",
            Self::PickupOverload => "pickup-overload",
            Self::DeliveryAfterPickup => "delivery-after-pickup",
            Self::LateArrival => "late-arrival",
            Self::LateReturn => "late-return",
            Self::OverLimit => "over-limit",
            Self::OverDuration => "over-duration",
        }
    }

    /// The scale an excess is measured in; counts and clauses without an excess have none.
    pub fn scale(self, instance: &Instance) -> Scale {
        let scales = instance.scales();
        match self {
            Self::UnknownNode
            | Self::DepotInside
            | Self::RepeatedStop
            | Self::MissingStop
            | Self::TourShape
            | Self::TooManyRoutes
            | Self::UnreachableArc
            | Self::DeliveryAfterPickup => Scale::UNIT,
            Self::DeliveryOverload | Self::PickupOverload => scales.amount,
            Self::LateArrival | Self::LateReturn | Self::OverDuration => scales.duration,
            Self::OverLimit => scales.distance,
        }
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One clause violated at one place, before words are found for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Breach {
    pub clause: Clause,
    pub route: Option<usize>,
    pub position: Option<usize>,
    pub node: Option<usize>,
    /// The other node it is about: where an arc begins, who was picked up from before.
    pub other: Option<usize>,
    /// What was found, and what is allowed.
    pub found: i64,
    pub bound: i64,
}

impl Breach {
    /// A breach of the plan as a whole.
    fn of_plan(clause: Clause) -> Self {
        Self { clause, route: None, position: None, node: None, other: None, found: 0, bound: 0 }
    }

    /// A breach of one route as a whole.
    fn of_route(clause: Clause, route: usize) -> Self {
        Self { route: Some(route), ..Self::of_plan(clause) }
    }

    /// The same breach at one stop.
    fn at(self, position: usize, node: usize) -> Self {
        Self { position: Some(position), node: Some(node), ..self }
    }

    /// The same breach with what was found and what is allowed.
    fn measured(self, found: i64, bound: i64) -> Self {
        Self { found, bound, ..self }
    }

    /// By how much the bound is exceeded.
    pub fn excess(&self) -> i64 {
        // A plan without any list misses the one list of a tour without exceeding it.
        self.found.saturating_sub(self.bound).max(0)
    }
}

/// One clause violated at one place. Its `Display` is a sentence with ids and stated units; routes
/// are counted from 1 in it, as drivers do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What is violated.
    pub clause: Clause,
    /// On which route, as an index; `None` when it concerns the whole plan.
    pub route: Option<usize>,
    /// At which position of that route. For a bound on the whole route this is the first stop
    /// beyond it, and `None` when only the way back is. The way back itself has the position after
    /// the last.
    pub position: Option<usize>,
    /// The node there.
    pub node: Option<usize>,
    /// The other node it is about: where an arc begins that cannot be driven, or who handed goods
    /// over before a delivery.
    pub other: Option<usize>,
    /// By how much the bound is exceeded, in scaled units; 0 for clauses without a bound.
    pub excess: i64,
    sentence: String,
}

impl Violation {
    pub(crate) fn new(instance: &Instance, breach: Breach) -> Self {
        let Breach { clause, route, position, node, other, .. } = breach;
        let sentence = phrase::sentence(instance, &breach);
        Self { clause, route, position, node, other, excess: breach.excess(), sentence }
    }

    /// By how much the bound is exceeded, in stated units.
    pub fn stated_excess(&self, instance: &Instance) -> f64 {
        self.clause.scale(instance).undo(self.excess)
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.sentence)
    }
}

/// Every breach that concerns more than one route or none.
pub(crate) fn examine_plan(instance: &Instance, routes: &Routes, breaches: &mut Vec<Breach>) {
    nodes::examine(instance, routes, breaches);
    fleet::examine(instance, routes, breaches);
}

/// Every breach of one route by itself.
pub(crate) fn examine_route(trip: &Trip, report: &RouteReport, breaches: &mut Vec<Breach>) {
    arcs::examine(trip, breaches);
    load::examine(trip, report, breaches);
    for feature in trip.instance.features().iter() {
        match feature {
            // Whether the way back is driven is a matter of the trip's legs.
            Feature::Open => {}
            Feature::Backhaul => backhaul::examine(trip, breaches),
            Feature::Limit => length::examine(trip, report, breaches),
            Feature::Windows => windows::examine(trip, report, breaches),
        }
    }
    shift::examine(trip, report, breaches);
}
