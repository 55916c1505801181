//! VRPLIB solutions: `Route #1: 3 1 2` and the cost. Customers are numbered from 1, the depot being
//! 0, so the numbers are the indices of the matrix.

use std::fmt::Write;

use radar_problem::Problem;

use super::Answer;
use super::number::Plain;
use crate::FormatError;

pub(super) fn write(_problem: &Problem, answer: &Answer) -> Result<Vec<u8>, FormatError> {
    let mut text = String::new();
    for (index, route) in answer.routes.iter().enumerate() {
        let _ = write!(text, "Route #{}:", index + 1);
        // A tour starts at node 0, which is left out like a depot.
        for node in route.iter().filter(|&&node| node != 0) {
            let _ = write!(text, " {node}");
        }
        text.push('\n');
    }
    let cost = answer.cost.map_or_else(|| "inf".to_owned(), |cost| Plain(cost).to_string());
    let _ = writeln!(text, "Cost {cost}");
    Ok(text.into_bytes())
}
