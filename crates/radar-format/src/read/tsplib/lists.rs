//! Sections with one row per node, and lists of nodes.

use super::scan::{Section, number, number_or_infinite, stray};
use crate::FormatError;
use crate::read::shown::shown_token;

/// Rows `node value ...` of a section, one per node in any order; `N` values each, of which the last
/// may be infinite where `endless` says so.
pub(super) fn rows<const N: usize>(
    section: Section<'_>,
    nodes: usize,
    endless: bool,
) -> Result<Vec<[f64; N]>, FormatError> {
    let mut rows: Vec<Option<[f64; N]>> = vec![None; nodes];
    let mut tokens = section.tokens();
    let mut given = 0;
    while let Some((line, token)) = tokens.next() {
        if given == nodes {
            // Some files close every section by -1.
            return match token == b"-1" && tokens.next().is_none() {
                true => Ok(rows.into_iter().flatten().collect()),
                false => Err(count(section, nodes, &format!("more than {nodes} rows, from line {line} on"))),
            };
        }
        let node = node(token, line, section.name, nodes)?;
        let mut row = [0.0; N];
        for (column, value) in row.iter_mut().enumerate() {
            let Some((line, token)) = tokens.next() else {
                return Err(count(section, nodes, &format!("an unfinished row on line {line}, its last")));
            };
            *value = match endless && column + 1 == N {
                true => number_or_infinite(token, line, section.name)?,
                false => number(token, line, section.name)?,
            };
        }
        if rows[node].replace(row).is_some() {
            return Err(FormatError::new(
                "bad-node",
                format!("line {line}, {}: node {} comes a second time", section.name, node + 1),
                "give one row per node",
            ));
        }
        given += 1;
    }
    match given == nodes {
        true => Ok(rows.into_iter().flatten().collect()),
        false => Err(count(section, nodes, &format!("{given} rows"))),
    }
}

/// A list of nodes, closed by -1 or by the end of the section.
pub(super) fn members(section: Section<'_>, nodes: usize) -> Result<Vec<usize>, FormatError> {
    let mut members = Vec::new();
    let mut tokens = section.tokens();
    for (line, token) in tokens.by_ref() {
        if token == b"-1" {
            break;
        }
        members.push(node(token, line, section.name, nodes)?);
    }
    match tokens.next() {
        None => Ok(members),
        Some((line, token)) => Err(stray(line, token)),
    }
}

/// A list of stops, each once, that must be closed by -1: what is left of a list that was cut off
/// would make others of the stops it lost.
pub(super) fn closed(section: Section<'_>, nodes: usize, depot: usize) -> Result<Vec<usize>, FormatError> {
    let members = members(section, nodes)?;
    if !section.tokens().any(|(_, token)| token == b"-1") {
        return Err(FormatError::new(
            "wrong-count",
            format!("{} (line {}) is not closed by -1", section.name, section.line),
            "close the list by -1; the file may be cut off",
        ));
    }
    let mut seen = vec![false; nodes];
    for &node in &members {
        let what = match std::mem::replace(&mut seen[node], true) {
            _ if node == depot => "is the depot",
            true => "comes a second time",
            false => continue,
        };
        return Err(FormatError::new(
            "bad-node",
            format!("{} (line {}): node {} {what}", section.name, section.line, node + 1),
            "list each stop at most once, and never the depot",
        ));
    }
    Ok(members)
}

/// The index of a node that the file numbers from 1.
fn node(token: &[u8], line: usize, place: &str, nodes: usize) -> Result<usize, FormatError> {
    let text = std::str::from_utf8(token).unwrap_or_default();
    match text.parse::<usize>() {
        Ok(number) if (1..=nodes).contains(&number) => Ok(number - 1),
        _ => Err(FormatError::new(
            "bad-node",
            format!("line {line}, {place}: `{}` is no node", shown_token(token)),
            format!("nodes are numbered 1 to DIMENSION ({nodes})"),
        )),
    }
}

fn count(section: Section<'_>, nodes: usize, found: &str) -> FormatError {
    FormatError::new(
        "wrong-count",
        format!("{} (line {}) has {found}; DIMENSION is {nodes}", section.name, section.line),
        "give one row per node; the file may be cut off",
    )
}
