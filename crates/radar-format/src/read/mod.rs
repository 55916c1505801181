//! Reading problems and plans.
//!
//! A format is one file here with a [`Reader`] and one line in [`READERS`].

mod csv;
mod declared;
mod engine;
mod google;
mod graphhopper;
pub(crate) mod json;
mod labels;
pub(crate) mod npz;
pub(crate) mod number;
mod openrouteservice;
mod osrm;
mod plan;
mod sheet;
mod shown;
mod slip;
pub(crate) mod solomon;
pub mod stops;
mod tsplib;
mod unit;
mod valhalla;
mod vroom;

use radar_problem::{Kind, Problem, Table};

use crate::FormatError;

pub use plan::{frozen, plan};

/// No reader allocates more than this many matrix values, whatever a header promises.
pub const MOST_VALUES: usize = 1 << 28;

/// What a file may leave open and the caller states.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Tour or routes, for files that do not declare it (tables of routing engines, bare matrices).
    pub kind: Option<Kind>,
    /// A stops CSV that goes with a table.
    pub stops: Option<Vec<u8>>,
    /// What a vehicle holds; tables, stops and the paper's sets do not say.
    pub capacity: Option<f64>,
    /// What travel times are counted in (`s`, `min`, `h`), for tables that do not say.
    pub unit: Option<String>,
    /// The most matrix values that are allocated, if fewer than [`MOST_VALUES`]: a short file may stand for a
    /// large matrix.
    pub most_values: Option<usize>,
}

impl Given {
    /// The most matrix values that are allocated.
    pub(crate) fn room(&self) -> usize {
        self.most_values.map_or(MOST_VALUES, |most| most.min(MOST_VALUES))
    }

    /// Adds the unit and the stops that go with a problem.
    fn complete(&self, problem: &mut Problem) -> Result<Vec<Note>, FormatError> {
        unit::state(problem, self)?;
        self.stops.as_ref().map_or(Ok(Vec::new()), |csv| stops::apply(problem, csv))
    }
}

/// Something worth saying about a file that was read all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Stable, for programs.
    pub code: &'static str,
    /// For people.
    pub text: String,
}

impl Note {
    /// A note with both parts.
    pub fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self { code, text: text.into() }
    }
}

/// What a file held.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The name of the format that was recognised.
    pub format: &'static str,
    /// One problem, or all problems of a set.
    pub problems: Vec<Problem>,
    /// What is worth saying about it.
    pub notes: Vec<Note>,
}

/// One format that can be read.
pub struct Reader {
    /// The name of the format, as in `--from NAME`.
    pub name: &'static str,
    /// Whether a file of this name (if known) and content is of the format; cheap, never fails.
    pub recognises: fn(name: Option<&str>, bytes: &[u8]) -> bool,
    /// Reads it.
    pub read: fn(bytes: &[u8], given: &Given) -> Result<Loaded, FormatError>,
}

impl Reader {
    /// Reads, and adds what the caller states over all formats.
    fn open(&self, bytes: &[u8], given: &Given) -> Result<Loaded, FormatError> {
        let mut loaded = (self.read)(bytes, given)?;
        if loaded.problems.is_empty() {
            let cause = format!("the file holds no problem, read as {}", self.name);
            return Err(FormatError::new("no-problem", cause, "give at least one; the file may be cut off"));
        }
        loaded.problems.iter_mut().try_for_each(|problem| unit::state(problem, given))?;
        if let Some(capacity) = given.capacity {
            for problem in &mut loaded.problems {
                problem.capacity = Some(capacity);
            }
            // What a reader assumed no longer holds.
            loaded.notes.retain(|note| !note.code.starts_with("capacity-"));
        }
        Ok(loaded)
    }
}

/// Every format, most specific first: the first that recognises a file reads it.
pub static READERS: &[&Reader] = &[
    &npz::READER,
    &tsplib::READER,
    &tsplib::VRPLIB,
    &solomon::READER,
    &osrm::READER,
    &valhalla::READER,
    &google::READER,
    &graphhopper::READER,
    &openrouteservice::READER,
    &vroom::READER,
    &json::LINES,
    &json::READER,
    &csv::READER,
];

/// Reads a file of any format.
pub fn read(name: Option<&str>, bytes: &[u8], given: &Given) -> Result<Loaded, FormatError> {
    let reader = READERS.iter().find(|reader| (reader.recognises)(name, bytes));
    match reader {
        Some(reader) => reader.open(bytes, given),
        None => Err(unknown("the content is of no known format")),
    }
}

/// Reads a file of the named format.
pub fn read_as(format: &str, bytes: &[u8], given: &Given) -> Result<Loaded, FormatError> {
    match READERS.iter().find(|reader| reader.name == format) {
        Some(reader) => reader.open(bytes, given),
        None => Err(unknown(&format!("there is no format `{format}`"))),
    }
}

fn unknown(cause: &str) -> FormatError {
    let names: Vec<&str> = READERS.iter().map(|reader| reader.name).collect();
    FormatError::new(
        "format-unknown",
        cause,
        format!("give one of {}, and name it with --from if it is not recognised", names.join(", ")),
    )
}

/// The kind of a problem whose file does not declare one: what the caller says, else routes when
/// something that only routes have is there. Nothing is concluded from what is missing.
pub(crate) fn kind_of(given: &Given, problem: &Problem) -> Result<Kind, FormatError> {
    let of_routes = given.capacity.is_some()
        || problem.demand.is_some()
        || problem.backhaul.is_some()
        || problem.capacity.is_some()
        || problem.windows.is_some()
        || problem.service.is_some()
        || problem.limit.is_some()
        || problem.max_duration.is_some()
        || problem.vehicles.is_some()
        || problem.open;
    match given.kind {
        Some(kind) => Ok(kind),
        None if of_routes => Ok(Kind::Vrp),
        None => Err(FormatError::new(
            "kind-not-declared",
            "the file holds a table and does not say whether a tour or routes are wanted",
            "say --kind atsp or --kind vrp, or give stops with amounts or windows",
        )),
    }
}

/// Refuses a table of more than `most` values before it is allocated.
pub(crate) fn bounded(most: usize, rows: usize, columns: usize) -> Result<usize, FormatError> {
    match rows.checked_mul(columns) {
        Some(values) if values <= most => Ok(values),
        _ => Err(FormatError::new(
            "too-large",
            format!("a table of {rows} by {columns} values is announced; at most {most} are read"),
            "split the problem",
        )),
    }
}

/// A table of rows of these lengths; the values stay in one list when the rows are equally long.
pub(crate) fn rows_of(lengths: &[usize], values: Vec<f64>) -> Table {
    let columns = lengths.first().copied().unwrap_or(0);
    if lengths.iter().all(|&length| length == columns) {
        return Table::from_values(lengths.len(), columns, values);
    }
    let mut values = values.into_iter();
    Table::from_rows(lengths.iter().map(|&length| values.by_ref().take(length).collect()).collect())
}

/// Keeps the first note of a kind: what holds for one instance of a set holds for all.
fn note_once(notes: &mut Vec<Note>, note: Note) {
    if !notes.iter().any(|other| other.code == note.code) {
        notes.push(note);
    }
}
