//! The schedule as CSV: one row per visit, in the units of the problem.

use radar_problem::Problem;

use super::Answer;
use super::csv::sheet;
use super::number::Plain;
use crate::FormatError;

const HEADER: [&str; 9] = ["route", "position", "node", "id", "arrival", "wait", "start", "leave", "load"];

pub(super) fn write(problem: &Problem, answer: &Answer) -> Result<Vec<u8>, FormatError> {
    let mut rows: Vec<Vec<String>> = vec![HEADER.iter().map(|&name| name.to_owned()).collect()];
    for (index, route) in answer.schedule.iter().enumerate() {
        let mut position = 0;
        let mut row = |node: usize, id: &str, numbers: [f64; 5]| {
            let place = [(index + 1).to_string(), position.to_string(), node.to_string(), id.to_owned()];
            position += 1;
            rows.push(place.into_iter().chain(numbers.map(|value| Plain(value).to_string())).collect());
        };
        // The depot stands before and, where vehicles come back, after the stops; a tour's own
        // first visit is its start.
        let depot = problem.id(0);
        if route.stops.first().is_some_and(|stop| stop.node != 0) {
            row(0, &depot, [route.departure, 0.0, route.departure, route.departure, route.delivered]);
        }
        for stop in &route.stops {
            row(stop.node, &stop.id, [stop.arrival, stop.wait, stop.start, stop.leave, stop.load]);
        }
        if let Some(back) = route.returns {
            row(0, &depot, [back, 0.0, back, back, route.picked_up]);
        }
    }
    sheet(rows)
}
