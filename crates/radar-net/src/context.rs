//! What the decoder's query knows of a route so far.

use radar_problem::{Instance, NEVER};
use radar_rollout::State;

use crate::config::{Config, Task};
use crate::features::{Bounds, flag};

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
    Route { capacity: i64, open: bool, timed: bool, stops: usize, bounds: Box<Bounds> },
}

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
                Kind::Route {
                    capacity,
                    open: instance.is_open(),
                    timed,
                    stops: instance.stops().len(),
                    bounds,
                }
            }
        })
    }

    /// C.
    pub fn numbers(&self) -> usize {
        match self.0 {
            Kind::Nothing => 0,
            Kind::Load { .. } => 1,
            Kind::Route { .. } => 10,
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
            &Kind::Route { capacity, open, timed, stops, ref bounds } => {
                let time = state.time - bounds.opening;
                let numbers = [
                    room(state.delivered, capacity),
                    room(state.picked_up, capacity),
                    flag(state.picked_up > 0),
                    bounds.time(time),
                    bounds.limit.map_or(0.0, |limit| bounds.length(limit - state.length)),
                    flag(bounds.limit.is_some()),
                    flag(open),
                    bounds.shift.map_or(0.0, |shift| bounds.time(shift - time)),
                    flag(timed),
                    state.remaining as f32 / stops.max(1) as f32,
                ];
                write(&numbers, out);
            }
        }
    }
}

/// What is left of the capacity, as a share of it; all of it where it is without bound.
fn room(used: i64, capacity: i64) -> f32 {
    if capacity == NEVER || capacity == 0 { 1.0 } else { (1.0 - used as f64 / capacity as f64) as f32 }
}
