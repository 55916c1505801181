//! From a solution to its written forms.

use radar::Solution;
use radar_format::Note;

use crate::failure::{Exit, Failure};

/// The solution in one of the formats of an answer.
pub fn bytes(solution: &Solution, notes: &[Note], format: &str) -> Result<Vec<u8>, Failure> {
    Ok(radar_wire::bytes(solution, notes, format)?)
}

/// The solution as one line of JSON.
pub fn json_line(solution: &Solution, notes: &[Note]) -> Result<Vec<u8>, Failure> {
    let mut line = serde_json::to_vec(&radar_wire::answer(solution, notes))
        .map_err(|error| Failure::new(Exit::Internal, "internal", error.to_string(), "please report it"))?;
    line.push(b'\n');
    Ok(line)
}
