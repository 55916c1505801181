//! Which moves are legal.
//!
//! Every constraint is one file with one [`Rule`]. An instance collects the rules it has, so that an
//! absent one costs nothing while trajectories run. A rule may be stricter than a plan needs (it asks
//! whether the vehicle *could return now*); under the triangle inequality that loses no plan.

mod backhaul;
mod capacity;
mod fleet;
mod limit;
mod open;
mod reach;
mod shift;
mod windows;

use radar_problem::{Feature, Instance};

use crate::bits::{self, Mask};
use crate::state::State;

/// One constraint as a filter on the next stop.
trait Rule: Send + Sync {
    /// Takes out of `stops` what may not follow `state`.
    fn narrow(&self, state: &State, stops: &mut [u64]);
}

/// The rules of one instance, prepared once and shared by all its trajectories.
pub struct Rules<'a> {
    instance: &'a Instance,
    rules: Vec<Box<dyn Rule + 'a>>,
    fleet: Option<usize>,
}

impl<'a> Rules<'a> {
    /// Prepares the rules of `instance`; reads its matrices once.
    pub fn new(instance: &'a Instance) -> Self {
        let mut rules = Vec::new();
        // Missing arcs go first: later rules add up lengths without asking whether they are there.
        rules.extend(reach::rule(instance));
        rules.extend(capacity::rule(instance));
        for feature in instance.features().iter() {
            rules.extend(match feature {
                // Open routes bar nothing by themselves: they take the way home out of every other rule.
                Feature::Open => None,
                Feature::Backhaul => backhaul::rule(instance),
                Feature::Limit => limit::rule(instance),
                Feature::Windows => windows::rule(instance),
            });
        }
        rules.extend(shift::rule(instance));
        rules.extend(fleet::rule(instance));
        Self { instance, rules, fleet: instance.vehicles() }
    }

    /// The instance they belong to.
    pub fn instance(&self) -> &'a Instance {
        self.instance
    }

    /// Fills `mask` with the legal moves from `state` when `unvisited` are left. An empty mask means
    /// that the trajectory is stuck; a trajectory that stands in the depot with nothing to choose may
    /// only stay there.
    pub fn fill(&self, state: &State, unvisited: &[u64], mask: &mut [u64]) {
        mask.copy_from_slice(unvisited);
        for rule in &self.rules {
            rule.narrow(state, mask);
        }
        if !self.instance.is_tour() && self.may_return(state, mask) {
            bits::insert(mask, 0);
        }
    }

    /// The depot is never left and entered at once while a stop can be served, and never entered for
    /// good while stops are left.
    fn may_return(&self, state: &State, stops: &[u64]) -> bool {
        if state.node == 0 {
            Mask::new(stops).is_empty()
        } else {
            state.remaining == 0 || fleet::has_spare(self.fleet, state.routes)
        }
    }
}

/// A boxed rule, when the instance has it.
type Found<'a> = Option<Box<dyn Rule + 'a>>;
