//! OSRM table answers, and services that answer alike: seconds, metres, null for "no way".

use serde::Deserialize;

use super::engine::{self, Answer, Place, Rows, parsed, points, refused};
use super::{Given, Loaded, Note, Reader};
use crate::FormatError;

pub(super) static READER: Reader = Reader { name: "osrm", recognises, read };

/// What releases before null wrote for "no way": the largest 32-bit integer, in tenths or whole.
const NO_WAY: [f64; 2] = [214_748_364.7, 2_147_483_647.0];

#[derive(Deserialize)]
struct Table {
    code: String,
    message: Option<String>,
    durations: Option<Rows>,
    distances: Option<Rows>,
    sources: Option<Vec<Option<Place>>>,
    destinations: Option<Vec<Option<Place>>>,
    fallback_speed_cells: Option<Vec<[usize; 2]>>,
}

/// `code` at the top, and not the answer of an optimiser.
fn recognises(_name: Option<&str>, bytes: &[u8]) -> bool {
    let keys = engine::top_keys(bytes);
    let has = |key: &[u8]| keys.contains(&key);
    has(b"code") && !has(b"routes") && !has(b"summary") && !has(b"version")
}

fn read(bytes: &[u8], given: &Given) -> Result<Loaded, FormatError> {
    let table: Table = parsed(bytes)?;
    if table.code != "Ok" {
        let message = table.message.unwrap_or_default();
        return Err(refused("OSRM", format_args!("`{}` {message}", table.code)));
    }
    let mut notes = Vec::new();
    let mut sentinels = 0;
    let mut cleared = |mut rows: Rows| {
        for value in rows.values.iter_mut().filter(|value| NO_WAY.contains(value)) {
            *value = f64::INFINITY;
            sentinels += 1;
        }
        rows
    };
    let durations = table.durations.map(&mut cleared);
    let distances = table.distances.map(&mut cleared);
    if sentinels > 0 {
        notes.push(Note::new(
            "sentinels-unreachable",
            format!("{sentinels} values are the largest integer of old OSRM releases; they are unreachable"),
        ));
    }
    if let Some(cells) = table.fallback_speed_cells.filter(|cells| !cells.is_empty()) {
        notes.push(Note::new(
            "pairs-estimated",
            match cells.len() {
                1 => "1 pair has no way and was estimated by a fallback speed".to_owned(),
                count => format!("{count} pairs have no way and were estimated by a fallback speed"),
            },
        ));
    }
    let answer = Answer {
        distances: distances.map(|rows| (rows, "m".to_owned())),
        durations,
        sources: points(table.sources),
        destinations: points(table.destinations),
        notes,
    };
    answer.loaded(READER.name, given)
}
