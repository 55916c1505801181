//! Good plans by our own search: what is imitated, and what validation is measured against. Steps alone pace
//! it, so that a plan is a function of its instance.

use std::time::Duration;

use radar_problem::{Instance, Routes};
use radar_rollout::{Effort, construct};
use radar_search::{Pace, Request, Steps, search};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// A plan and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// Its cost in stated units.
    pub cost: f64,
    /// Whether no plan is better.
    pub optimal: bool,
    /// The plan.
    pub routes: Vec<Vec<usize>>,
}

/// Searches for a good plan in so many steps; tours of random matrices are proved in far fewer. `None` when
/// no complete plan was found, or when it was stopped.
pub fn solve(instance: &Instance, steps: u64, stop: &(dyn Fn() -> bool + Sync)) -> Option<Reference> {
    let rescue = || {
        let best = construct(instance, Effort::modest(instance), 0, stop, &mut |_, _| ());
        best.construction.unserved.is_empty().then_some(best.construction.routes)
    };
    let request = Request {
        instance,
        starts: &[],
        frozen: &[],
        rescue: Some(&rescue),
        prior: None,
        searches: 1,
        seed: 0,
        pace: &Hurried(Steps { most: steps, cancelled: stop }),
    };
    let outcome = search(&request, &mut |_, _| ());
    let Routes(routes) = outcome.routes?;
    let cost = instance.cost_scale().undo(outcome.cost?);
    (!stop()).then_some(Reference { cost, optimal: outcome.optimal, routes })
}

/// Steps, and nothing for a bound that nobody will read.
struct Hurried<'a>(Steps<'a>);

impl Pace for Hurried<'_> {
    fn spent(&self, steps: u64) -> f64 {
        self.0.spent(steps)
    }

    fn left(&self) -> Option<Duration> {
        self.0.left()
    }

    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    fn wants_bound(&self) -> bool {
        false
    }
}

/// Plans for all of some instances, by all threads; `done` hears of each.
pub fn solve_all(
    instances: &[Instance],
    steps: u64,
    stop: &(dyn Fn() -> bool + Sync),
    done: &(dyn Fn() + Sync),
) -> Vec<Option<Reference>> {
    let one = |instance| {
        let plan = if stop() { None } else { solve(instance, steps, stop) };
        done();
        plan
    };
    instances.par_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use radar_sample::Distribution;

    fn instance(name: &str, variant: &str) -> Instance {
        let parameters = [("n", "30"), ("variant", variant)];
        let distribution = Distribution::named(name, &parameters, None).expect("sound");
        distribution.sample(3, 1).problem.validate().instance.expect("sound")
    }

    #[test]
    fn tours_are_proved_and_routes_are_feasible() {
        for (name, variant) in [("tmat", "ATSP"), ("multitask", "AOVRPBLTW"), ("city", "AVRPTW")] {
            let instance = instance(name, variant);
            let plan = solve(&instance, 500, &|| false).expect("a plan");
            let verdict = radar_check::check(&instance, &Routes(plan.routes.clone()));
            assert!(verdict.feasible(), "{variant}");
            assert!(plan.optimal || variant != "ATSP");
            assert_eq!(solve(&instance, 500, &|| false), Some(plan));
        }
    }

    #[test]
    fn a_stop_is_heard() {
        assert_eq!(solve_all(&[instance("tmat", "ATSP")], 500, &|| true, &|| ()), [None]);
    }
}
