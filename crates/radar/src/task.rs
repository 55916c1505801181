//! What a solve works on, and what it may claim.

use radar_check::Verdict;
use radar_problem::{Code, Finding, Instance, Routes};
use radar_rollout::Stop;
use radar_search::{EdgePrior, Outcome};

use crate::plan::Plan;
use crate::restrict::Restriction;

/// What is solved, whole and in part, and whom to tell.
pub(crate) struct Task<'a> {
    pub whole: &'a Instance,
    pub servable: &'a Restriction,
    pub stop: Stop<'a>,
    pub better: &'a dyn Fn(&Plan),
    /// Hears of lower bounds, in scaled units.
    pub bounded: &'a (dyn Fn(i64) + Sync),
    /// Beliefs about the arcs of the whole.
    pub prior: Option<&'a dyn EdgePrior>,
    /// Whether there may be no complete plan of the part that can be served.
    pub may_fail: bool,
    /// Whether there is none because of the fleet.
    pub is_fleet_too_small: bool,
}

impl<'a> Task<'a> {
    pub fn new(
        whole: &'a Instance,
        servable: &'a Restriction,
        findings: &[Finding],
        stop: Stop<'a>,
        better: &'a dyn Fn(&Plan),
    ) -> Self {
        let has = |codes: &[Code]| findings.iter().any(|finding| codes.contains(&finding.code));
        // Where a stop cannot be visited alone, it may not be possible at all.
        let is_indirect = has(&[Code::DirectMissing, Code::DirectLong, Code::DirectLate]);
        let may_fail = whole.vehicles().is_some() || whole.has_missing_arcs() || is_indirect;
        let is_fleet_too_small = has(&[Code::FleetTooSmall]);
        Self { whole, servable, stop, better, bounded: &|_| (), prior: None, may_fail, is_fleet_too_small }
    }

    /// A plan of the part that can be served, in the numbers of the whole.
    pub fn plan(&self, routes: Routes, unserved: &[usize], method: String) -> Plan {
        let missed = unserved.iter().map(|&stop| self.servable.original(stop));
        let mut unserved: Vec<usize> = self.servable.left_out(self.whole).chain(missed).collect();
        unserved.sort_unstable();
        let routes = self.servable.restore(routes);
        Plan {
            routes: Routes(routes.0.into_iter().filter(|route| !route.is_empty()).collect()),
            unserved,
            method,
            model: None,
        }
    }

    /// The plan when nothing can be served.
    pub fn nothing(&self) -> Plan {
        self.plan(Routes::default(), &[], "nothing can be served".to_owned())
    }
}

/// What a search proved, in scaled units.
#[derive(Clone, Copy)]
pub(crate) struct Proof {
    pub bound: i64,
    pub optimal: bool,
    pub nodes: Option<u64>,
}

impl Proof {
    pub fn of(outcome: &Outcome) -> Self {
        Self { bound: outcome.bound, optimal: outcome.optimal, nodes: outcome.proof_nodes }
    }

    /// What a bound says about a plan that no search has made.
    pub fn by_bound(bound: i64, verdict: &Verdict) -> Self {
        Self { bound, optimal: verdict.scaled_cost.is_some_and(|cost| cost <= bound), nodes: None }
    }
}

/// How a plan was found. What is proved of rounded costs is not proved of the stated ones.
pub(crate) fn in_words(instance: &Instance, outcome: &Outcome) -> String {
    let costs = if instance.cost_scale().is_exact() { "" } else { " for the rounded costs" };
    match (outcome.optimal, outcome.proof_nodes) {
        (true, Some(nodes)) => format!("search, proved optimal{costs} in {nodes} nodes"),
        (true, None) => format!("search, proved optimal{costs} by its bound"),
        (false, _) => format!("search: {} steps", outcome.steps),
    }
}
