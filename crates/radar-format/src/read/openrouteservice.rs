//! openrouteservice matrix answers: seconds, and lengths in the unit that was asked for.

use serde::Deserialize;

use super::engine::{self, Answer, Place, Rows, parsed, points, refused};
use super::{Given, Loaded, Reader};
use crate::FormatError;

pub(super) static READER: Reader = Reader { name: "openrouteservice", recognises, read };

#[derive(Deserialize)]
struct Matrix {
    durations: Option<Rows>,
    distances: Option<Rows>,
    sources: Option<Vec<Option<Place>>>,
    destinations: Option<Vec<Option<Place>>>,
    metadata: Option<Metadata>,
    error: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Metadata {
    query: Option<Query>,
}

#[derive(Deserialize)]
struct Query {
    units: Option<String>,
}

/// Tables at the top without the `code` of OSRM, or an error with its `info`.
fn recognises(_name: Option<&str>, bytes: &[u8]) -> bool {
    let keys = engine::top_keys(bytes);
    let has = |key: &[u8]| keys.contains(&key);
    let foreign = has(b"code") || has(b"version") || has(b"times") || has(b"weights");
    ((has(b"durations") || has(b"distances")) && !foreign) || (has(b"error") && has(b"info"))
}

fn read(bytes: &[u8], given: &Given) -> Result<Loaded, FormatError> {
    let matrix: Matrix = parsed(bytes)?;
    if let Some(error) = matrix.error {
        return Err(refused("openrouteservice", error));
    }
    let units = matrix.metadata.and_then(|metadata| metadata.query).and_then(|query| query.units);
    let unit = units.unwrap_or_else(|| "m".to_owned());
    let answer = Answer {
        distances: matrix.distances.map(|rows| (rows, unit)),
        durations: matrix.durations,
        sources: points(matrix.sources),
        destinations: points(matrix.destinations),
        notes: Vec::new(),
    };
    answer.loaded(READER.name, given)
}
