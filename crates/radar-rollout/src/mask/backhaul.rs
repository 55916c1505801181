//! Pickups: bounded on their own, and after every delivery of the route.

use radar_problem::Instance;

use super::{Found, Rule};
use crate::bits;
use crate::state::State;

struct Backhaul {
    backhaul: Vec<i64>,
    /// Every node but those that receive something.
    without_delivery: Vec<u64>,
    capacity: i64,
}

pub(super) fn rule(instance: &Instance) -> Found<'_> {
    let mut without_delivery = vec![0; bits::words(instance.nodes())];
    for node in (0..instance.nodes()).filter(|&node| instance.demand(node) == 0) {
        bits::insert(&mut without_delivery, node);
    }
    let backhaul = (0..instance.nodes()).map(|node| instance.backhaul(node)).collect();
    Some(Box::new(Backhaul { backhaul, without_delivery, capacity: instance.capacity() }))
}

impl Rule for Backhaul {
    fn narrow(&self, state: &State, stops: &mut [u64]) {
        // A state of the route, not of the node: a stop without amounts in between changes nothing.
        if state.picked_up > 0 {
            for (word, allowed) in stops.iter_mut().zip(&self.without_delivery) {
                *word &= allowed;
            }
        }
        let room = self.capacity - state.picked_up;
        bits::retain(stops, |stop| self.backhaul[stop] <= room);
    }
}
