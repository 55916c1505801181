//! Sizes: square matrices, lists of one entry per node, what may stand together.

use std::collections::BTreeMap;

use super::Listed;
use crate::finding::{Code, Finding};
use crate::problem::{Kind, Problem};
use crate::table::Table;

pub(super) fn examine(problem: &Problem, findings: &mut Vec<Finding>) {
    let nodes = problem.nodes();
    match (problem.kind, nodes) {
        (_, 0) => findings.push(Finding::new(
            Code::EmptyProblem,
            "the distance matrix has no rows",
            "give at least one node (a tour) or a depot and one stop (routes)",
        )),
        (Kind::Vrp, 1) => findings.push(Finding::new(
            Code::EmptyProblem,
            "there is a depot (node 0) and no stop",
            "add the stops as further rows and columns of the matrix",
        )),
        _ => {}
    }
    square("distance", &problem.distance, findings);
    if let Some(duration) = &problem.duration {
        square("duration", duration, findings);
        if duration.rows() != nodes {
            findings.push(Finding::new(
                Code::SizeMismatch,
                format!("duration has {} rows, distance has {nodes}", duration.rows()),
                "ask the routing engine for both tables with the same points",
            ));
        }
    }
    for (key, length) in problem.list_lengths() {
        if length != nodes {
            findings.push(Finding::new(
                Code::WrongLength,
                format!("{key} has {length} entries for {nodes} nodes"),
                format!("give one entry of {key} per node, the depot (node 0) included"),
            ));
        }
    }
    duplicate_ids(problem, findings);
    if problem.vehicles == Some(0) {
        findings.push(Finding::new(
            Code::NoVehicles,
            "vehicles is 0",
            "give the number of vehicles, or leave it out for as many as are needed",
        ));
    }
    if problem.kind == Kind::Atsp {
        tour(problem, findings);
    }
}

fn square(key: &str, table: &Table, findings: &mut Vec<Finding>) {
    if table.is_square() {
        return;
    }
    let rows = table.rows();
    let mut odd = Listed::default();
    for (row, &length) in table.lengths().iter().enumerate().filter(|&(_, &length)| length != rows) {
        odd.add(|| format!("row {row} has {length}"));
    }
    let cause = match odd.is_empty() {
        true => format!("{key} has {rows} rows and {} values", table.count()),
        false => format!("{key} has {rows} rows, but {odd} values"),
    };
    findings.push(Finding::new(
        Code::NotSquare,
        cause,
        "give one row and one column per node: row = from, column = to",
    ));
}

fn duplicate_ids(problem: &Problem, findings: &mut Vec<Finding>) {
    let mut bearers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (node, id) in problem.ids.iter().flatten().enumerate() {
        bearers.entry(id).or_default().push(node);
    }
    for (id, nodes) in bearers {
        if nodes.len() > 1 {
            let mut list = Listed::default();
            nodes.iter().for_each(|node| list.add(|| node.to_string()));
            findings.push(
                Finding::new(
                    Code::DuplicateId,
                    format!("id `{id}` belongs to nodes {list}"),
                    "give every node an id of its own",
                )
                .about(nodes),
            );
        }
    }
}

/// A tour is declared, and then has nothing that only routes have.
fn tour(problem: &Problem, findings: &mut Vec<Finding>) {
    let present = [
        ("demand", problem.demand.is_some()),
        ("backhaul", problem.backhaul.is_some()),
        ("capacity", problem.capacity.is_some()),
        ("windows", problem.windows.is_some()),
        ("service", problem.service.is_some()),
        ("limit", problem.limit.is_some()),
        ("max_duration", problem.max_duration.is_some()),
        ("open", problem.open),
        ("vehicles", problem.vehicles.is_some()),
    ];
    let named: Vec<String> = present.iter().filter(|(_, is)| *is).map(|(key, _)| (*key).to_owned()).collect();
    if !named.is_empty() {
        findings.push(Finding::new(
            Code::TourWithRouteFeature,
            format!("the kind is atsp, but there is {}", named.join(", ")),
            "declare kind vrp (with vehicles 1 for a single route), or leave these out",
        ));
    }
}
