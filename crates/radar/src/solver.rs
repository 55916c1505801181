//! The solver: validate, construct, check. Short enough to read; it is the architecture.

use std::time::Duration;

use radar_check::{Clause, Explanation, Verdict, Violation};
use radar_problem::{Finding, Instance, Merit, Problem, Report, Routes, Severity};
use radar_rollout::{Construction, Effort, Starts, Stop, construct};

use crate::budget::{Clock, SystemClock};
use crate::error::SolveError;
use crate::options::{Method, Options};
use crate::progress::{Event, Progress};
use crate::restrict::Restriction;
use crate::solution::{Solution, Timings, Unserved};

/// Solves problems under one set of options.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    options: Options,
}

impl Solver {
    /// A solver with these options.
    pub fn new(options: Options) -> Self {
        Self { options }
    }

    /// Solves a problem, or says why not. The budget begins here.
    pub fn solve(&self, problem: Problem, progress: &dyn Progress) -> Result<Solution, SolveError> {
        self.solve_by(problem, progress, &SystemClock::start())
    }

    /// Solves a problem by another clock.
    pub fn solve_by(
        &self,
        problem: Problem,
        progress: &dyn Progress,
        clock: &dyn Clock,
    ) -> Result<Solution, SolveError> {
        let begun = clock.now();
        self.solve_report(problem.validate(), begun, progress, clock)
    }

    /// Solves what was validated already; `begun` is when the budget began.
    pub fn solve_report(
        &self,
        report: Report,
        begun: Duration,
        progress: &dyn Progress,
        clock: &dyn Clock,
    ) -> Result<Solution, SolveError> {
        let Some(instance) = report.instance else { return Err(SolveError::Malformed(report.findings)) };
        let instance = instance.with_objective(self.options.objective);
        let findings = report.findings;
        let blocked = findings.iter().any(|finding| finding.severity() == Severity::Blocker);
        if blocked && !self.options.allow_unserved {
            return Err(SolveError::Blocked(findings));
        }
        let mut timings = Timings { validate: clock.now() - begun, ..Timings::default() };
        progress.event(&Event::Started {
            variant: instance.variant().to_string(),
            stops: instance.stops().len(),
        });

        let deadline = self.options.budget.time.map(|limit| begun.saturating_add(limit));
        let stop = || progress.cancelled() || deadline.is_some_and(|deadline| clock.now() >= deadline);
        let constructing = clock.now();
        let better = |plan: &Plan| {
            let verdict = radar_check::check(&instance, &plan.routes);
            if let Ok(cost) = approve(&verdict, plan) {
                progress.event(&Event::Incumbent {
                    cost,
                    routes: plan.routes.len(),
                    unserved: plan.unserved.len(),
                    method: plan.method.clone(),
                    elapsed: clock.now() - begun,
                });
            }
        };
        let mut plan = self.construct(&instance, &findings, &stop, &better);
        let interrupted = stop();
        timings.construct = clock.now() - constructing;

        let checking = clock.now();
        let mut warnings = Vec::new();
        let constructed = plan.routes.clone();
        self.warm_start(&instance, &mut plan, &mut warnings);
        let explanations = explain(&instance, &mut plan, &stop);
        if plan.routes != constructed {
            better(&plan);
        }
        let verdict = radar_check::check(&instance, &plan.routes);
        let cost = approve(&verdict, &plan)?;
        let unserved = reasons(&plan, &findings, explanations);
        if !plan.unserved.is_empty() && !self.options.allow_unserved {
            let vehicles_needed = self.vehicles_needed(&instance, &findings, &stop);
            return Err(SolveError::Incomplete { routes: plan.routes, unserved, vehicles_needed, findings });
        }
        if interrupted {
            warnings.push(
                "a time limit or a cancel ended the work: another run may give another plan".to_owned(),
            );
        }
        timings.check = clock.now() - checking;
        timings.total = clock.now() - begun;
        Ok(Solution {
            instance,
            routes: plan.routes,
            verdict,
            cost,
            bound: None,
            optimal: false,
            method: plan.method,
            seed: self.options.seed,
            interrupted,
            unserved,
            findings,
            warnings,
            timings,
        })
    }

    /// The best construction of what can be served.
    fn construct(
        &self,
        instance: &Instance,
        findings: &[Finding],
        stop: Stop<'_>,
        better: &dyn Fn(&Plan),
    ) -> Plan {
        let servable = Restriction::of(instance, findings);
        let Some(part) = &servable.instance else {
            let unserved = servable.left_out(instance).collect();
            return Plan { routes: Routes::default(), unserved, method: "nothing can be served".to_owned() };
        };
        let whole = |construction: &Construction, method: String| {
            let placed = construction.unserved.iter().map(|&stop| servable.original(stop));
            let mut unserved: Vec<usize> = servable.left_out(instance).chain(placed).collect();
            unserved.sort_unstable();
            Plan { routes: servable.restore(construction.routes.clone()), unserved, method }
        };
        let mut hear = |construction: &Construction, maker: radar_rollout::Method| {
            better(&whole(construction, format!("construction: {maker}")));
        };
        let best = match self.options.method {
            Method::Auto | Method::Construct => {
                construct(part, self.effort(part), self.options.seed, stop, &mut hear)
            }
        };
        whole(&best.construction, format!("construction: {}, best of {}", best.method, best.tried))
    }

    /// How much construction tries: what the options say, within the budget's steps.
    fn effort(&self, instance: &Instance) -> Effort {
        let mut effort = Effort::modest(instance);
        if let Some(starts) = self.options.starts {
            effort.starts = Starts::Spread(starts);
        }
        if let Some(steps) = self.options.budget.steps {
            effort.most = usize::try_from(steps).unwrap_or(usize::MAX);
        }
        effort
    }

    /// Keeps the given plan when it is at least as good; says so when it cannot be used.
    fn warm_start(&self, instance: &Instance, plan: &mut Plan, warnings: &mut Vec<String>) {
        let Some(routes) = &self.options.warm else { return };
        let verdict = radar_check::check(instance, routes);
        let missing = |violation: &&Violation| violation.clause == Clause::MissingStop;
        let faults =
            verdict.violations.iter().filter(|violation| !missing(violation) || !self.options.allow_unserved);
        let faults: Vec<String> = faults.take(3).map(ToString::to_string).collect();
        if !faults.is_empty() {
            warnings
                .push(format!("the plan to start from is refused and was not used: {}", faults.join("; ")));
            return;
        }
        let mut unserved: Vec<usize> =
            verdict.violations.iter().filter_map(|violation| violation.node).collect();
        unserved.sort_unstable();
        let given = Plan { routes: routes.clone(), unserved, method: "the given plan".to_owned() };
        if !plan.merit(instance).beats(&given.merit(instance)) {
            *plan = given;
        }
    }

    /// How many vehicles a complete plan was found for, when the fleet is the obstacle.
    fn vehicles_needed(&self, instance: &Instance, findings: &[Finding], stop: Stop<'_>) -> Option<usize> {
        instance.vehicles()?;
        let plan = self.construct(&instance.clone().with_vehicles(None), findings, stop, &|_| ());
        plan.unserved.is_empty().then(|| plan.routes.iter().filter(|route| !route.is_empty()).count())
    }
}

/// Routes, what they leave out, and what made them.
struct Plan {
    routes: Routes,
    unserved: Vec<usize>,
    method: String,
}

impl Plan {
    /// The same with other routes, if they break nothing and leave out fewer stops.
    fn with(&self, instance: &Instance, routes: Routes) -> Option<Plan> {
        let routes = Routes(routes.0.into_iter().filter(|route| !route.is_empty()).collect());
        let verdict = radar_check::check(instance, &routes);
        let unserved: Vec<usize> = verdict.violations.iter().filter_map(|violation| violation.node).collect();
        let plan = Plan { routes, unserved, method: self.method.clone() };
        (plan.unserved.len() < self.unserved.len() && approve(&verdict, &plan).is_ok()).then_some(plan)
    }

    /// What it is compared by.
    fn merit(&self, instance: &Instance) -> Merit {
        let cost = radar_check::check(instance, &self.routes).scaled_cost;
        Merit::new(instance, &self.unserved, cost.unwrap_or(i64::MAX))
    }
}

/// The cost of a plan whose only fault may be the stops it declares left out.
fn approve(verdict: &Verdict, plan: &Plan) -> Result<f64, SolveError> {
    let declared = |node: Option<usize>| node.is_some_and(|node| plan.unserved.binary_search(&node).is_ok());
    let fault = verdict
        .violations
        .iter()
        .find(|violation| !(violation.clause == Clause::MissingStop && declared(violation.node)));
    match (fault, verdict.cost) {
        (None, Some(cost)) => Ok(cost),
        (Some(fault), _) => Err(SolveError::Internal(fault.to_string())),
        (None, None) => Err(SolveError::Internal("the cost is not finite".to_owned())),
    }
}

/// Explaining a stop weighs every place it could take; beyond so many stops that takes too long.
const EXPLAINED: usize = 20;

/// What keeps stops out, for the first of them. A stop that turns out to fit as things are is put where it
/// fits, and the others are explained anew.
fn explain(instance: &Instance, plan: &mut Plan, stop: Stop<'_>) -> Vec<Explanation> {
    loop {
        let mut explanations = Vec::new();
        for (at, &node) in plan.unserved.iter().enumerate().take(EXPLAINED) {
            // At least the first is worth its time.
            if at == 0 || !stop() {
                explanations.push(radar_check::explain_stop(instance, node, &plan.routes));
            }
        }
        let fitted = plan.unserved.iter().zip(&explanations).find_map(|(&node, explanation)| {
            let remedy = explanation.remedies.iter().find(|remedy| remedy.relaxations.is_empty())?;
            plan.with(instance, remedy.place.apply(node, &plan.routes))
        });
        match fitted {
            Some(better) => *plan = better,
            None => return explanations,
        }
    }
}

/// Why each stop is left out, and what would let it in.
fn reasons(plan: &Plan, findings: &[Finding], explanations: Vec<Explanation>) -> Vec<Unserved> {
    let proved = |node: usize| {
        let about = findings
            .iter()
            .filter(move |finding| finding.severity() == Severity::Blocker && finding.nodes.contains(&node));
        about.map(|finding| finding.cause.clone())
    };
    let mut explanations = explanations.into_iter();
    let unserved = plan.unserved.iter().map(|&node| {
        let mut reasons: Vec<String> = proved(node).collect();
        let mut remedies = Vec::new();
        if let Some(explanation) = explanations.next() {
            if reasons.is_empty() {
                reasons.extend(explanation.blocks.iter().map(ToString::to_string));
            }
            reasons.extend(explanation.advice);
            remedies.extend(explanation.remedies.iter().map(ToString::to_string));
        }
        if reasons.is_empty() {
            reasons.push("no place was found for it".to_owned());
        }
        Unserved { node, reasons, remedies }
    });
    unserved.collect()
}
