//! A matrix as CSV, with or without a header row and column of ids.
//!
//! An empty cell, `inf` and `null` are pairs without a way.

use radar_problem::{Kind, Problem};

use super::labels::{Labels, no_number, without_blank_column};
use super::number::decimal;
use super::sheet::{Numerals, records};
use super::{Given, Loaded, Reader, bounded, kind_of, rows_of};
use crate::FormatError;

pub(super) static READER: Reader = Reader { name: "csv", recognises, read };

/// Text with a delimiter in its first line, or a file that says so by its name. The last to be asked.
fn recognises(name: Option<&str>, bytes: &[u8]) -> bool {
    let named = name.is_some_and(|name| {
        let name = name.to_ascii_lowercase();
        name.ends_with(".csv") || name.ends_with(".tsv")
    });
    let line = bytes.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    let tabular = line.is_some_and(|line| line.iter().any(|byte| b",;\t".contains(byte)));
    named || tabular && !bytes.contains(&0)
}

fn read(bytes: &[u8], given: &Given) -> Result<Loaded, FormatError> {
    let (delimiter, mut rows) = records(bytes)?;
    let mut notes = Vec::from_iter(without_blank_column(&mut rows, delimiter));
    let labels = Labels::of(&rows, delimiter)?;
    let (top, left) = (usize::from(labels.above), usize::from(labels.beside));
    let mut numerals = Numerals::of(delimiter);
    let mut lengths = Vec::with_capacity(rows.len());
    let mut values = Vec::new();
    for (from, row) in rows.iter().skip(top).enumerate() {
        for (to, cell) in row.iter().skip(left).enumerate() {
            values.push(numerals.value(cell, decimal).ok_or_else(|| no_number(from, to, cell))?);
        }
        lengths.push(row.len().saturating_sub(left));
        bounded(given.room(), values.len(), 1)?;
    }
    notes.extend(numerals.note()?);
    // The kind is settled below, when all that may speak for routes is known.
    let mut problem = Problem { ids: labels.ids, ..Problem::new(Kind::Atsp, rows_of(&lengths, values)) };
    notes.extend(given.complete(&mut problem)?);
    problem.kind = kind_of(given, &problem)?;
    Ok(Loaded { format: READER.name, problems: vec![problem], notes })
}
