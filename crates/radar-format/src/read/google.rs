//! Google Distance Matrix answers: seconds and metres, and a status for every pair.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::engine::{self, Answer, Rows, parsed, refused};
use super::{Given, Loaded, Note, Reader};
use crate::FormatError;

pub(super) static READER: Reader = Reader { name: "google", recognises, read };

#[derive(Deserialize)]
struct Matrix {
    status: Option<String>,
    error_message: Option<String>,
    #[serde(default)]
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    elements: Vec<Element>,
}

#[derive(Deserialize)]
struct Element {
    status: String,
    duration: Option<Measure>,
    distance: Option<Measure>,
    #[serde(default, deserialize_with = "present")]
    duration_in_traffic: bool,
}

#[derive(Deserialize)]
struct Measure {
    value: f64,
}

/// Whether there is something, whatever it is.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    serde::de::IgnoredAny::deserialize(deserializer).map(|_| true)
}

fn recognises(_name: Option<&str>, bytes: &[u8]) -> bool {
    let keys = engine::top_keys(bytes);
    let has = |key: &[u8]| keys.contains(&key);
    has(b"rows") || (has(b"status") && has(b"error_message"))
}

fn read(bytes: &[u8], given: &Given) -> Result<Loaded, FormatError> {
    let matrix: Matrix = parsed(bytes)?;
    if let Some(status) = matrix.status.filter(|status| status != "OK") {
        let message = matrix.error_message.unwrap_or_default();
        return Err(refused("Google", format_args!("`{status}` {message}")));
    }
    let (mut durations, mut distances) = (Rows::default(), Rows::default());
    let (mut failed, mut in_traffic) = (BTreeMap::<&str, usize>::new(), false);
    for (from, row) in matrix.rows.iter().enumerate() {
        for (to, element) in row.elements.iter().enumerate() {
            match element.status.as_str() {
                "OK" if element.duration.is_some() && element.distance.is_some() => {}
                "OK" => return Err(incomplete(from, to)),
                // The three that say there is no way; others are failures of the request.
                status @ ("ZERO_RESULTS" | "NOT_FOUND" | "MAX_ROUTE_LENGTH_EXCEEDED") => {
                    *failed.entry(status).or_default() += 1;
                }
                status => {
                    return Err(refused("Google", format_args!("`{status}` in rows[{from}].elements[{to}]")));
                }
            }
            in_traffic |= element.duration_in_traffic;
        }
        // What is stated beside a failure is not a way.
        let measured = |pick: fn(&Element) -> &Option<Measure>| {
            row.elements.iter().map(move |element| match (element.status.as_str(), pick(element)) {
                ("OK", Some(measure)) => measure.value,
                _ => f64::INFINITY,
            })
        };
        durations.push(measured(|element| &element.duration));
        distances.push(measured(|element| &element.distance));
    }
    let mut notes: Vec<Note> = failed
        .iter()
        .map(|(status, count)| Note::new("element-status", format!("{count} elements have status {status}")))
        .collect();
    if in_traffic {
        notes.push(Note::new(
            "traffic-ignored",
            "there are durations in traffic; the durations without traffic are used",
        ));
    }
    let found = !matrix.rows.is_empty();
    let answer = Answer {
        distances: found.then(|| (distances, "m".to_owned())),
        durations: found.then_some(durations),
        notes,
        ..Answer::default()
    };
    answer.loaded(READER.name, given)
}

fn incomplete(from: usize, to: usize) -> FormatError {
    FormatError::new(
        "table-missing",
        format!("rows[{from}].elements[{to}] is OK but lacks its duration or its distance"),
        "give the answer as the service wrote it",
    )
}
