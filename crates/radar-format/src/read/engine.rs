//! What the tables of routing engines share: rows with nulls, places, and the way to a problem.

use std::fmt;

use radar_problem::{Kind, Problem, Table, Units};
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
use serde_json::error::Category;

use super::shown::shown;
use super::{Given, Loaded, MOST_VALUES, Note, kind_of, slip, stops};
use crate::FormatError;

/// A table as an engine states it; null is infinity.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rows {
    pub values: Vec<f64>,
    pub lengths: Vec<usize>,
}

impl Rows {
    /// Adds a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = f64>) {
        let before = self.values.len();
        self.values.extend(row);
        self.lengths.push(self.values.len() - before);
    }

    /// A square table, or where it is not square.
    pub fn square(self, name: &str) -> Result<Table, FormatError> {
        let nodes = self.lengths.len();
        if let Some(row) = self.lengths.iter().position(|&length| length != nodes) {
            return Err(FormatError::new(
                "not-square",
                format!("{name}[{row}] has {} values, but there are {nodes} rows", self.lengths[row]),
                "ask the engine with the same points, in the same order, as sources and as destinations",
            ));
        }
        let mut values = self.values;
        for node in 0..nodes {
            // A point that the engine could not place has no way even to itself.
            let own = &mut values[node * nodes + node];
            *own = if own.is_finite() { *own } else { 0.0 };
        }
        Ok(Table::from_values(nodes, nodes, values))
    }
}

impl<'de> serde::Deserialize<'de> for Rows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AllRows;
        impl<'de> Visitor<'de> for AllRows {
            type Value = Rows;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of rows")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<Rows, A::Error> {
                let mut all = Rows::default();
                while let Some(length) = rows.next_element_seed(OneRow(&mut all.values))? {
                    all.lengths.push(length);
                }
                Ok(all)
            }
        }
        deserializer.deserialize_seq(AllRows)
    }
}

/// Reads a row to the end of a flat list, so that a matrix is one allocation.
struct OneRow<'a>(&'a mut Vec<f64>);

impl<'de> DeserializeSeed<'de> for OneRow<'_> {
    type Value = usize;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for OneRow<'_> {
    type Value = usize;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row of numbers or nulls")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<usize, A::Error> {
        let before = self.0.len();
        while let Some(value) = row.next_element::<Option<f64>>()? {
            if self.0.len() == MOST_VALUES {
                return Err(A::Error::custom(format_args!("a table has more than {MOST_VALUES} values")));
            }
            self.0.push(value.unwrap_or(f64::INFINITY));
        }
        Ok(self.0.len() - before)
    }
}

/// The answer of an engine, in its own units.
#[derive(Default)]
pub(super) struct Answer {
    /// Lengths, and the name of their unit.
    pub distances: Option<(Rows, String)>,
    /// Travel times in seconds.
    pub durations: Option<Rows>,
    /// Where rows start and columns end, as far as the engine says, `[lat, lon]`.
    pub sources: Option<Vec<[f64; 2]>>,
    pub destinations: Option<Vec<[f64; 2]>>,
    pub notes: Vec<Note>,
}

/// How far (in degrees) a point may be snapped apart as source and as destination before it is said.
const APART: f64 = 0.01;

impl Answer {
    /// The problem of the table and the stops that go with it. A table of durations alone is the
    /// single matrix, in seconds.
    pub fn loaded(self, format: &'static str, given: &Given) -> Result<Loaded, FormatError> {
        let mut notes = self.notes;
        let (distance, duration, units) = match (self.distances, self.durations) {
            (Some((distances, unit)), Some(durations)) => {
                let lengths = lengths(distances, &unit, &mut notes)?;
                (lengths, Some(durations.square("durations")?), [unit, "s".to_owned()])
            }
            (Some((distances, unit)), None) => {
                (lengths(distances, &unit, &mut notes)?, None, [unit.clone(), unit])
            }
            (None, Some(durations)) => {
                (durations.square("durations")?, None, ["s".to_owned(), "s".to_owned()])
            }
            (None, None) => {
                return Err(FormatError::new(
                    "table-missing",
                    "the answer holds neither durations nor distances",
                    "ask the engine for its table of durations, distances or both",
                ));
            }
        };
        let missing = std::iter::once(&distance).chain(&duration).map(unreachable).max().unwrap_or(0);
        if missing > 0 {
            notes.push(Note::new(
                "pairs-unreachable",
                match missing {
                    1 => "the engine found no way for 1 pair; it is unreachable".to_owned(),
                    _ => format!("the engine found no way for {missing} pairs; they are unreachable"),
                },
            ));
        }
        if let (Some(sources), Some(destinations)) = (&self.sources, &self.destinations) {
            let apart =
                |(a, b): &(&[f64; 2], &[f64; 2])| (a[0] - b[0]).abs() > APART || (a[1] - b[1]).abs() > APART;
            if let Some(node) = sources.iter().zip(destinations).position(|pair| apart(&pair)) {
                notes.push(Note::new(
                    "points-differ",
                    format!("row {node} starts elsewhere than column {node} ends: a table needs the same points, in the same order, as sources and as destinations"),
                ));
            }
        }
        for (key, places) in [("sources", &self.sources), ("destinations", &self.destinations)] {
            let places = places.as_ref().map_or(distance.rows(), Vec::len);
            if places != distance.rows() {
                return Err(FormatError::new(
                    "not-square",
                    format!("there are {places} {key} for a table of {} rows", distance.rows()),
                    "give the answer of the engine whole, with one place per row and per column",
                ));
            }
        }
        notes.extend(self.sources.as_deref().and_then(stops::off_the_earth));
        let [distance_unit, duration_unit] = units.map(Some);
        let mut problem = Problem {
            duration,
            points: self.sources,
            units: Units { distance: distance_unit, duration: duration_unit },
            ..Problem::new(Kind::Vrp, distance)
        };
        notes.extend(given.complete(&mut problem)?);
        problem.kind = kind_of(given, &problem)?;
        Ok(Loaded { format, problems: vec![problem], notes })
    }
}

/// The square table of lengths, without slips.
fn lengths(rows: Rows, unit: &str, notes: &mut Vec<Note>) -> Result<Table, FormatError> {
    let kilometres = match unit {
        "km" => 1.0,
        "mi" => 1.609_344,
        _ => 0.001,
    };
    Ok(slip::mend(rows.square("distances")?, kilometres, notes))
}

fn unreachable(table: &Table) -> usize {
    table.iter().filter(|value| value.is_infinite()).count()
}

/// A point as `[lon, lat]`, which engines that speak GeoJSON state.
#[derive(serde::Deserialize)]
pub(super) struct Place {
    location: Option<[f64; 2]>,
}

/// The points of a list of places, `[lat, lon]`, when every one is known.
pub(super) fn points(places: Option<Vec<Option<Place>>>) -> Option<Vec<[f64; 2]>> {
    let point = |place: Option<Place>| place.and_then(|place| place.location).map(|[lon, lat]| [lat, lon]);
    places?.into_iter().map(point).collect()
}

/// Parses JSON; the error names line and column.
pub(super) fn parsed<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, FormatError> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    serde_json::from_slice(bytes).map_err(|error| {
        let place = format!("line {} column {}", error.line(), error.column());
        let said = error.to_string();
        let cause = said.strip_suffix(&format!(" at {place}")).unwrap_or(&said);
        let (code, action) = match error.classify() {
            Category::Data if cause.starts_with("unknown field") => {
                ("unknown-key", "remove the key if it is no part of the problem")
            }
            Category::Data if cause.starts_with("duplicate field") => ("duplicate-key", "keep one of them"),
            Category::Data if cause.starts_with("missing field") => ("missing-key", "add it"),
            Category::Data if cause.starts_with("a table has more") => ("too-large", "split the problem"),
            Category::Data => ("wrong-type", "correct the value"),
            Category::Eof => ("json-syntax", "give the complete file; it is cut off"),
            _ => ("json-syntax", "give one complete JSON value"),
        };
        // A key or a text of the file may be all of it.
        FormatError::new(code, format!("{place}: {}", shown(cause, 400)), action)
    })
}

/// An engine that says it could not answer.
pub(super) fn refused(engine: &str, said: impl fmt::Display) -> FormatError {
    FormatError::new(
        "engine-refused",
        format!("this is no table: {engine} answered {}", shown(&said.to_string(), 400)),
        "ask the engine again; the points or the profile may be wrong",
    )
}

/// The keys of the object that a file is, as far as they are plain; none if it is no object.
/// Cheaper than parsing: strings and nesting are all it looks at.
pub(super) fn top_keys(bytes: &[u8]) -> Vec<&[u8]> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    let (mut keys, mut depth, mut at, mut expecting) = (Vec::new(), 0_usize, 0, false);
    if bytes.first() != Some(&b'{') {
        return keys;
    }
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'{' | b'[' => {
                depth += 1;
                expecting = depth == 1;
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' => expecting = depth == 1,
            b'"' => {
                let start = at;
                while bytes.get(at).is_some_and(|&byte| byte != b'"') {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                if expecting && keys.len() < MOST_KEYS {
                    keys.push(&bytes[start..at.min(bytes.len())]);
                }
                expecting = false;
                at += 1;
            }
            _ => {}
        }
    }
    keys
}

/// No known object has more keys at its top.
const MOST_KEYS: usize = 64;
