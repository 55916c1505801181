//! A picture of a plan: on the ground when the points are known, else along time.

mod bars;
mod canvas;
mod legend;
mod map;
pub(super) mod palette;

use radar_problem::{Kind, Problem};

use super::Answer;
use super::express::shapely;
use super::number::rounded;
use crate::FormatError;

pub(super) fn write(problem: &Problem, answer: &Answer) -> Result<Vec<u8>, FormatError> {
    shapely(problem)?;
    let nodes = answer.schedule.iter().flat_map(|route| route.stops.iter().map(|stop| stop.node));
    if let Some(node) = nodes.clone().find(|&node| node >= problem.nodes()) {
        let cause = format!("the answer visits node {node} of a problem of {} nodes", problem.nodes());
        return Err(FormatError::new("unknown-node", cause, "give the problem that was answered"));
    }
    Ok(match &problem.points {
        Some(points) => map::draw(problem, points, answer),
        None => bars::draw(problem, answer),
    })
}

/// What the picture is of, in one line.
fn title(problem: &Problem, answer: &Answer) -> String {
    let what = match problem.kind {
        Kind::Atsp => "Tour".to_owned(),
        Kind::Vrp => match answer.schedule.iter().filter(|route| !route.stops.is_empty()).count() {
            1 => "1 route".to_owned(),
            count => format!("{count} routes"),
        },
    };
    let name = problem.name.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
    let cost = answer.cost.map(|cost| format!(", cost {}", figure(cost, None))).unwrap_or_default();
    let left = match answer.unserved.len() {
        0 => String::new(),
        count => format!(", {count} not served"),
    };
    format!("{name}{what}{cost}{left}")
}

/// A number for people, with its unit.
fn figure(value: f64, unit: Option<&str>) -> String {
    let digits = match value.abs() {
        magnitude if magnitude >= 1000.0 => 0,
        magnitude if magnitude >= 10.0 => 1,
        _ => 3,
    };
    let number = rounded(value, digits);
    unit.map_or(number.clone(), |unit| format!("{number} {unit}"))
}
