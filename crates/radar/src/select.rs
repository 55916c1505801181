//! Whom to serve when not all can be, and then how.

use radar_problem::{Instance, Routes};
use radar_search::{Pace, Partial, affords_search, serve_most};

use crate::improve::Improvement;
use crate::options::{Freeze, Options};
use crate::pace::{Allowance, serving_steps};
use crate::plan::Plan;
use crate::task::{Proof, Task, in_words};

/// By when it must be decided whom to serve, as a share of the budget.
const DECIDED: f64 = 0.8;

/// The search of whom to serve in the part of a problem that can be served.
pub(crate) struct Selection<'a> {
    pub task: &'a Task<'a>,
    pub part: &'a Instance,
    /// In the numbers of the part.
    pub options: &'a Options,
    pub allowance: &'a Allowance<'a>,
}

impl Selection<'_> {
    /// The best plan found from `starts`, and what was proved if it serves everybody. `None` if there is no
    /// time, or no legal plan was found.
    pub fn run(&self, starts: &[Routes]) -> Option<(Plan, Option<Proof>)> {
        let Self { task, part, options, allowance } = *self;
        let steps = allowance.steps.map(serving_steps);
        let pace = Allowance { begun: allowance.clock.now(), steps, ..allowance.until(DECIDED) };
        if !affords_search(part, pace.left()) {
            return None;
        }
        let frozen = options.freeze.as_ref().map_or(&[] as &[usize], |freeze| &freeze.lengths);
        let request = Partial { instance: part, starts, frozen, seed: options.seed, pace: &pace };
        let words = "search of whom to serve".to_owned();
        let served = serve_most(&request, &mut |served| {
            (task.better)(&task.plan(served.routes.clone(), &served.unserved, words.clone()));
        })?;
        let plan = task.plan(served.routes, &served.unserved, format!("{words}: {} steps", served.steps));
        Some(self.improve(plan))
    }

    /// Search on the stops that a plan serves.
    fn improve(&self, plan: Plan) -> (Plan, Option<Proof>) {
        let Self { task, options, allowance, .. } = *self;
        let served: Vec<usize> = {
            let stops: std::collections::BTreeSet<usize> = plan.routes.iter().flatten().copied().collect();
            std::iter::once(0).chain(stops).collect()
        };
        let instance = task.whole.subset(&served);
        let local = |stop: &usize| served.binary_search(stop).unwrap_or(0);
        let warm = Routes(plan.routes.iter().map(|route| route.iter().map(local).collect()).collect());
        let mut options = options.clone();
        if let Some(freeze) = &mut options.freeze {
            // The routes that have set out come first.
            let lengths = freeze.lengths.iter().copied().filter(|&length| length > 0).collect();
            *freeze = Freeze { routes: warm.clone(), lengths };
        }
        let improvement = Improvement {
            options: &options,
            instance: &instance,
            pace: allowance,
            prior: task.prior,
            nodes: &served,
            rescue: &|| None,
        };
        let global = |routes: &Routes, method: String| {
            let of_route = |route: &Vec<usize>| route.iter().map(|&stop| served[stop]).collect();
            Plan {
                routes: Routes(routes.iter().map(of_route).collect()),
                unserved: plan.unserved.clone(),
                method,
            }
        };
        let mut hear = |routes: &Routes| (task.better)(&global(routes, "search".to_owned()));
        let Some(outcome) = improvement.run(Some(&warm), &mut hear) else { return (plan, None) };
        let Some(routes) = &outcome.routes else { return (plan, None) };
        match plan.unserved.is_empty() {
            true => (global(routes, in_words(&outcome)), Some(Proof::of(&outcome))),
            false => {
                let method = format!("search: {} steps after {}", outcome.steps, plan.method);
                (global(routes, method), None)
            }
        }
    }
}
