//! Reading problems and plans.
//!
//! A format is one file here with a [`Reader`] and one line in [`READERS`].

use radar_problem::{Kind, Problem};

use crate::FormatError;

/// No reader allocates more than this many matrix values, whatever a header promises.
pub const MOST_VALUES: usize = 1 << 28;

/// What a file may leave open and the caller states.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Tour or routes, for files that do not declare it (tables of routing engines, bare matrices).
    pub kind: Option<Kind>,
    /// A stops CSV that goes with a table.
    pub stops: Option<Vec<u8>>,
}

/// Something worth saying about a file that was read all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Stable, for programs.
    pub code: &'static str,
    /// For people.
    pub text: String,
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

/// Every format, most specific first.
pub const READERS: &[&Reader] = &[];

/// Reads a file of any format.
pub fn read(name: Option<&str>, bytes: &[u8], given: &Given) -> Result<Loaded, FormatError> {
    let reader = READERS.iter().find(|reader| (reader.recognises)(name, bytes));
    match reader {
        Some(reader) => (reader.read)(bytes, given),
        None => Err(unknown()),
    }
}

/// Reads a file of the named format.
pub fn read_as(format: &str, bytes: &[u8], given: &Given) -> Result<Loaded, FormatError> {
    match READERS.iter().find(|reader| reader.name == format) {
        Some(reader) => (reader.read)(bytes, given),
        None => Err(unknown()),
    }
}

fn unknown() -> FormatError {
    let names: Vec<&str> = READERS.iter().map(|reader| reader.name).collect();
    FormatError::new(
        "format-unknown",
        "the content is of no known format",
        format!("give one of {}, and name it with --from if it is not recognised", names.join(", ")),
    )
}
