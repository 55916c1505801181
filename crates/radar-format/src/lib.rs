//! Every file and wire form.
//!
//! [`read()`] opens any problem file it knows, [`write::problem`] writes one; [`read::plan`] opens a
//! plan, [`write::answer`] writes an answer. Each format is one file with one line in the registry of
//! `read` or `write`. Nothing here solves, prints or opens files: bytes in, bytes out.

pub mod ending;
mod error;
pub mod read;
pub mod write;

pub use error::{FormatError, Origin};
pub use read::{Given, Loaded, Note, read};

use radar_problem::Kind;

/// The JSON Schema (draft 2020-12) of our problem files.
pub fn problem_schema() -> &'static str {
    include_str!("../schema/problem.schema.json")
}

/// The JSON Schema (draft 2020-12) of our answers.
pub fn answer_schema() -> &'static str {
    include_str!("../schema/answer.schema.json")
}

/// The wire name of a kind.
pub(crate) fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Atsp => "atsp",
        Kind::Vrp => "vrp",
    }
}
