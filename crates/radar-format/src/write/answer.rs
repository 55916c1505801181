//! The answer: what was found, when every vehicle is where, and how it came about.

use std::collections::{BTreeMap, BTreeSet};

use radar_check::{RouteReport, Verdict};
use radar_problem::{Instance, Problem, Routes};
use serde::{Deserialize, Serialize};

use crate::FormatError;

/// What the caller knows about an answer besides the plan.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// How the plan was found.
    pub method: String,
    /// The model that helped, if one did.
    pub model: Option<String>,
    /// The seed of all random choices.
    pub seed: u64,
    /// A proved lower bound on the cost, if there is one.
    pub bound: Option<f64>,
    /// Whether the plan is proved to be optimal.
    pub optimal: bool,
    /// Seconds per phase.
    pub timings: BTreeMap<String, f64>,
    /// What is worth saying.
    pub warnings: Vec<Warning>,
    /// Why stops are not served, by node.
    pub reasons: BTreeMap<usize, Vec<String>>,
}

/// An answer with the keys of the wire form. Amounts of everything are in the units of the problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// What the plan costs; null when it uses an arc that cannot be driven.
    pub cost: Option<f64>,
    /// A proved lower bound on the cost.
    pub bound: Option<f64>,
    /// (cost - bound) / cost, 0 when the cost is 0.
    pub gap: Option<f64>,
    /// Whether the plan is proved to be optimal.
    pub optimal: bool,
    /// Nodes in visiting order, the depot left out; a tour is one list that starts at node 0.
    pub routes: Vec<Vec<usize>>,
    /// The same by id.
    pub route_ids: Vec<Vec<String>>,
    /// When each vehicle is where.
    pub schedule: Vec<RouteSchedule>,
    /// The stops that no route visits.
    pub unserved: Vec<Unserved>,
    /// How the plan was found.
    pub method: String,
    /// The model that helped, if one did.
    pub model: Option<String>,
    /// The seed of all random choices.
    pub seed: u64,
    /// Units of the integers inside per stated unit.
    pub scale: Scaling,
    /// Seconds per phase.
    pub timings: BTreeMap<String, f64>,
    /// What is worth saying.
    pub warnings: Vec<Warning>,
}

/// What one vehicle does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RouteSchedule {
    /// When it leaves.
    pub departure: f64,
    /// When it may leave at the latest without being later anywhere than is allowed; null when any
    /// time will do.
    pub latest_departure: Option<f64>,
    /// When it is back; null when routes are open or nothing is visited.
    #[serde(rename = "return")]
    pub returns: Option<f64>,
    /// When its work ends: on return, or on leaving the last stop of an open route.
    pub end: f64,
    /// The length driven.
    pub distance: f64,
    /// Travel, waiting and service.
    pub duration: f64,
    /// What it costs; null when it uses an arc that cannot be driven.
    pub cost: Option<f64>,
    /// All that is delivered.
    pub delivered: f64,
    /// All that is picked up.
    pub picked_up: f64,
    /// The visits in order.
    pub stops: Vec<Stop>,
}

/// One visit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// The index of the node.
    pub node: usize,
    /// Its id.
    pub id: String,
    /// When the vehicle arrives.
    pub arrival: f64,
    /// How long it waits for the window to open.
    pub wait: f64,
    /// When service starts.
    pub start: f64,
    /// When the vehicle leaves.
    pub leave: f64,
    /// What is on board when it leaves.
    pub load: f64,
}

/// A stop that no route visits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unserved {
    /// The index of the node.
    pub node: usize,
    /// Its id.
    pub id: String,
    /// Why.
    pub reasons: Vec<String>,
}

/// Units of the integers inside per stated unit, by quantity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scaling {
    /// Of distances.
    pub distance: f64,
    /// Of durations.
    pub duration: f64,
    /// Of amounts.
    pub amount: f64,
}

/// Something worth saying about an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Warning {
    /// Stable, for programs.
    pub code: String,
    /// For people.
    pub text: String,
}

impl Answer {
    /// Puts together what the checker found about a plan and what the caller knows of it. With
    /// unserved stops there is neither bound nor gap, and nothing is optimal.
    pub fn new(instance: &Instance, routes: &Routes, verdict: &Verdict, about: About) -> Self {
        let visited: BTreeSet<usize> = routes.iter().flatten().copied().collect();
        let unserved: Vec<Unserved> = (instance.stops().filter(|node| !visited.contains(node)))
            .map(|node| Unserved {
                node,
                id: instance.id(node),
                reasons: about.reasons.get(&node).cloned().unwrap_or_default(),
            })
            .collect();
        let complete = unserved.is_empty();
        let bound = about.bound.filter(|_| complete);
        let gap = verdict.cost.zip(bound).map(|(cost, bound)| radar_problem::gap(cost, bound));
        let scales = instance.scales();
        Self {
            cost: verdict.cost,
            bound,
            gap,
            optimal: about.optimal && complete,
            routes: routes.0.clone(),
            route_ids: routes
                .iter()
                .map(|route| route.iter().map(|&node| instance.id(node)).collect())
                .collect(),
            schedule: verdict.routes.iter().map(|report| schedule(instance, report)).collect(),
            unserved,
            method: about.method,
            model: about.model,
            seed: about.seed,
            scale: Scaling {
                distance: scales.distance.factor(),
                duration: scales.duration.factor(),
                amount: scales.amount.factor(),
            },
            timings: about.timings,
            warnings: about.warnings,
        }
    }
}

fn schedule(instance: &Instance, report: &RouteReport) -> RouteSchedule {
    let scales = instance.scales();
    let (time, amount) = (|value| scales.duration.undo(value), |value| scales.amount.undo(value));
    RouteSchedule {
        departure: time(report.departure),
        latest_departure: report.latest_departure.map(time),
        returns: report.returns.map(time),
        end: time(report.departure.saturating_add(report.duration)),
        distance: scales.distance.undo(report.distance),
        duration: time(report.duration),
        cost: report.cost,
        delivered: amount(report.delivered),
        picked_up: amount(report.picked_up),
        stops: (report.stops.iter())
            .map(|visit| Stop {
                node: visit.node,
                id: instance.id(visit.node),
                arrival: time(visit.arrival),
                wait: time(visit.wait),
                start: time(visit.start),
                leave: time(visit.leave),
                load: amount(visit.load),
            })
            .collect(),
    }
}

/// The answer as JSON; an answer needs nothing of its problem for that.
pub(super) fn write(_problem: &Problem, answer: &Answer) -> Result<Vec<u8>, FormatError> {
    let mut bytes = serde_json::to_vec_pretty(answer)
        .map_err(|error| FormatError::new("json-syntax", error.to_string(), "report this"))?;
    bytes.push(b'\n');
    Ok(bytes)
}
