//! The verdict on a plan.

use radar_problem::{Instance, Routes};

use crate::clause::{self, Breach, Violation};
use crate::schedule::{RouteReport, drive};
use crate::trip::Trip;

/// What a plan costs, what each route does, and everything that is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The cost in stated units: the routes' costs, summed in order. `None` when an arc has none.
    pub cost: Option<f64>,
    /// The cost in scaled units.
    pub scaled_cost: Option<i64>,
    /// One report per stated route, empty ones included.
    pub routes: Vec<RouteReport>,
    /// Every violated clause, those of the whole plan first, then route by route.
    pub violations: Vec<Violation>,
}

impl Verdict {
    /// Whether the plan is valid.
    pub fn feasible(&self) -> bool {
        self.violations.is_empty()
    }
}

/// Judges any plan. Routes may name nodes that do not exist, repeat themselves or be empty; an
/// empty route is legal and uses no vehicle.
pub fn check(instance: &Instance, routes: &Routes) -> Verdict {
    let (reports, breaches) = examine(instance, routes);
    let cost = reports.iter().try_fold(0.0, |sum, report| Some(sum + report.cost?));
    let scaled_cost =
        reports.iter().try_fold(0_i64, |sum, report| Some(sum.saturating_add(report.scaled_cost?)));
    let violations = breaches.into_iter().map(|breach| Violation::new(instance, breach)).collect();
    Verdict { cost, scaled_cost, routes: reports, violations }
}

/// What each route does, and everything that is wrong, before words are found for it.
pub(crate) fn examine(instance: &Instance, routes: &Routes) -> (Vec<RouteReport>, Vec<Breach>) {
    let mut breaches = Vec::new();
    clause::examine_plan(instance, routes, &mut breaches);
    let reports = (routes.iter().enumerate())
        .map(|(index, nodes)| examine_route(instance, index, nodes, &mut breaches))
        .collect();
    (reports, breaches)
}

/// Judges one route by the clauses that concern a route alone.
pub(crate) fn examine_route(
    instance: &Instance,
    index: usize,
    nodes: &[usize],
    breaches: &mut Vec<Breach>,
) -> RouteReport {
    let trip = Trip::new(instance, index, nodes);
    let report = drive(&trip);
    clause::examine_route(&trip, &report, breaches);
    report
}
