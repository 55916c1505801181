//! Windows: arrive before the stop closes, and be back before the depot does.

use radar_problem::{Instance, NEVER};

use super::{Found, Rule, open};
use crate::bits;
use crate::state::State;

struct Windows<'a> {
    instance: &'a Instance,
    home: Vec<i64>,
    /// The latest return; open routes have none.
    back: i64,
}

pub(super) fn rule(instance: &Instance) -> Found<'_> {
    let back = if instance.is_open() { NEVER } else { instance.closes(0) };
    Some(Box::new(Windows { instance, home: open::home(instance, instance.duration()), back }))
}

impl Rule for Windows<'_> {
    fn narrow(&self, state: &State, stops: &mut [u64]) {
        let instance = self.instance;
        let row = instance.duration().row(state.node);
        bits::retain(stops, |stop| {
            let arrival = state.time + row.at(stop);
            let leave = arrival.max(instance.opens(stop)) + instance.service(stop);
            arrival <= instance.closes(stop) && leave + self.home[stop] <= self.back
        });
    }
}
