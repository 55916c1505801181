//! The shift: how long a route may take, with waiting, service and the way home.

use radar_problem::{Instance, NEVER};

use super::{Found, Rule, open};
use crate::bits;
use crate::state::State;

struct Shift<'a> {
    instance: &'a Instance,
    home: Vec<i64>,
    end: i64,
}

pub(super) fn rule(instance: &Instance) -> Found<'_> {
    if instance.max_duration() == NEVER {
        return None;
    }
    let end = instance.opens(0) + instance.max_duration();
    Some(Box::new(Shift { instance, home: open::home(instance, instance.duration()), end }))
}

impl Rule for Shift<'_> {
    fn narrow(&self, state: &State, stops: &mut [u64]) {
        let instance = self.instance;
        let row = instance.duration().row(state.node);
        bits::retain(stops, |stop| {
            let start = (state.time + row.at(stop)).max(instance.opens(stop));
            start + instance.service(stop) + self.home[stop] <= self.end
        });
    }
}
