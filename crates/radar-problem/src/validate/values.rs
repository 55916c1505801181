//! Values one by one: numbers, signs, ranges.

use std::collections::BTreeSet;

use super::{Listed, Surveys};
use crate::finding::{Code, Finding};
use crate::problem::Problem;
use crate::scale::Survey;
use crate::table::Table;
use crate::words::clock;

/// Where an infinite value is allowed.
#[derive(Clone, Copy, PartialEq)]
enum Infinite {
    Allowed,
    Refused,
}

pub(super) fn examine(problem: &Problem, surveys: &Surveys, findings: &mut Vec<Finding>) {
    matrix("distance", &problem.distance, &surveys.distance, findings);
    if let (Some(duration), Some(survey)) = (&problem.duration, &surveys.duration) {
        matrix("duration", duration, survey, findings);
    }
    let per_node = [
        ("demand", &problem.demand),
        ("backhaul", &problem.backhaul),
        ("service", &problem.service),
        ("priority", &problem.priority),
    ];
    for (key, list) in per_node {
        let Some(list) = list else { continue };
        let place = |node: usize| format!("{key}[{node}]");
        numbers(list.iter().copied().enumerate(), place, |node| vec![node], Infinite::Refused, findings);
        if key != "priority" && list.first().is_some_and(|&depot| depot != 0.0) {
            findings.push(
                Finding::new(
                    Code::DepotNotZero,
                    format!("{key}[0] is {}, but node 0 is the depot", list[0]),
                    format!("set {key}[0] to 0; stops begin at index 1"),
                )
                .about([0]),
            );
        }
    }
    both_amounts(problem, findings);
    capacity(problem, findings);
    windows(problem, findings);
    for (key, value) in [("limit", problem.limit), ("max_duration", problem.max_duration)] {
        let place = |_: usize| key.to_owned();
        numbers(value.into_iter().enumerate(), place, |_| vec![], Infinite::Refused, findings);
    }
    points(problem, findings);
}

fn matrix(key: &str, table: &Table, survey: &Survey, findings: &mut Vec<Finding>) {
    if !table.is_square() {
        // Indices mean nothing yet, but a value that is no number is worth saying all the same.
        let place = |at: usize| format!("{key}, value {at} in row order");
        return numbers(table.iter().enumerate(), place, |_| vec![], Infinite::Allowed, findings);
    }
    let nodes = table.rows();
    let diagonal = (0..nodes).all(|node| table.at(node, node) == 0.0);
    if diagonal && survey.sound {
        return;
    }
    let place = |at: usize| format!("{key}[{}][{}]", at / nodes, at % nodes);
    let about = |at: usize| vec![at / nodes, at % nodes];
    // The diagonal is never a cost, whatever stands there.
    let off = table.off_diagonal().enumerate();
    // Number k off the diagonal comes k / n + 1 diagonal entries late.
    let whole = |at: usize| at + at / nodes + 1;
    numbers(off, |at| place(whole(at)), |at| about(whole(at)), Infinite::Allowed, findings);
    let mut odd = Listed::default();
    for node in (0..nodes).filter(|&node| table.at(node, node) != 0.0) {
        odd.add(|| format!("{key}[{node}][{node}] = {}", table.at(node, node)));
    }
    if !odd.is_empty() {
        let action = "nothing: the diagonal is never driven and is taken as 0";
        findings.push(Finding::new(Code::Diagonal, odd.to_string(), action));
    }
}

/// Reports what is no number, infinite (if refused) or negative: one finding per kind.
fn numbers(
    values: impl Iterator<Item = (usize, f64)>,
    place: impl Fn(usize) -> String,
    about: impl Fn(usize) -> Vec<usize>,
    infinite: Infinite,
    findings: &mut Vec<Finding>,
) {
    let kinds = [
        (Code::NotANumber, "replace it by a number; an unreachable pair of a matrix is null"),
        (Code::Infinite, "give a number, or leave the key out"),
        (Code::Negative, "costs, times and amounts are at least 0"),
    ];
    let mut found: [Listed; 3] = Default::default();
    let mut nodes: [BTreeSet<usize>; 3] = Default::default();
    for (at, value) in values {
        let kind = if value.is_nan() {
            0
        } else if value == f64::INFINITY && infinite == Infinite::Refused {
            1
        } else if value < 0.0 {
            2
        } else {
            continue;
        };
        found[kind].add(|| format!("{} is {value}", place(at)));
        nodes[kind].extend(about(at));
    }
    for (((code, action), found), nodes) in kinds.into_iter().zip(found).zip(nodes) {
        if !found.is_empty() {
            findings.push(Finding::new(code, found.to_string(), action).about(nodes));
        }
    }
}

fn both_amounts(problem: &Problem, findings: &mut Vec<Finding>) {
    let (Some(demand), Some(backhaul)) = (&problem.demand, &problem.backhaul) else { return };
    for (node, (&delivery, &pickup)) in demand.iter().zip(backhaul).enumerate() {
        if delivery > 0.0 && pickup > 0.0 {
            findings.push(
                Finding::new(
                    Code::BothAmounts,
                    format!("stop {node} receives {delivery} and hands over {pickup}"),
                    "split it into two stops, one that receives and one that hands over",
                )
                .about([node]),
            );
        }
    }
}

fn capacity(problem: &Problem, findings: &mut Vec<Finding>) {
    let place = |_: usize| "capacity".to_owned();
    numbers(problem.capacity.into_iter().enumerate(), place, |_| vec![], Infinite::Refused, findings);
    let amounts = [("demand", &problem.demand), ("backhaul", &problem.backhaul)];
    for (key, list) in amounts {
        if list.iter().flatten().any(|&amount| amount > 0.0) && problem.capacity.is_none() {
            findings.push(Finding::new(
                Code::CapacityMissing,
                format!("there is a {key}, but no capacity"),
                "say what a vehicle holds, in the same unit",
            ));
        }
    }
}

fn windows(problem: &Problem, findings: &mut Vec<Finding>) {
    let Some(windows) = &problem.windows else { return };
    let opens = windows.iter().map(|window| window[0]).enumerate();
    let place = |node: usize| format!("windows[{node}] opening");
    numbers(opens, place, |node| vec![node], Infinite::Refused, findings);
    let closes = windows.iter().map(|window| window[1]).enumerate();
    let place = |node: usize| format!("windows[{node}] closing");
    numbers(closes, place, |node| vec![node], Infinite::Allowed, findings);
    let is_clock = problem.units.duration.as_deref() == Some("s");
    let moment = |value: f64| match is_clock && value >= 0.0 && value.is_finite() {
        true => clock(value),
        false => value.to_string(),
    };
    for (node, &[open, close]) in windows.iter().enumerate() {
        if close < open {
            findings.push(
                Finding::new(
                    Code::WindowInverted,
                    format!(
                        "the window of node {node} opens at {} and closes at {}",
                        moment(open),
                        moment(close)
                    ),
                    "close no earlier than you open; for a window over midnight add a day to the close",
                )
                .about([node]),
            );
        }
    }
}

fn points(problem: &Problem, findings: &mut Vec<Finding>) {
    for (node, &[lat, lon]) in problem.points.iter().flatten().enumerate() {
        // Plane coordinates of benchmark files are welcome; only nonsense is not.
        if !lat.is_finite() || !lon.is_finite() {
            findings.push(
                Finding::new(
                    Code::BadPoint,
                    format!("points[{node}] is [{lat}, {lon}]"),
                    "give two numbers, latitude before longitude",
                )
                .about([node]),
            );
        }
    }
}
