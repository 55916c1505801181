//! What the decoder's query knows of a route so far.

use radar_problem::{Instance, NEVER};
use radar_rollout::State;

use crate::config::{Config, Task};
use crate::features::{Bounds, Loads, flag};

/// The context of one instance: from the state of a trajectory to C numbers.
#[derive(Clone, Debug)]
pub struct Context(Kind);

#[derive(Clone, Debug)]
enum Kind {
    /// A tour: nothing.
    Nothing,
    /// The load left.
    Load { capacity: i64 },
    /// Everything about the route.
    Route { loads: Loads, open: bool, timed: bool, stops: usize, bounds: Box<Bounds> },
}

/// Where the room for deliveries is among the numbers of a route; behind it is that for pickups.
pub(crate) const ROOM: usize = 0;
/// Where the time since the depot's opening is.
pub(crate) const TIME: usize = 3;
/// Where that is which is left of the limit.
pub(crate) const LENGTH: usize = 4;

impl Context {
    /// The context that a network of this configuration wants of an instance.
    pub fn of(config: &Config, instance: &Instance) -> Self {
        let capacity = instance.capacity();
        Self(match config.task {
            Task::Atsp => Kind::Nothing,
            Task::Acvrp => Kind::Load { capacity },
            Task::Vrp => {
                let bounds = Box::new(Bounds::of(instance));
                let timed = bounds.has_windows(instance);
                let (loads, stops) = (Loads::of(instance), instance.stops().len());
                Kind::Route { loads, open: instance.is_open(), timed, stops, bounds }
            }
        })
    }

    /// C.
    pub fn numbers(&self) -> usize {
        match self.0 {
            Kind::Nothing => 0,
            Kind::Load { .. } => 1,
            Kind::Route { .. } => 13,
        }
    }

    /// Writes the numbers of a state to `out` (C).
    pub fn fill(&self, state: &State, out: &mut [f32]) {
        debug_assert_eq!(out.len(), self.numbers());
        let write = |numbers: &[f32], out: &mut [f32]| {
            out.iter_mut().zip(numbers).for_each(|(out, &number)| *out = number);
        };
        match &self.0 {
            Kind::Nothing => {}
            &Kind::Load { capacity } => write(&[room(state.delivered, capacity)], out),
            &Kind::Route { loads, open, timed, stops, ref bounds } => {
                let time = state.time - bounds.opening;
                let Ahead { one_more, spare_at_home, spare_on_the_way } = Ahead::of(loads, state);
                // The rooms are where `ROOM` says, the time where `TIME` does, and what is left of the limit where `LENGTH` does.
                let numbers = [
                    room(state.delivered, loads.capacity),
                    room(state.picked_up, loads.capacity),
                    flag(state.picked_up > 0),
                    bounds.time(time),
                    bounds.limit.map_or(0.0, |limit| bounds.length(limit - state.length)),
                    flag(bounds.limit.is_some()),
                    flag(open),
                    bounds.shift.map_or(0.0, |shift| bounds.time(shift - time)),
                    flag(timed),
                    flag(one_more),
                    spare_at_home,
                    spare_on_the_way,
                    state.remaining as f32 / stops.max(1) as f32,
                ];
                write(&numbers, out);
            }
        }
    }
}

/// What the loads that are left ask for.
struct Ahead {
    /// Whether they need one route more if the vehicle goes home now than if it is filled first.
    one_more: bool,
    /// How much may stay empty before another route is needed, in vehicles: if it goes home now, and if it is filled.
    spare_at_home: f32,
    spare_on_the_way: f32,
}

impl Ahead {
    fn of(loads: Loads, state: &State) -> Self {
        let Loads { capacity, delivery, pickup } = loads;
        if capacity == 0 {
            return Self { one_more: false, spare_at_home: 1.0, spare_on_the_way: 1.0 };
        }
        let (delivery, pickup) = (delivery - state.all_delivered, pickup - state.all_picked_up);
        // No delivery may follow a pickup.
        let for_delivery = if state.picked_up > 0 { 0 } else { capacity - state.delivered };
        let room = (for_delivery, capacity - state.picked_up);
        let (home, on) = (loads.routes(delivery, pickup), loads.routes(delivery - room.0, pickup - room.1));
        let spare = |routes: i64, room: (i64, i64)| {
            let of = |left: i64, room: i64| routes * capacity + room - left;
            (of(delivery, room.0).min(of(pickup, room.1)).max(0) as f64 / capacity as f64) as f32
        };
        Self { one_more: home > on, spare_at_home: spare(home, (0, 0)), spare_on_the_way: spare(on, room) }
    }
}

/// What is left of the capacity, as a share of it; all of it where it is without bound.
fn room(used: i64, capacity: i64) -> f32 {
    if capacity == NEVER || capacity == 0 { 1.0 } else { (1.0 - used as f64 / capacity as f64) as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use radar_problem::{Problem, Table};

    #[test]
    fn going_home_half_empty_may_cost_a_route() {
        let mut problem = Problem::vrp(Table::from_values(7, 7, vec![1.0; 49]));
        problem.capacity = Some(10.0);
        problem.demand = Some(vec![0.0, 4.0, 4.0, 3.0, 3.0, 3.0, 2.0]);
        let instance = problem.validate().instance.expect("sound");
        let loads = Loads::of(&instance);
        let ahead = |stops: &[usize]| {
            let mut state = State::new(&instance, 1);
            stops.iter().for_each(|&stop| state = state.after(&instance, stop).0);
            let Ahead { one_more, spare_at_home, spare_on_the_way } = Ahead::of(loads, &state);
            (one_more, spare_at_home, spare_on_the_way)
        };
        // 19 for two vehicles: one of them may stay empty by 1.
        assert_eq!(ahead(&[]), (true, 0.1, 0.1));
        // 15 left need two routes more, or one and the room of 6.
        assert_eq!(ahead(&[1]), (true, 0.5, 0.1));
        assert_eq!(ahead(&[1, 3]), (true, 0.8, 0.1));
        // 9 left are one route, and so they are for an empty vehicle.
        assert_eq!(ahead(&[1, 2, 6]), (false, 0.1, 0.1));
        assert_eq!(ahead(&[1, 2, 6, 0]), (true, 0.1, 0.1));
    }
}
