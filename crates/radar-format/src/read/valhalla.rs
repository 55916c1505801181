//! Valhalla matrix answers, compact and verbose: seconds, and lengths in the unit that was asked for.

use serde::Deserialize;

use super::engine::{self, Answer, Rows, parsed, refused};
use super::{Given, Loaded, Reader};
use crate::FormatError;

pub(super) static READER: Reader = Reader { name: "valhalla", recognises, read };

#[derive(Deserialize)]
struct Matrix {
    sources_to_targets: Option<Pairs>,
    units: Option<String>,
    sources: Option<Spots>,
    targets: Option<Spots>,
    error: Option<String>,
}

/// The two shapes of the table.
enum Pairs {
    Compact(Tables),
    Verbose(Vec<Vec<Pair>>),
}

#[derive(Deserialize)]
struct Tables {
    durations: Option<Rows>,
    distances: Option<Rows>,
}

/// Small, because there is one for every pair.
#[derive(Deserialize)]
struct Pair {
    from_index: Option<u32>,
    to_index: Option<u32>,
    #[serde(default = "no_way", deserialize_with = "or_no_way")]
    time: f64,
    #[serde(default = "no_way", deserialize_with = "or_no_way")]
    distance: f64,
}

fn no_way() -> f64 {
    f64::INFINITY
}

fn or_no_way<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_else(no_way))
}

/// Places are a list, in old releases a list inside a list.
#[derive(Deserialize)]
#[serde(untagged)]
enum Spots {
    Listed(Vec<Option<Spot>>),
    Nested(Vec<Vec<Option<Spot>>>),
}

#[derive(Deserialize)]
struct Spot {
    lat: f64,
    lon: f64,
}

impl Spots {
    fn points(self) -> Option<Vec<[f64; 2]>> {
        let spots = match self {
            Self::Listed(spots) => spots,
            Self::Nested(lists) => lists.into_iter().next().unwrap_or_default(),
        };
        spots.into_iter().map(|spot| spot.map(|Spot { lat, lon }| [lat, lon])).collect()
    }
}

fn recognises(_name: Option<&str>, bytes: &[u8]) -> bool {
    let keys = engine::top_keys(bytes);
    let has = |key: &[u8]| keys.contains(&key);
    has(b"sources_to_targets") || (has(b"error") && has(b"error_code"))
}

fn read(bytes: &[u8], given: &Given) -> Result<Loaded, FormatError> {
    let matrix: Matrix = parsed(bytes)?;
    if let Some(error) = matrix.error {
        return Err(refused("Valhalla", format_args!("`{error}`")));
    }
    let unit = match matrix.units.as_deref() {
        None | Some("kilometers" | "km") => "km",
        Some("miles" | "mi") => "mi",
        Some(other) => other,
    };
    let tables = match matrix.sources_to_targets {
        None => Tables { durations: None, distances: None },
        Some(Pairs::Compact(tables)) => tables,
        Some(Pairs::Verbose(pairs)) => listed(pairs)?,
    };
    let answer = Answer {
        distances: tables.distances.map(|rows| (rows, unit.to_owned())),
        durations: tables.durations,
        sources: matrix.sources.and_then(Spots::points),
        destinations: matrix.targets.and_then(Spots::points),
        notes: Vec::new(),
    };
    answer.loaded(READER.name, given)
}

/// The tables of the verbose shape. Pairs stand at their place; an index that says otherwise is a
/// sign of a table that was cut or sorted.
fn listed(pairs: Vec<Vec<Pair>>) -> Result<Tables, FormatError> {
    let (mut durations, mut distances) = (Rows::default(), Rows::default());
    for (from, row) in pairs.iter().enumerate() {
        for (to, pair) in row.iter().enumerate() {
            let elsewhere = |index: Option<u32>, place| index.is_some_and(|index| index as usize != place);
            if elsewhere(pair.from_index, from) || elsewhere(pair.to_index, to) {
                return Err(FormatError::new(
                    "bad-index",
                    format!(
                        "sources_to_targets[{from}][{to}] says it is from {} to {}",
                        shown(pair.from_index),
                        shown(pair.to_index)
                    ),
                    "give the answer as the engine wrote it",
                ));
            }
        }
        durations.push(row.iter().map(|pair| pair.time));
        distances.push(row.iter().map(|pair| pair.distance));
    }
    Ok(Tables { durations: Some(durations), distances: Some(distances) })
}

fn shown(index: Option<u32>) -> String {
    index.map_or("nowhere".to_owned(), |index| index.to_string())
}

impl<'de> Deserialize<'de> for Pairs {
    /// An object is compact, a list is verbose. Told apart as it is read: an untagged enum would
    /// hold the whole table twice.
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
        use serde::de::{MapAccess, SeqAccess, Visitor};
        struct Shape;
        impl<'de> Visitor<'de> for Shape {
            type Value = Pairs;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object of tables or a list of rows")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Pairs, A::Error> {
                Tables::deserialize(MapAccessDeserializer::new(map)).map(Pairs::Compact)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, rows: A) -> Result<Pairs, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(rows)).map(Pairs::Verbose)
            }
        }
        deserializer.deserialize_any(Shape)
    }
}
