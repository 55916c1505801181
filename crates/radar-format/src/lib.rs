//! Every file and wire form.
//!
//! [`read()`] opens any problem file it knows, [`write::problem`] writes one; [`read::plan`] opens a
//! plan, [`write::answer`] writes an answer. Each format is one file with one line in the registry of
//! `read` or `write`. Nothing here solves, prints or opens files: bytes in, bytes out.

mod error;
pub mod read;
pub mod write;

pub use error::FormatError;
pub use read::{Given, Loaded, Note, read};
