//! Solomon's text format: customers in the plane.
//!
//! The format has no matrix, so a problem is written only when its distances are those that the
//! reader computes from its points.

use std::fmt::Write;

use radar_problem::{Kind, Problem};

use super::express::{cannot, only, refuse_others, shapely, sound};
use super::number::Plain;
use crate::FormatError;
use crate::read::solomon::length;

const FORMAT: &str = "solomon";

pub(super) fn problem(problem: &Problem) -> Result<Vec<u8>, FormatError> {
    only(FORMAT, problem, Kind::Vrp, "tsplib")?;
    let can = ["demand", "capacity", "windows", "service", "vehicles", "points", "ids"];
    refuse_others(FORMAT, problem, &can)?;
    sound(problem)?;
    shapely(problem)?;
    let (Some(points), Some(windows), Some(demand), Some(capacity)) =
        (&problem.points, &problem.windows, &problem.demand, problem.capacity)
    else {
        return Err(cannot(FORMAT, "a problem without points, windows, demand or capacity"));
    };
    if let Some((from, to)) = off_plane(problem, points) {
        return Err(cannot(
            FORMAT,
            &format!("the distance from {from} to {to}, which is not that of the points"),
        ));
    }
    if let Some(node) = windows.iter().position(|window| window[1] == f64::INFINITY) {
        return Err(cannot(FORMAT, &format!("that the window of node {node} never closes")));
    }
    // A fleet of one vehicle per stop never binds, which is what an absent number says.
    let vehicles = problem.vehicles.unwrap_or(problem.nodes().saturating_sub(1));
    let name: String =
        problem.name.iter().flat_map(|name| name.split_whitespace()).collect::<Vec<_>>().join(" ");
    let name = if name.is_empty() { "unnamed" } else { &name };
    let mut text = format!("{name}\n\nVEHICLE\nNUMBER     CAPACITY\n{vehicles} {}\n\n", Plain(capacity));
    text.push_str("CUSTOMER\nCUST NO.  XCOORD.  YCOORD.  DEMAND  READY TIME  DUE DATE  SERVICE TIME\n\n");
    for node in 0..problem.nodes() {
        let number = number(problem, node)?;
        let [y, x] = points[node];
        let [open, close] = windows[node];
        let service = problem.service.as_ref().map_or(0.0, |service| service[node]);
        let numbers = [x, y, demand[node], open, close, service].map(|value| Plain(value).to_string());
        let _ = writeln!(text, "{number} {}", numbers.join(" "));
    }
    Ok(text.into_bytes())
}

/// The first pair whose distance is not that of its points.
fn off_plane(problem: &Problem, points: &[[f64; 2]]) -> Option<(usize, usize)> {
    let nodes = problem.nodes();
    let pairs = (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to)));
    pairs
        .into_iter()
        .find(|&(from, to)| from != to && problem.distance.at(from, to) != length(points[from], points[to]))
}

/// The customer's number: its id, which must then be a number, or its index.
fn number(problem: &Problem, node: usize) -> Result<String, FormatError> {
    let id = problem.id(node);
    let plain = !id.is_empty() && id.len() < 10 && id.bytes().all(|byte| byte.is_ascii_digit());
    let canonical = plain && (id == "0" || !id.starts_with('0'));
    match canonical {
        true => Ok(id),
        false => Err(cannot(FORMAT, &format!("the id `{id}`, which is no number"))),
    }
}
