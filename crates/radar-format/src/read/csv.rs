//! A matrix as CSV, with or without a header row and column of ids.
//!
//! The delimiter is found in the first line: tab, else semicolon, else comma. Where it is not the
//! comma, a comma inside a number is its decimal point. An empty cell, `inf` and `null` are pairs
//! without a way.

use std::borrow::Cow;

use ::csv::StringRecord;
use radar_problem::{Kind, Problem};

use super::number::decimal;
use super::{Given, Loaded, Note, Reader, bounded, kind_of, rows_of, stops};
use crate::FormatError;

pub(super) static READER: Reader = Reader { name: "csv", recognises, read };

/// What separates cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Delimiter(u8);

impl Delimiter {
    fn of(bytes: &[u8]) -> Self {
        // Quoted cells may hold anything, line breaks included.
        let mut quoted = false;
        let bare = bytes.trim_ascii_start().iter().filter(|&&byte| {
            quoted ^= byte == b'"';
            !quoted
        });
        let line: Vec<u8> = bare.copied().take_while(|&byte| byte != b'\n').collect();
        Self([b'\t', b';'].into_iter().find(|mark| line.contains(mark)).unwrap_or(b','))
    }

    pub fn commas_are_decimal(self) -> bool {
        self.0 != b','
    }

    /// The text of a number with a point as its decimal mark. A number with both marks is left as
    /// it is, and refused later: which of them groups thousands is a guess.
    pub fn number(self, text: &str) -> Cow<'_, str> {
        let decimal = self.commas_are_decimal() && !text.contains('.') && text.matches(',').count() == 1;
        if decimal { Cow::Owned(text.replace(',', ".")) } else { Cow::Borrowed(text) }
    }
}

/// All rows of a CSV, blank lines left out.
pub(super) fn records(bytes: &[u8]) -> Result<(Delimiter, Vec<StringRecord>), FormatError> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let delimiter = Delimiter::of(bytes);
    let mut builder = ::csv::ReaderBuilder::new();
    builder.delimiter(delimiter.0).has_headers(false).flexible(true);
    let mut rows = Vec::new();
    for record in builder.from_reader(bytes).into_records() {
        let record = record.map_err(|error| {
            FormatError::new("csv-syntax", format!("the CSV cannot be read: {error}"), "save it as UTF-8")
        })?;
        // A row of empty cells says something; a line of blanks does not.
        if record.len() > 1 || record.iter().any(|cell| !cell.trim().is_empty()) {
            rows.push(record);
        }
    }
    Ok((delimiter, rows))
}

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
    let (delimiter, rows) = records(bytes)?;
    let labels = Labels::of(&rows, delimiter)?;
    let (top, left) = (usize::from(labels.above), usize::from(labels.beside));
    let mut notes = Vec::new();
    let mut commas = false;
    let mut lengths = Vec::with_capacity(rows.len());
    let mut values = Vec::new();
    for (from, row) in rows.iter().skip(top).enumerate() {
        for (to, cell) in row.iter().skip(left).enumerate() {
            commas |= cell.contains(',');
            let Some(value) = decimal(&delimiter.number(cell)) else {
                return Err(FormatError::new(
                    "not-a-number",
                    format!("the entry from {from} to {to} is `{cell}`"),
                    "give numbers; an empty cell, inf or null is a pair without a way",
                ));
            };
            values.push(value);
        }
        lengths.push(row.len().saturating_sub(left));
        bounded(values.len(), 1)?;
    }
    if commas && delimiter.commas_are_decimal() {
        notes.push(Note::new("decimal-comma", "a comma inside a number was read as its decimal point"));
    }
    // The kind is settled below, when all that may speak for routes is known.
    let mut problem = Problem { ids: labels.ids, ..Problem::new(Kind::Atsp, rows_of(&lengths, values)) };
    if let Some(stops) = &given.stops {
        notes.extend(stops::apply(&mut problem, stops)?);
    }
    problem.kind = kind_of(given, &problem)?;
    Ok(Loaded { format: READER.name, problems: vec![problem], notes })
}

/// What stands around the numbers.
struct Labels {
    ids: Option<Vec<String>>,
    /// There is a header row.
    above: bool,
    /// There is a header column.
    beside: bool,
}

impl Labels {
    /// Told by the shape and a word where only one header is there, and by the cells where both or
    /// none are. Numbers alone never make a single header: they may as well be costs.
    fn of(rows: &[StringRecord], delimiter: Delimiter) -> Result<Self, FormatError> {
        let top: Vec<&str> = rows.first().into_iter().flatten().map(str::trim).collect();
        let side: Vec<&str> = rows.iter().filter_map(|row| row.get(0)).map(str::trim).collect();
        let owned = |ids: &[&str]| Some(ids.iter().map(|&id| id.to_owned()).collect());
        let is_text = |cell: &&str| decimal(&delimiter.number(cell)).is_none();
        if rows.len() == top.len() + 1 {
            return match top.iter().any(is_text) {
                true => Ok(Self { ids: owned(&top), above: true, beside: false }),
                false => Err(not_square(rows.len(), top.len())),
            };
        }
        if top.len() == rows.len() + 1 && !rows.is_empty() {
            return match side.iter().any(is_text) {
                true => Ok(Self { ids: owned(&side), above: false, beside: true }),
                false => Err(not_square(rows.len(), top.len())),
            };
        }
        let (above, beside) = (top.get(1..).unwrap_or_default(), side.get(1..).unwrap_or_default());
        let worded = top.iter().any(is_text) || side.iter().any(is_text);
        // Ids that are numbers are told from costs by an empty corner and the same list twice.
        let corner_empty = top.first().is_some_and(|corner| corner.is_empty());
        let second = rows.get(1).and_then(|row| row.get(1)).is_some_and(|cell| !cell.trim().is_empty());
        let numbered = corner_empty && above == beside && second;
        if !worded && !numbered {
            return Ok(Self { ids: None, above: false, beside: false });
        }
        if above != beside {
            let differing = above.iter().zip(beside).find(|(above, beside)| above != beside);
            let (above, beside) = differing.map_or(("", ""), |(&above, &beside)| (above, beside));
            return Err(FormatError::new(
                "csv-labels",
                format!("the header row and the first column name different nodes: `{above}` and `{beside}`"),
                "give the nodes in one order; words other than inf and null belong into headers only",
            ));
        }
        Ok(Self { ids: owned(above), above: true, beside: true })
    }
}

fn not_square(rows: usize, columns: usize) -> FormatError {
    FormatError::new(
        "not-square",
        format!("there are {rows} rows of {columns} numbers"),
        "give as many rows as columns; ids that are numbers stand in a header row and in the first column",
    )
}
