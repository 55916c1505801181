//! What all routes carry, and what one can.

use radar_problem::{Instance, NEVER};

/// All deliveries and pickups of an instance, and what a vehicle holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loads {
    pub delivery: i64,
    pub pickup: i64,
    /// 0 where it is without bound.
    pub capacity: i64,
}

impl Loads {
    pub fn of(instance: &Instance) -> Self {
        let total = |amount: &dyn Fn(usize) -> i64| instance.stops().map(amount).sum();
        Self {
            delivery: total(&|stop| instance.demand(stop)),
            pickup: total(&|stop| instance.backhaul(stop)),
            capacity: if instance.capacity() == NEVER { 0 } else { instance.capacity() },
        }
    }

    /// How many routes so much needs at least; none where vehicles hold anything.
    pub fn routes(self, delivery: i64, pickup: i64) -> i64 {
        let most = delivery.max(pickup).max(0);
        if self.capacity == 0 { 0 } else { most / self.capacity + i64::from(most % self.capacity > 0) }
    }
}
