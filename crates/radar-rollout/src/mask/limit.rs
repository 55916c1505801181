//! The length of a route, with the way home.

use radar_problem::{Instance, Scaled};

use super::{Found, Rule, open};
use crate::bits;
use crate::state::State;

struct Limit<'a> {
    distance: &'a Scaled,
    home: Vec<i64>,
    limit: i64,
}

pub(super) fn rule(instance: &Instance) -> Found<'_> {
    let distance = instance.distance();
    Some(Box::new(Limit { distance, home: open::home(instance, distance), limit: instance.limit() }))
}

impl Rule for Limit<'_> {
    fn narrow(&self, state: &State, stops: &mut [u64]) {
        let row = self.distance.row(state.node);
        let left = self.limit - state.length;
        bits::retain(stops, |stop| row.at(stop) + self.home[stop] <= left);
    }
}
