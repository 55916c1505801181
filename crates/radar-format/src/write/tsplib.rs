//! TSPLIB: one tour.

use std::fmt::Write;

use radar_problem::{Kind, Problem, Table};

use super::express::{only, refuse_others, shapely, sound};
use super::json::quoted;
use super::number::{Plain, stated};
use crate::FormatError;

/// Writes `TYPE : ATSP` with a full matrix.
pub(super) fn problem(problem: &Problem) -> Result<Vec<u8>, FormatError> {
    only("tsplib", problem, Kind::Atsp, "vrplib")?;
    refuse_others("tsplib", problem, &["points", "ids"])?;
    sound(problem)?;
    shapely(problem)?;
    let mut text = header(problem, "ATSP");
    explicit(&mut text);
    coordinates(&mut text, problem);
    matrix(&mut text, "EDGE_WEIGHT_SECTION", &problem.distance);
    text.push_str("EOF\n");
    Ok(text.into_bytes())
}

/// The lines that every file begins with. What only describes goes into comments.
pub(super) fn header(problem: &Problem, kind: &str) -> String {
    let mut text = String::new();
    if let Some(name) = &problem.name {
        let line: String =
            name.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        let _ = writeln!(text, "NAME : {}", line.trim());
    }
    let units = [("distance", &problem.units.distance), ("duration", &problem.units.duration)];
    let named: Vec<String> = (units.into_iter())
        .filter_map(|(key, unit)| Some(format!("{}:{}", quoted(key), quoted(unit.as_ref()?))))
        .collect();
    if !named.is_empty() {
        let _ = writeln!(text, "COMMENT : radar units {{{}}}", named.join(","));
    }
    if let Some(ids) = &problem.ids {
        let ids: Vec<String> = ids.iter().map(|id| quoted(id)).collect();
        let _ = writeln!(text, "COMMENT : radar ids [{}]", ids.join(","));
    }
    let _ = writeln!(text, "TYPE : {kind}\nDIMENSION : {}", problem.nodes());
    text
}

/// The keys of a full matrix.
pub(super) fn explicit(text: &mut String) {
    text.push_str("EDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : FULL_MATRIX\n");
}

/// Longitude before latitude, as x before y.
pub(super) fn coordinates(text: &mut String, problem: &Problem) {
    let Some(points) = &problem.points else { return };
    text.push_str("NODE_COORD_SECTION\n");
    for (node, &[lat, lon]) in points.iter().enumerate() {
        let _ = writeln!(text, "{} {} {}", node + 1, Plain(lon), Plain(lat));
    }
}

/// A section of n² numbers; the diagonal, which is never a cost, is 0.
pub(super) fn matrix(text: &mut String, section: &str, table: &Table) {
    let _ = writeln!(text, "{section}");
    for from in 0..table.rows() {
        for to in 0..table.rows() {
            let value = if from == to { 0.0 } else { stated(table, table.at(from, to)) };
            let blank = if to == 0 { "" } else { " " };
            let _ = write!(text, "{blank}{}", Plain(value));
        }
        text.push('\n');
    }
}
