//! Our own JSON: one problem, or one per line.

use std::fmt::Write;

use radar_problem::{Problem, Table};

use super::express::{cannot, sound};
use super::number::{Json, stated};
use crate::FormatError;
use crate::read::json::VERSION;

/// One problem, a line per key and per row of a matrix.
pub(super) fn problem(problem: &Problem) -> Result<Vec<u8>, FormatError> {
    let mut text = object(problem, "\n")?;
    text.push('\n');
    Ok(text.into_bytes())
}

/// One problem per line.
pub(super) fn lines(problems: &[Problem]) -> Result<Vec<u8>, FormatError> {
    if problems.is_empty() {
        return Err(cannot("json-lines", "an empty set"));
    }
    let mut text = String::new();
    for problem in problems {
        text.push_str(&object(problem, "")?);
        text.push('\n');
    }
    Ok(text.into_bytes())
}

/// The object, with `newline` between keys and between rows.
fn object(problem: &Problem, newline: &str) -> Result<String, FormatError> {
    sound(problem)?;
    let mut keys = Keys { text: String::new(), newline };
    keys.add("version", VERSION);
    keys.add("kind", quoted(crate::kind_name(problem.kind)));
    keys.add("distance", table(&problem.distance, newline));
    keys.maybe("duration", problem.duration.as_ref().map(|duration| table(duration, newline)));
    keys.maybe("demand", problem.demand.as_deref().map(numbers));
    keys.maybe("backhaul", problem.backhaul.as_deref().map(numbers));
    keys.maybe("capacity", problem.capacity.map(Json));
    keys.maybe("windows", problem.windows.as_deref().map(pairs));
    keys.maybe("service", problem.service.as_deref().map(numbers));
    keys.maybe("limit", problem.limit.map(Json));
    keys.maybe("max_duration", problem.max_duration.map(Json));
    keys.maybe("open", problem.open.then_some(true));
    keys.maybe("vehicles", problem.vehicles);
    keys.maybe("priority", problem.priority.as_deref().map(numbers));
    keys.maybe("points", problem.points.as_deref().map(pairs));
    keys.maybe("ids", problem.ids.as_ref().map(|ids| list(ids.iter().map(|id| quoted(id)))));
    let units = [("distance", &problem.units.distance), ("duration", &problem.units.duration)];
    let named: Vec<String> = (units.into_iter())
        .filter_map(|(key, unit)| Some(format!("{}:{}", quoted(key), quoted(unit.as_ref()?))))
        .collect();
    keys.maybe("units", (!named.is_empty()).then(|| format!("{{{}}}", named.join(","))));
    Ok(keys.text + newline + "}")
}

struct Keys<'a> {
    text: String,
    newline: &'a str,
}

impl Keys<'_> {
    fn add(&mut self, key: &str, value: impl std::fmt::Display) {
        let before = if self.text.is_empty() { '{' } else { ',' };
        let _ = write!(self.text, "{before}{}\"{key}\":{value}", self.newline);
    }

    fn maybe(&mut self, key: &str, value: Option<impl std::fmt::Display>) {
        if let Some(value) = value {
            self.add(key, value);
        }
    }
}

fn table(table: &Table, newline: &str) -> String {
    let mut text = String::from("[");
    let mut values = table.iter();
    for (row, &length) in table.lengths().iter().enumerate() {
        let comma = if row == 0 { "" } else { "," };
        let cells = values.by_ref().take(length).map(|value| Json(stated(table, value)));
        let _ = write!(text, "{comma}{newline}{}", list(cells));
    }
    text + "]"
}

fn numbers(values: &[f64]) -> String {
    list(values.iter().map(|&value| Json(value)))
}

fn pairs(pairs: &[[f64; 2]]) -> String {
    list(pairs.iter().map(|&[first, second]| format!("[{},{}]", Json(first), Json(second))))
}

fn list(items: impl Iterator<Item = impl std::fmt::Display>) -> String {
    let mut text = String::from("[");
    for (index, item) in items.enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(text, "{comma}{item}");
    }
    text + "]"
}

/// A string of JSON.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
