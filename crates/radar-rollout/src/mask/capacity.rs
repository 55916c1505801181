//! What a vehicle can deliver.

use radar_problem::{Instance, NEVER};

use super::{Found, Rule};
use crate::bits;
use crate::state::State;

struct Capacity {
    demand: Vec<i64>,
    capacity: i64,
}

pub(super) fn rule(instance: &Instance) -> Found<'_> {
    if instance.capacity() == NEVER {
        return None;
    }
    let demand = (0..instance.nodes()).map(|node| instance.demand(node)).collect();
    Some(Box::new(Capacity { demand, capacity: instance.capacity() }))
}

impl Rule for Capacity {
    fn narrow(&self, state: &State, stops: &mut [u64]) {
        let room = self.capacity - state.delivered;
        bits::retain(stops, |stop| self.demand[stop] <= room);
    }
}
