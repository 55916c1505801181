//! TSPLIB and VRPLIB: one grammar, tours and routes.
//!
//! Keys and sections are those of `docs/formats.md`. Matrices may be explicit in every layout, or
//! plane distances rounded as TSPLIB says (`EUC_2D` to nearest, `CEIL_2D` up). The depot becomes
//! node 0 wherever it stands in the file; if it had to move, ids are the file's numbers.

mod build;
mod kind;
mod lists;
mod scan;
mod sentinel;
mod weights;

use radar_problem::Kind;

use super::{Given, Loaded, Reader, declared};
use crate::FormatError;
use scan::Sheet;

/// Tours: `TYPE` is ATSP or TSP.
pub(super) static READER: Reader = Reader { name: "tsplib", recognises: recognises_tour, read };

/// Routes: every other `TYPE`.
pub(super) static VRPLIB: Reader = Reader { name: "vrplib", recognises: recognises_routes, read };

/// How many lines are looked at to recognise a file.
const HEAD: usize = 60;

fn recognises_tour(_name: Option<&str>, bytes: &[u8]) -> bool {
    let declares_tour = |line: &[u8]| {
        let words = line.split(|byte| *byte == b':' || byte.is_ascii_whitespace());
        let mut words = words.filter(|word| !word.is_empty());
        words.next() == Some(b"TYPE") && words.next().is_some_and(|kind| kind == b"ATSP" || kind == b"TSP")
    };
    head(bytes).any(declares_tour)
}

fn recognises_routes(_name: Option<&str>, bytes: &[u8]) -> bool {
    head(bytes).any(scan::is_head)
}

/// The first lines of a file; a line of a table in another format may be all of it.
fn head(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bytes[..bytes.len().min(1 << 16)].split(|&byte| byte == b'\n').take(HEAD)
}

fn read(bytes: &[u8], given: &Given) -> Result<Loaded, FormatError> {
    let mut notes = Vec::new();
    let problem = build::problem(&Sheet::scan(bytes)?, given, &mut notes)?;
    let format = match problem.kind {
        Kind::Atsp => READER.name,
        Kind::Vrp => VRPLIB.name,
    };
    declared::loaded(format, problem, notes, given)
}
