//! The rows and cells of any CSV, and the numbers in them.
//!
//! The delimiter is found in the first line: tab, else semicolon, else comma. Where it is not the
//! comma, a comma inside a number is its decimal point.

use std::borrow::Cow;

use ::csv::{Position, StringRecord};

use super::Note;
use super::shown::shown;
use crate::FormatError;

/// What separates cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Delimiter(u8);

impl Delimiter {
    fn of(text: &str) -> Self {
        // Quoted cells may hold anything, line breaks included.
        let mut quoted = false;
        let bare = text.trim_ascii_start().bytes().filter(|&byte| {
            quoted ^= byte == b'"';
            !quoted
        });
        let line: Vec<u8> = bare.take_while(|byte| !b"\r\n".contains(byte)).collect();
        Self([b'\t', b';'].into_iter().find(|mark| line.contains(mark)).unwrap_or(b','))
    }
}

/// All rows of a CSV, blank lines left out. Blanks around a cell are no part of it, unless they
/// stand in quotes.
pub(super) fn records(bytes: &[u8]) -> Result<(Delimiter, Vec<StringRecord>), FormatError> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let cause = format!("the CSV is no UTF-8 from byte {} on", error.valid_up_to());
        FormatError::new("csv-syntax", cause, "save it as UTF-8")
    })?;
    let delimiter = Delimiter::of(text);
    let mut rows = Vec::new();
    let mut row = StringRecord::new();
    let mut rest = text;
    let (mut line, mut counted) = (1, text);
    loop {
        let (cell, behind) = cell(rest, delimiter).map_err(|what| {
            let line = text[..text.len() - rest.len()].matches('\n').count() + 1;
            let cause = format!("a quoted cell that begins on line {line} {what}");
            FormatError::new("csv-syntax", cause, "close every quote; a quote inside quotes is written twice")
        })?;
        row.push_field(&cell);
        let mut following = behind.chars();
        rest = match following.next() {
            Some('\r') => following.as_str().strip_prefix('\n').unwrap_or(following.as_str()),
            Some(_) => following.as_str(),
            None => "",
        };
        if behind.as_bytes().first() == Some(&delimiter.0) {
            continue;
        }
        // A row of empty cells says something; a line of blanks does not.
        let mut full = std::mem::take(&mut row);
        full.set_position(Some(Position::new().set_line(line).clone()));
        line += breaks(&counted[..counted.len() - rest.len()]);
        counted = rest;
        if full.len() > 1 || full.iter().any(|cell| !cell.trim().is_empty()) {
            rows.push(full);
        }
        if rest.is_empty() {
            return Ok((delimiter, rows));
        }
    }
}

/// How many lines end in a text.
fn breaks(text: &str) -> u64 {
    let lone = text.matches('\r').count() - text.matches("\r\n").count();
    (text.matches('\n').count() + lone) as u64
}

/// On which line of its file a row begins.
pub(super) fn line(row: &StringRecord) -> u64 {
    row.position().map_or(0, Position::line)
}

/// The first cell of `text`, and what follows it: a delimiter, the end of a line, or nothing.
fn cell(text: &str, delimiter: Delimiter) -> Result<(Cow<'_, str>, &str), &'static str> {
    let mark = char::from(delimiter.0);
    let blank = |letter: char| letter != mark && letter.is_whitespace() && !"\r\n".contains(letter);
    let Some(quoted) = text.trim_start_matches(blank).strip_prefix('"') else {
        let end = text.bytes().position(|byte| byte == delimiter.0 || b"\r\n".contains(&byte));
        let (cell, behind) = text.split_at(end.unwrap_or(text.len()));
        return Ok((Cow::Borrowed(cell.trim()), behind));
    };
    let mut end = 0;
    let mut doubled = false;
    loop {
        end += quoted[end..].find('"').ok_or("does not end")?;
        if !quoted[end + 1..].starts_with('"') {
            break;
        }
        doubled = true;
        end += 2;
    }
    let (cell, behind) = (&quoted[..end], quoted[end + 1..].trim_start_matches(blank));
    match behind.chars().next() {
        Some(letter) if letter != mark && !"\r\n".contains(letter) => Err("goes on behind its closing quote"),
        _ if doubled => Ok((Cow::Owned(cell.replace("\"\"", "\"")), behind)),
        _ => Ok((Cow::Borrowed(cell), behind)),
    }
}

/// Reads the numbers of one file, in which one decimal mark is used throughout.
#[derive(Clone, Debug)]
pub(super) struct Numerals {
    delimiter: Delimiter,
    /// The first number with a comma.
    comma: Option<String>,
    /// The first number with a point.
    point: Option<String>,
}

impl Numerals {
    pub fn of(delimiter: Delimiter) -> Self {
        Self { delimiter, comma: None, point: None }
    }

    /// The value of a cell as `read` takes it once its decimal mark is a point. A number with both
    /// marks is left as it is, which is no number: which of them groups thousands is a guess.
    pub fn value(&mut self, cell: &str, read: impl FnOnce(&str) -> Option<f64>) -> Option<f64> {
        if self.delimiter.0 == b',' {
            return read(cell);
        }
        let (comma, point) = (cell.matches(',').count() == 1, cell.contains('.'));
        let value = if comma && !point { read(&cell.replace(',', ".")) } else { read(cell) };
        let first = if comma { &mut self.comma } else { &mut self.point };
        if value.is_some() && (comma || point) && first.is_none() {
            *first = Some(shown(cell, 40));
        }
        value
    }

    /// What there is to say at the end: one of two marks must group thousands, but which is a guess.
    pub fn note(&self) -> Result<Option<Note>, FormatError> {
        match (&self.comma, &self.point) {
            (Some(comma), Some(point)) => Err(FormatError::new(
                "decimal-marks",
                format!("one number is `{comma}` and another `{point}`"),
                "use one decimal mark throughout, and none to group thousands",
            )),
            (Some(_), None) => {
                let text = "a comma inside a number was read as its decimal point";
                Ok(Some(Note::new("decimal-comma", text)))
            }
            _ => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Vec<String>> {
        let (_, rows) = records(text.as_bytes()).expect(text);
        rows.iter().map(|row| row.iter().map(str::to_owned).collect()).collect()
    }

    #[test]
    fn cells_of_every_dialect() {
        for text in
            ["a,b\nc,d", "a,b\r\nc,d\r\n", "a,b\rc,d\r", "a , b\n\n  \nc\t,d\n", "\"a\", \"b\" \n\"c\",d"]
        {
            assert_eq!(rows(text), [["a", "b"], ["c", "d"]], "{text:?}");
        }
        assert_eq!(rows("a\t\tb\n\t\t\n"), [["a", "", "b"], ["", "", ""]]);
        assert_eq!(rows("\" a\",\"x\"\"y\",\"1\n2\"\n"), [[" a", "x\"y", "1\n2"]]);
        assert_eq!(rows("5\" pipe,b\n"), [["5\" pipe", "b"]]);
        assert_eq!(rows("a,b,\n"), [["a", "b", ""]]);
        assert_eq!(rows(""), Vec::<Vec<String>>::new());
    }

    #[test]
    fn rows_know_their_lines() {
        for text in ["a\n\n\"b\nc\"\nd", "a\r\n\r\n\"b\r\nc\"\r\nd\r\n", "a\r\r\"b\rc\"\rd"] {
            let (_, rows) = records(text.as_bytes()).expect(text);
            assert_eq!(rows.iter().map(line).collect::<Vec<u64>>(), [1, 3, 5], "{text:?}");
        }
    }

    #[test]
    fn broken_quotes_are_named() {
        for (text, words) in [
            ("\"a,x,b\n0,1,2\n", "begins on line 1 does not end"),
            ("a,b\n1,\"", "begins on line 2 does not end"),
            ("a\n\"b\"c\n", "begins on line 2 goes on behind its closing quote"),
        ] {
            let error = records(text.as_bytes()).expect_err(text);
            assert_eq!(error.code, "csv-syntax");
            assert!(error.cause.contains(words), "{error}");
        }
    }
}
