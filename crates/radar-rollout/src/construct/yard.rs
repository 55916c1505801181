//! What every constructor asks of an instance.

use radar_problem::{Instance, NEVER, UNREACHABLE};

/// An instance as routes out of node 0. A tour is one closed route without constraints.
pub(super) struct Yard<'a> {
    pub(super) instance: &'a Instance,
    /// How many routes there may be.
    pub(super) fleet: usize,
    /// When a route must have ended: the depot closes, or the shift ends. The end of an open route is
    /// its last service.
    pub(super) end: i64,
    /// Whether anything about time can bind.
    pub(super) timed: bool,
}

impl<'a> Yard<'a> {
    pub(super) fn new(instance: &'a Instance) -> Self {
        let shift = (instance.opens(0) + instance.max_duration()).min(NEVER);
        let end = if instance.is_open() { shift } else { shift.min(instance.closes(0)) };
        let closes = instance.stops().any(|stop| instance.closes(stop) < NEVER);
        let fleet = if instance.is_tour() { Some(1) } else { instance.vehicles() };
        Self { instance, fleet: fleet.unwrap_or(usize::MAX), end, timed: closes || end < NEVER }
    }

    /// Every node but the depot.
    pub(super) fn stops(&self) -> std::ops::Range<usize> {
        1..self.instance.nodes()
    }

    /// Whether an arc can be driven. The end of an open route is always reached.
    #[inline]
    pub(super) fn drivable(&self, from: usize, to: usize) -> bool {
        (to == 0 && self.instance.is_open())
            || (self.instance.distance().at(from, to) < UNREACHABLE
                && self.instance.duration().at(from, to) < UNREACHABLE)
    }

    /// The cost of a drivable arc, where `to` 0 is the end of the route.
    #[inline]
    pub(super) fn cost(&self, from: usize, to: usize) -> i64 {
        if to == 0 && self.instance.is_open() { 0 } else { self.instance.cost().at(from, to) }
    }

    /// The length of a drivable arc, where `to` 0 is the end of the route.
    #[inline]
    pub(super) fn length(&self, from: usize, to: usize) -> i64 {
        if to == 0 && self.instance.is_open() { 0 } else { self.instance.distance().at(from, to) }
    }

    /// The travel time of a drivable arc, where `to` 0 is the end of the route.
    #[inline]
    pub(super) fn time(&self, from: usize, to: usize) -> i64 {
        if to == 0 && self.instance.is_open() { 0 } else { self.instance.duration().at(from, to) }
    }
}
