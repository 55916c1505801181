//! Whom to serve when not all can be, and then how.

use radar_problem::{Instance, Routes};
use radar_search::{Pace, Partial, affords_search, serve_most};

use crate::improve::Improvement;
use crate::options::{Freeze, Options};
use crate::pace::{Allowance, serving_steps};
use crate::plan::Plan;
use crate::task::{Proof, Task, in_words};

/// How often whom to serve and how to serve them are decided in turn: good routes show who costs too much, and
/// other stops ask for other routes.
const ROUNDS: u64 = 4;
/// By when it must be decided whom to serve, as a share of a round.
const DECIDED: f64 = 0.7;

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
        let whole = self.task.whole;
        let rest = Allowance { begun: self.allowance.clock.now(), ..*self.allowance };
        let slice = |round: u64, rounds: u64| {
            let deadline = rest.until((round + 1) as f64 / rounds as f64).deadline;
            let steps = rest.steps.map(|steps| steps.div_ceil(rounds));
            Allowance { begun: rest.clock.now(), deadline, steps, ..rest }
        };
        // Little time is better spent in one piece; and what was frozen is known by its place in the first start.
        let is_brief = !affords_search(self.part, slice(0, ROUNDS).until(DECIDED).left());
        let rounds = if is_brief || self.options.freeze.is_some() { 1 } else { ROUNDS };
        let mut best = self.decide(starts, 0, &slice(0, rounds))?;
        for round in 1..rounds {
            if best.1.is_some() {
                return Some(best);
            }
            let again = [self.task.servable.restrict(&best.0.routes)];
            let Some(found) = self.decide(&again, round, &slice(round, rounds)) else { break };
            if found.0.merit(whole).beats(&best.0.merit(whole)) {
                best = found;
            }
        }
        if rounds > 1 {
            best.0.method.push_str(&format!(", best of {rounds} rounds"));
        }
        Some(best)
    }

    /// One round: whom to serve, and then how.
    fn decide(
        &self,
        starts: &[Routes],
        round: u64,
        allowance: &Allowance<'_>,
    ) -> Option<(Plan, Option<Proof>)> {
        let Self { task, part, options, .. } = *self;
        let pace = Allowance { steps: allowance.steps.map(serving_steps), ..allowance.until(DECIDED) };
        if !affords_search(part, pace.left()) {
            return None;
        }
        let request = Partial {
            instance: part,
            starts,
            frozen: options.freeze.as_ref().map_or(&[], |freeze| &freeze.lengths),
            settled: round > 0,
            searches: options.searches,
            // Every round draws other numbers.
            seed: options.seed.rotate_left(16 * round as u32) ^ round,
            pace: &pace,
        };
        let words = "search of whom to serve".to_owned();
        let served = serve_most(&request, &mut |served| {
            (task.better)(&task.plan(served.routes.clone(), &served.unserved, words.clone()));
        })?;
        let words = format!("{words}: {} steps", served.steps);
        Some(self.improve(task.plan(served.routes, &served.unserved, words), allowance))
    }

    /// Search on the stops that a plan serves.
    fn improve(&self, plan: Plan, allowance: &Allowance<'_>) -> (Plan, Option<Proof>) {
        let Self { task, options, .. } = *self;
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
                model: None,
            }
        };
        let mut hear = |routes: &Routes| (task.better)(&global(routes, "search".to_owned()));
        let Some(outcome) = improvement.run(&[warm], &mut hear) else { return (plan, None) };
        let Some(routes) = &outcome.routes else { return (plan, None) };
        match plan.unserved.is_empty() {
            true => (global(routes, in_words(&instance, &outcome)), Some(Proof::of(&outcome))),
            false => {
                let method = format!("search: {} steps after {}", outcome.steps, plan.method);
                (global(routes, method), None)
            }
        }
    }
}
