//! The solver: validate, search or construct, check. It is the architecture in short.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use radar_check::{Clause, Violation};
use radar_problem::{Finding, Instance, Merit, Problem, Report, Routes, Severity};
use radar_rollout::{Construction, Effort, Starts, Stop, construct};
use radar_search::{EdgePrior, Pace, lower_bound};

use crate::budget::{Budget, Clock, SystemClock};
use crate::companion::companion;
use crate::error::SolveError;
use crate::exact;
use crate::guide::{self, Guidance};
use crate::improve::Improvement;
use crate::neural;
use crate::options::{Freeze, Method, Options};
use crate::pace::{Allowance, Reserve, exhausting_steps, usual_steps};
use crate::plan::Plan;
use crate::progress::{Event, Progress};
use crate::reasons::{explain, reasons};
use crate::restrict::Restriction;
use crate::select::Selection;
use crate::solution::{Solution, Timings, Warning};
use crate::task::{Proof, Task, in_words};
use crate::warm::{self, Use};

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
        if let Some(freeze) = &self.options.freeze {
            let beginnings = freeze.beginnings(&instance).map_err(SolveError::Frozen)?;
            self.refuse_broken(&instance, &beginnings)?;
        }
        let constructing = clock.now();
        let told: Mutex<Option<(Merit, Plan)>> = Mutex::new(None);
        let better = |plan: &Plan| {
            let verdict = radar_check::check(&instance, &plan.routes);
            let (Ok(cost), Some(scaled), Ok(mut told)) =
                (plan.approve(&verdict), verdict.scaled_cost, told.lock())
            else {
                return;
            };
            let merit = Merit::new(&instance, &plan.unserved, scaled);
            if told.as_ref().is_none_or(|(best, _)| merit.beats(best)) {
                *told = Some((merit, plan.clone()));
                progress.event(&Event::Incumbent {
                    cost,
                    routes: plan.routes.len(),
                    unserved: plan.unserved.len(),
                    method: plan.method.clone(),
                    plan: plan.routes.clone(),
                    elapsed: clock.now() - begun,
                });
            }
        };
        let servable = Restriction::of(&instance, &findings);
        // A bound is for plans that serve every stop.
        let is_whole = servable.left_out(&instance).next().is_none();
        let bounded = |bound: i64| {
            let bound = radar_bound::stated(&instance, bound);
            if is_whole && bound > 0.0 {
                progress.event(&Event::Bound { bound, elapsed: clock.now() - begun });
            }
        };
        let mut task = Task::new(&instance, &servable, &findings, &stop, &better);
        task.bounded = &bounded;
        task.may_fail |= self.options.freeze.is_some();
        task.prior = self.options.prior.as_deref().map(|prior| prior as &dyn EdgePrior);
        let paced = !is_clockless(&servable, self.options.budget);
        let method = self.options.method;
        let is_search = matches!(method, Method::Auto | Method::Search)
            || (method == Method::Construct && self.options.freeze.is_some());
        let use_of = if is_search { Use::Start } else { Use::Comparison };
        let warm = self.options.warm.as_ref().map(|routes| warm::from_first(&instance, routes));
        let given =
            warm.as_ref().map(|routes| warm::plan(&instance, routes, use_of, self.options.allow_unserved));
        if let (Some(Ok(given)), None) = (&given, &self.options.freeze) {
            better(given);
        }
        let mut warnings = Vec::new();
        let (mut plan, proof) = match (&servable.instance, is_search) {
            (None, _) => (task.nothing(), None),
            (Some(part), true) => {
                let steps = match (deadline, self.options.budget.steps) {
                    (None, None) => Some(usual_steps(part)),
                    (_, Some(steps)) => Some(steps),
                    (Some(_), None) => exhausting_steps(part),
                };
                let allowance = Allowance { clock, progress, begun: constructing, deadline, steps, paced };
                let options = self.local_options(&task, part, warm.as_ref())?;
                guide::refuse_unsuited(part, &options)?;
                match exact::weigh(&task, part, &options, &allowance)? {
                    Some(found) => found,
                    None => {
                        let asked = clock.now();
                        let companion = companion(&options, instance.input());
                        let guidance =
                            guide::ask(&task, part, &options, companion.as_ref(), &allowance, &mut warnings)?;
                        let begun = clock.now();
                        let is_asked = options.model.is_some() || companion.is_some();
                        timings.network = if is_asked { begun - asked } else { Duration::ZERO };
                        let rest = Allowance { begun, ..allowance };
                        let (mut plan, proof) =
                            self.search(&task, part, options, &rest, guidance.as_ref())?;
                        if let Some(guidance) = guidance {
                            guidance.sign(&mut plan);
                        }
                        (plan, proof)
                    }
                }
            }
            (Some(part), false) if method == Method::Neural => {
                let decoded = neural::decode(&task, part, &self.options, &mut warnings)?;
                (decoded.unwrap_or_else(|| self.construct(&task, part, &stop).1), None)
            }
            (Some(part), false) => (self.construct(&task, part, &stop).1, None),
        };
        let is_proved = proof.is_some_and(|proof| proof.optimal);
        // A search under a clock follows it to the end, whether or not it was cut off.
        let by_clock = is_search && deadline.is_some() && paced;
        let interrupted = !is_proved && (by_clock || stop());
        timings.construct = clock.now() - constructing - timings.network;

        let checking = clock.now();
        let made = plan.clone();
        // What ended early may have lost a plan that was there before, such as a network's.
        if let Ok(Some((merit, best))) = told.lock().as_deref()
            && merit.beats(&plan.merit(&instance))
        {
            plan = best.clone();
        }
        match given {
            Some(Ok(given)) if !warm::is_improved(&instance, &given, &plan) => plan = given,
            Some(Err(refused)) => warnings.push(refused),
            Some(Ok(_)) | None => {}
        }
        let mut explanations = explain(&instance, &mut plan, &stop);
        if self.options.freeze.as_ref().is_some_and(|freeze| !freeze.is_kept(&plan.routes)) {
            plan = made.clone();
            explanations.clear();
        }
        if plan.routes != made.routes {
            better(&plan);
        }
        let verdict = radar_check::check(&instance, &plan.routes);
        let cost = plan.approve(&verdict)?;
        if self.options.freeze.as_ref().is_some_and(|freeze| !freeze.is_kept(&plan.routes)) {
            return Err(SolveError::Internal("a frozen beginning was changed".to_owned()));
        }
        let unserved = reasons(&plan, &findings, explanations);
        if !plan.unserved.is_empty() && !self.options.allow_unserved {
            let steps = self.options.budget.steps.map(|steps| steps / 8);
            let steps = steps.or(deadline.is_none().then(|| usual_steps(&instance) / 8));
            let allowance = Allowance { clock, progress, begun: checking, deadline, steps, paced };
            let vehicles_needed = self.vehicles_needed(&instance, &findings, &allowance);
            let (routes, proved) = (plan.routes, is_proved);
            return Err(SolveError::Incomplete { routes, unserved, vehicles_needed, proved, findings });
        }
        if interrupted {
            let text = "a time limit or a cancel ended the work: another run may give another plan";
            warnings.push(Warning::new("interrupted", text));
        }
        let proof_nodes = proof.and_then(|proof| proof.nodes);
        // A bound is for plans that serve every stop, and for all of them; so is a proof that none is better.
        let proof = plan.unserved.is_empty().then(|| {
            proof.unwrap_or_else(|| {
                let allowance = Allowance { clock, progress, begun: checking, deadline, steps: None, paced };
                Proof::by_bound(lower_bound(&instance, &allowance), &verdict)
            })
        });
        let optimal = proof.is_some_and(|proof| proof.optimal && instance.cost_scale().is_exact());
        let bound = proof.map(|proof| match optimal {
            true => cost,
            false => radar_bound::stated(&instance, proof.bound).min(cost),
        });
        if let Some(bound) = bound {
            progress.event(&Event::Bound { bound, elapsed: clock.now() - begun });
        }
        timings.check = clock.now() - checking;
        timings.total = clock.now() - begun;
        Ok(Solution {
            instance,
            routes: plan.routes,
            verdict,
            cost,
            bound,
            optimal,
            proof_nodes,
            method: plan.method,
            model: plan.model,
            seed: self.options.seed,
            interrupted,
            unserved,
            findings,
            warnings,
            timings,
        })
    }

    /// The best plan that search finds for what can be served, and what it proved; a network may have said something before.
    fn search(
        &self,
        task: &Task<'_>,
        part: &Instance,
        options: Options,
        allowance: &Allowance<'_>,
        guidance: Option<&Guidance>,
    ) -> Result<(Plan, Option<Proof>), SolveError> {
        let may_leave_out = options.allow_unserved && !part.is_tour() && task.may_fail;
        // With a fleet that may not suffice, half of the time goes to what it can serve; or some of it to how
        // many vehicles would.
        let most = match (may_leave_out, part.vehicles()) {
            (true, _) => allowance.until(0.5),
            (false, Some(_)) => allowance.until(1.0 - COUNTING),
            (false, None) => *allowance,
        };
        let all = if may_leave_out { most } else { *allowance };
        let first = Reserve { all, most, found: AtomicBool::new(false), bounded: task.bounded };
        let is_late = || (task.stop)() || allowance.deadline.is_some() && first.spent(0) >= RESCUE;
        let rescue = || {
            let best = construct(part, self.effort(part), options.seed, &is_late, &mut |_, _| ());
            best.construction.unserved.is_empty().then_some(best.construction.routes)
        };
        let own: Vec<usize> = (0..part.nodes()).collect();
        let beliefs = guidance.and_then(|guidance| guidance.beliefs.as_ref());
        let (prior, nodes) = match (task.prior, beliefs) {
            (None, Some(beliefs)) => (Some(beliefs as &dyn EdgePrior), own.as_slice()),
            (given, _) => (given, task.servable.nodes()),
        };
        let improvement =
            Improvement { options: &options, instance: part, pace: &first, prior, nodes, rescue: &rescue };
        let starts = options.warm.iter().chain(guidance.and_then(|guidance| guidance.start.as_ref()));
        let starts: Vec<Routes> = starts.cloned().collect();
        let mut hear = |routes: &Routes| {
            first.found.store(true, Ordering::Relaxed);
            (task.better)(&task.plan(routes.clone(), &[], "search".to_owned()));
        };
        if part.is_tour() && part.nodes() >= MANY_NODES && options.freeze.is_none() {
            // Even the prices that a search begins with take seconds here: somebody may want a tour meanwhile.
            let one = Effort { starts: Starts::AtMost(1), shuffles: 0, most: 1 };
            let plan = construct(part, one, options.seed, task.stop, &mut |_, _| ()).construction;
            if plan.unserved.is_empty() {
                (task.better)(&task.plan(plan.routes, &[], "construction: nearest".to_owned()));
            }
        }
        let is_worth_trying = !(may_leave_out && task.is_fleet_too_small);
        let outcome = is_worth_trying.then(|| improvement.run(&starts, &mut hear)).flatten();
        if let Some(outcome) = &outcome
            && let Some(routes) = &outcome.routes
        {
            let plan = task.plan(routes.clone(), &[], in_words(part, outcome));
            return Ok((plan, Some(Proof::of(outcome))));
        }
        // A plan that breaks something may break it for a few stops only.
        let broken = outcome.and_then(|outcome| outcome.broken);
        let mut starts: Vec<Routes> = broken.into_iter().chain(starts).collect();
        let selection = Selection { task, part, options: &options, allowance };
        let has_time = || may_leave_out && !(task.stop)();
        if let Some(freeze) = options.freeze.as_ref().filter(|freeze| freeze.holds_something()) {
            if let Some(found) =
                has_time().then(|| selection.run(std::slice::from_ref(&freeze.routes))).flatten()
            {
                return Ok(found);
            }
            let routes = freeze.beginnings(part).map_err(SolveError::Frozen)?;
            let placed = |stop: &usize| routes.iter().any(|route| route.contains(stop));
            let unserved: Vec<usize> = part.stops().filter(|stop| !placed(stop)).collect();
            let plan = task.plan(routes, &unserved, "the frozen beginnings".to_owned());
            let verdict = radar_check::check(task.whole, &plan.routes);
            if plan.approve(&verdict).is_err() {
                return Err(SolveError::Frozen("no way to go on from them was found".to_owned()));
            }
            return Ok((plan, None));
        }
        let soon = if has_time() { allowance.until(DRAFTED) } else { *allowance };
        let stop = || (task.stop)() || soon.is_over();
        let (drafted, plan) = self.construct(task, part, &stop);
        starts.push(drafted);
        Ok(has_time().then(|| selection.run(&starts)).flatten().unwrap_or((plan, None)))
    }

    /// The options in the numbers of the part that can be served, with the plan to start from.
    fn local_options(
        &self,
        task: &Task<'_>,
        part: &Instance,
        warm: Option<&Routes>,
    ) -> Result<Options, SolveError> {
        let mut options = self.options.clone();
        options.warm = warm.map(|routes| task.servable.restrict(routes));
        // A plan that is refused is named later on; here it is just not used.
        options.warm = options.warm.filter(|routes| warm::is_start(part, routes));
        if let Some(freeze) = &mut options.freeze {
            let beginnings = freeze.beginnings(task.whole).map_err(SolveError::Frozen)?;
            let kept = task.servable.restrict(&beginnings);
            if kept.iter().flatten().count() != beginnings.iter().flatten().count() {
                return Err(SolveError::Frozen("one of their stops can be served by no plan".to_owned()));
            }
            freeze.routes = task.servable.restrict(&freeze.routes);
        }
        Ok(options)
    }

    /// Frozen beginnings that break something besides leaving stops out.
    fn refuse_broken(&self, instance: &Instance, beginnings: &Routes) -> Result<(), SolveError> {
        let routes = Routes(beginnings.iter().filter(|route| !route.is_empty()).cloned().collect());
        let verdict = radar_check::check(instance, &routes);
        let mut faults =
            verdict.violations.iter().filter(|violation| violation.clause != Clause::MissingStop);
        // What only the way back breaks, the stops that follow may mend.
        let is_way_back = |violation: &Violation| violation.node.is_none_or(|node| node == 0);
        match faults.find(|violation| !is_way_back(violation)) {
            Some(fault) => Err(SolveError::Frozen(fault.to_string())),
            None => Ok(()),
        }
    }

    /// The best construction of what can be served, in the numbers of the part and of the whole.
    fn construct(&self, task: &Task<'_>, part: &Instance, stop: Stop<'_>) -> (Routes, Plan) {
        let mut hear = |construction: &Construction, maker: radar_rollout::Method| {
            let Construction { routes, unserved } = construction.clone();
            (task.better)(&task.plan(routes, &unserved, format!("construction: {maker}")));
        };
        let best = construct(part, self.effort(part), self.options.seed, stop, &mut hear);
        let Construction { routes, unserved } = best.construction;
        let method = format!("construction: {}, best of {}", best.method, best.tried);
        (routes.clone(), task.plan(routes, &unserved, method))
    }

    /// How much construction tries: what the options say, within the budget's steps.
    fn effort(&self, instance: &Instance) -> Effort {
        let mut effort = Effort::modest(instance);
        if let Some(starts) = self.options.starts {
            effort.starts = Starts::AtMost(starts);
        }
        if let Some(steps) = self.options.budget.steps {
            effort.most = usize::try_from(steps).unwrap_or(usize::MAX);
        }
        effort
    }

    /// How many vehicles a complete plan was found for, when the fleet is the obstacle.
    fn vehicles_needed(
        &self,
        instance: &Instance,
        findings: &[Finding],
        allowance: &Allowance<'_>,
    ) -> Option<usize> {
        instance.vehicles()?;
        if self.options.freeze.as_ref().is_some_and(Freeze::holds_something) {
            return None;
        }
        let free = instance.clone().with_vehicles(None);
        let servable = Restriction::of(&free, findings);
        let part = servable.instance.as_ref()?;
        let stop = || allowance.is_over();
        if servable.left_out(&free).next().is_none()
            && let Some(fewest) = exact::fewest_vehicles(part, &stop)
        {
            return Some(fewest);
        }
        let task = Task::new(&free, &servable, findings, &stop, &|_| ());
        // A time limit that is over leaves time for the quickest constructors all the same, where they are quick.
        const QUICK: usize = 200;
        let rescue = || {
            let (is_over, never) = (stop(), || false);
            let (effort, stop): (Effort, Stop<'_>) = match is_over {
                true if part.nodes() > QUICK => return None,
                true => (Effort { most: 3, ..self.effort(part) }, &never),
                false => (self.effort(part), &stop),
            };
            let best = construct(part, effort, self.options.seed, stop, &mut |_, _| ()).construction;
            best.unserved.is_empty().then_some(best.routes)
        };
        let options = Options { warm: None, freeze: None, searches: 1, ..self.options.clone() };
        let (prior, nodes) = (None, servable.nodes());
        let improvement =
            Improvement { options: &options, instance: part, pace: allowance, prior, nodes, rescue: &rescue };
        let found = improvement.run(&[], &mut |_| ()).and_then(|outcome| outcome.routes);
        let plan = task.plan(found.or_else(rescue)?, &[], String::new());
        (plan.unserved.is_empty() && radar_check::check(&free, &plan.routes).feasible())
            .then_some(plan.routes.len())
    }
}

/// Whether a problem is so small that steps end its search, however much time there is.
fn is_clockless(servable: &Restriction, budget: Budget) -> bool {
    budget.steps.is_none() && servable.instance.as_ref().is_some_and(|part| exhausting_steps(part).is_some())
}

/// From how many nodes on a tour is told of before its search begins.
const MANY_NODES: usize = 5000;
/// By when a complete plan of another making must be there, as a share of the budget.
const RESCUE: f64 = 0.4;
/// What share of the budget goes to how many vehicles would be enough, where there is no plan for those given.
const COUNTING: f64 = 0.1;
/// By when construction must have a plan for the search of whom to serve to start from, likewise.
const DRAFTED: f64 = 0.6;
