//! Our own JSON: one problem, or one problem per line.

mod problem;
mod scan;

use self::scan::Scan;
use super::{Given, Loaded, Reader, declared};
use crate::FormatError;

pub(crate) use self::problem::{KEYS, VERSION};

pub(super) static READER: Reader = Reader { name: "json", recognises, read };

/// A set: one problem on each line.
pub(super) static LINES: Reader =
    Reader { name: "json-lines", recognises: recognises_lines, read: read_lines };

/// Any JSON: files of routing engines were asked about before, and what is wrong is named.
fn recognises(_name: Option<&str>, bytes: &[u8]) -> bool {
    matches!(first(bytes), Some(b'{' | b'['))
}

/// By its name, or by a whole object on the first line and another that begins on the second.
fn recognises_lines(name: Option<&str>, bytes: &[u8]) -> bool {
    let mut lines =
        bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let named = name.is_some_and(|name| {
        let name = name.to_ascii_lowercase();
        name.ends_with(".jsonl") || name.ends_with(".ndjson")
    });
    named
        || lines.next().is_some_and(|line| line.starts_with(b"{") && line.ends_with(b"}"))
            && lines.next().is_some_and(|line| line.starts_with(b"{"))
}

fn first(bytes: &[u8]) -> Option<u8> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bytes.trim_ascii_start().first().copied()
}

fn read(bytes: &[u8], given: &Given) -> Result<Loaded, FormatError> {
    let mut scan = Scan::new(bytes);
    let problem = problem::problem(&mut scan)?;
    scan.end()?;
    declared::loaded(READER.name, problem, Vec::new(), given)
}

fn read_lines(bytes: &[u8], given: &Given) -> Result<Loaded, FormatError> {
    let mut all = Loaded { format: LINES.name, problems: Vec::new(), notes: Vec::new() };
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let loaded = read(line, given).map_err(|error| FormatError {
            cause: format!("line {}: {}", index + 1, error.cause),
            ..error
        })?;
        all.problems.extend(loaded.problems);
        all.notes.extend(loaded.notes);
    }
    all.notes.dedup();
    Ok(all)
}
