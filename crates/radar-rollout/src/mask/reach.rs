//! Arcs that cannot be driven.

use radar_problem::{Instance, Scaled, UNREACHABLE};

use super::{Found, Rule};
use crate::bits;
use crate::state::State;

/// An arc is missing when it has no length or no travel time.
struct Reach<'a> {
    distance: &'a Scaled,
    duration: &'a Scaled,
    /// The stops from which the depot can be reached; every stop on open routes and on a tour.
    returning: Vec<u64>,
    tour: bool,
}

pub(super) fn rule(instance: &Instance) -> Found<'_> {
    if !instance.has_missing_arcs() {
        return None;
    }
    let (distance, duration) = (instance.distance(), instance.duration());
    let mut returning = vec![0; bits::words(instance.nodes())];
    let bound_home = !instance.is_tour() && !instance.is_open();
    for node in 0..instance.nodes() {
        if !bound_home || drivable(distance, duration, node, 0) {
            bits::insert(&mut returning, node);
        }
    }
    Some(Box::new(Reach { distance, duration, returning, tour: instance.is_tour() }))
}

fn drivable(distance: &Scaled, duration: &Scaled, from: usize, to: usize) -> bool {
    distance.at(from, to) < UNREACHABLE && duration.at(from, to) < UNREACHABLE
}

impl Rule for Reach<'_> {
    fn narrow(&self, state: &State, stops: &mut [u64]) {
        for (word, returning) in stops.iter_mut().zip(&self.returning) {
            *word &= returning;
        }
        let (distance, duration) = (self.distance.row(state.node), self.duration.row(state.node));
        bits::retain(stops, |stop| distance.at(stop) < UNREACHABLE && duration.at(stop) < UNREACHABLE);
        // The last node of a tour is also driven from, back to the start.
        if self.tour && state.remaining == 1 {
            bits::retain(stops, |stop| drivable(self.distance, self.duration, stop, state.start));
        }
    }
}
