//! GraphHopper matrix answers: `times` in seconds, `distances` in metres.

use serde::Deserialize;

use super::engine::{self, Answer, Rows, parsed, refused};
use super::shown::shown;
use super::{Given, Loaded, Note, Reader};
use crate::FormatError;

pub(super) static READER: Reader = Reader { name: "graphhopper", recognises, read };

#[derive(Deserialize)]
struct Matrix {
    times: Option<Rows>,
    distances: Option<Rows>,
    message: Option<String>,
    hints: Option<Vec<Hint>>,
}

#[derive(Deserialize)]
struct Hint {
    message: Option<String>,
}

fn recognises(_name: Option<&str>, bytes: &[u8]) -> bool {
    let keys = engine::top_keys(bytes);
    let has = |key: &[u8]| keys.contains(&key);
    has(b"times") || has(b"weights") || (has(b"message") && has(b"hints"))
}

fn read(bytes: &[u8], given: &Given) -> Result<Loaded, FormatError> {
    let matrix: Matrix = parsed(bytes)?;
    let hints = matrix.hints.unwrap_or_default().into_iter().filter_map(|hint| hint.message);
    if let Some(message) = matrix.message {
        let said = std::iter::once(message).chain(hints).collect::<Vec<_>>().join("; ");
        return Err(refused("GraphHopper", format_args!("`{said}`")));
    }
    let notes = hints
        .map(|hint| Note::new("engine-hint", format!("GraphHopper says: {}", shown(&hint, 400))))
        .collect();
    let answer = Answer {
        distances: matrix.distances.map(|rows| (rows, "m".to_owned())),
        durations: matrix.times,
        notes,
        ..Answer::default()
    };
    answer.loaded(READER.name, given)
}
