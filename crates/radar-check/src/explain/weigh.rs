//! What a place would need, by the routes that change there: nothing else can become worse.

use radar_problem::{Instance, Routes};

use super::need::{Need, Tolerance};
use super::place::Place;
use super::select::Candidate;
use crate::clause::fleet;
use crate::schedule::RouteReport;
use crate::verdict::examine_route;

/// What changes with some routes.
#[derive(Clone, Default)]
struct Change {
    need: Need,
    /// The cost before and after, where all of it is defined.
    before: Option<i64>,
    after: Option<i64>,
    /// How many routes come into use, and how many fall out of it.
    begun: usize,
    ended: usize,
}

impl Change {
    fn nothing() -> Self {
        Self { before: Some(0), after: Some(0), ..Self::default() }
    }

    fn and(mut self, other: &Change) -> Self {
        let sum = |a: Option<i64>, b: Option<i64>| Some(a?.saturating_add(b?));
        self.need.include(&other.need);
        self.before = sum(self.before, other.before);
        self.after = sum(self.after, other.after);
        self.begun += other.begun;
        self.ended += other.ended;
        self
    }
}

/// Weighs places for one stop in one plan.
pub(super) struct Balance<'a> {
    instance: &'a Instance,
    stop: usize,
    routes: &'a Routes,
    tolerance: &'a Tolerance,
    /// The cost of each route, where it has one.
    costs: Vec<Option<i64>>,
    /// For each node the routes it is on, and what changes when it leaves them. Companions are
    /// tried in pairs, so this is worth knowing once.
    absences: Vec<(Vec<usize>, Change)>,
}

impl<'a> Balance<'a> {
    pub fn new(
        instance: &'a Instance,
        stop: usize,
        routes: &'a Routes,
        reports: &[RouteReport],
        tolerance: &'a Tolerance,
    ) -> Self {
        let costs = reports.iter().map(|report| report.scaled_cost).collect();
        let mut balance = Self { instance, stop, routes, tolerance, costs, absences: vec![] };
        balance.absences = (0..instance.nodes()).map(|node| balance.absence(node)).collect();
        balance
    }

    /// What putting the stop there needs and costs.
    pub fn weigh(&self, place: Place) -> Candidate {
        let change = match place {
            Place::NewRoute { before, after } if self.apart(before, after) => {
                let companions = before.into_iter().chain(after).map(|node| &self.absences[node].1);
                let nodes: Vec<usize> = before.into_iter().chain([self.stop]).chain(after).collect();
                companions.fold(self.change(self.routes.len(), &nodes), Change::and)
            }
            _ => self.changes(place.changes(self.stop, self.routes)),
        };
        let used = self.routes.iter().filter(|nodes| !nodes.is_empty()).count();
        let mut crowd = Vec::new();
        fleet::examine_count(self.instance, used + change.begun - change.ended, &mut crowd);
        let mut need = change.need;
        need.include(&self.tolerance.need(&crowd));
        let added = change.after.zip(change.before).map(|(after, before)| after - before);
        Candidate { place, need, added }
    }

    /// Whether two companions leave different routes, so that their absences add up.
    fn apart(&self, before: Option<usize>, after: Option<usize>) -> bool {
        let (Some(before), Some(after)) = (before, after) else { return true };
        let other = &self.absences[after].0;
        self.absences[before].0.iter().all(|route| !other.contains(route))
    }

    fn absence(&self, node: usize) -> (Vec<usize>, Change) {
        let left = self.routes.iter().enumerate().filter(|(_, nodes)| nodes.contains(&node));
        let left: Vec<(usize, Vec<usize>)> = left
            .map(|(route, nodes)| (route, nodes.iter().copied().filter(|&other| other != node).collect()))
            .collect();
        (left.iter().map(|(route, _)| *route).collect(), self.changes(left))
    }

    fn changes(&self, changed: Vec<(usize, Vec<usize>)>) -> Change {
        let each = changed.iter().map(|(route, nodes)| self.change(*route, nodes));
        each.fold(Change::nothing(), |sum, change| sum.and(&change))
    }

    /// What changes when a route becomes `nodes`.
    fn change(&self, route: usize, nodes: &[usize]) -> Change {
        let mut breaches = Vec::new();
        let report = examine_route(self.instance, route, nodes, &mut breaches);
        Change {
            need: self.tolerance.need(&breaches),
            before: self.costs.get(route).copied().unwrap_or(Some(0)),
            after: report.scaled_cost,
            begun: usize::from(route == self.routes.len()),
            ended: usize::from(nodes.is_empty()),
        }
    }
}
