//! What stands around the numbers of a CSV matrix: ids above, beside, both or none.

use ::csv::StringRecord;

use super::Note;
use super::number::decimal;
use super::sheet::{Delimiter, Numerals};
use super::shown::shown;
use crate::FormatError;

/// Words of a corner that say that numbers above and beside are ids.
const CORNERS: &[&str] = &[
    "from",
    "to",
    "id",
    "ids",
    "index",
    "name",
    "names",
    "node",
    "nodes",
    "number",
    "stop",
    "stops",
    "place",
    "places",
    "origin",
    "destination",
    "source",
    "target",
    "matrix",
    "distance",
    "duration",
    "table",
];

/// The headers of a matrix.
pub(super) struct Labels {
    pub ids: Option<Vec<String>>,
    /// There is a header row.
    pub above: bool,
    /// There is a header column.
    pub beside: bool,
}

impl Labels {
    /// Told by the shape and a word where only one header is there, and by the cells where both or
    /// none are. Numbers alone never make a single header: they may as well be costs.
    pub fn of(rows: &[StringRecord], delimiter: Delimiter) -> Result<Self, FormatError> {
        let top: Vec<&str> = rows.first().into_iter().flatten().collect();
        let side: Vec<&str> = rows.iter().filter_map(|row| row.get(0)).collect();
        let owned = |ids: &[&str]| Some(ids.iter().map(|&id| id.to_owned()).collect());
        let is_text = |cell: &&str| is_text(cell, delimiter);
        let is_name = |cell: &&str| is_text(cell) && !stands_for_nothing(cell);
        if rows.len() == top.len() + 1 {
            return match top.iter().any(is_name) {
                true => Ok(Self { ids: owned(&top), above: true, beside: false }),
                false => Err(not_square(rows.len(), top.len())),
            };
        }
        if top.len() == rows.len() + 1 && !rows.is_empty() {
            return match side.iter().any(is_name) {
                true => Ok(Self { ids: owned(&side), above: false, beside: true }),
                false => Err(not_square(rows.len(), top.len())),
            };
        }
        let (above, beside) = (top.get(1..).unwrap_or_default(), side.get(1..).unwrap_or_default());
        let named = above.iter().chain(beside).any(is_text);
        let corner = top.first().copied().unwrap_or_default();
        if above != beside && (named || is_text(&corner)) {
            return Err(different(rows, delimiter, above, beside));
        }
        // Ids that are numbers are told from costs by the corner. An empty one may be a diagonal
        // of empty cells too.
        let second = rows.get(1).and_then(|row| row.get(1)).is_some_and(|cell| !cell.is_empty());
        let numbered = corner.is_empty() && above == beside && second;
        if is_text(&corner) && !named && !is_corner(corner) {
            return Err(FormatError::new(
                "csv-labels",
                format!(
                    "the corner is `{}`, and the first row and column are the same numbers: ids or costs",
                    shown(corner, 40)
                ),
                "if they are ids, leave the corner empty or write `id` there; if they are costs, write 0 there",
            ));
        }
        match named || numbered || is_text(&corner) {
            true => Ok(Self { ids: owned(above), above: true, beside: true }),
            false => Ok(Self { ids: None, above: false, beside: false }),
        }
    }
}

/// Drops a last column of empty cells where the shape shows that it is one too many: some programs
/// end every line with a delimiter.
pub(super) fn without_blank_column(rows: &mut [StringRecord], delimiter: Delimiter) -> Option<Note> {
    let columns = rows.first().map_or(0, StringRecord::len);
    let blank = |row: &StringRecord| row.len() == columns && row.get(columns - 1) == Some("");
    if columns < 2 || !rows.iter().all(blank) {
        return None;
    }
    let top = || rows.first().into_iter().flatten();
    let side = || rows.iter().filter_map(|row| row.get(0));
    let is_text = |cell: &str| is_text(cell, delimiter);
    let same = top().take(columns - 1).skip(1).eq(side().skip(1));
    let too_many = match columns.checked_sub(rows.len()) {
        // A header row of one cell less.
        Some(0) => top().take(columns - 1).any(is_text) && !top().skip(1).eq(side().skip(1)),
        // A header column of words makes the same shape; then the last node is one nobody reaches.
        Some(1) => same || !side().any(is_text),
        Some(2) => side().any(is_text),
        _ => false,
    };
    if !too_many {
        return None;
    }
    for row in rows.iter_mut() {
        row.truncate(columns - 1);
    }
    Some(Note::new("column-dropped", "every line ends with an empty cell; that column was left out"))
}

/// The error of a cell that is no number.
pub(super) fn no_number(from: usize, to: usize, cell: &str) -> FormatError {
    let action = if cell.contains(',') {
        "give numbers without marks that group thousands; a decimal comma needs tab or semicolon between cells"
    } else if cell.contains(char::is_whitespace) {
        "separate cells with tab, semicolon or comma"
    } else if cell.contains(':') {
        "give numbers; times of day belong into the stops CSV"
    } else {
        "give numbers; an empty cell, inf or null is a pair without a way"
    };
    let cause = format!("the entry from {from} to {to} is `{}`", shown(cell, 40));
    FormatError::new("not-a-number", cause, action)
}

/// Why the first row and the first column are no headers of one matrix, though there are words.
fn different(rows: &[StringRecord], delimiter: Delimiter, above: &[&str], beside: &[&str]) -> FormatError {
    let (top, first) = (above.len() + 1, rows.first().and_then(|row| row.get(0)).unwrap_or_default());
    if rows.iter().all(|row| row.len() == 1) {
        let cause = format!("the first line is `{}`, one cell like every other", shown(first, 40));
        return FormatError::new("csv-syntax", cause, "separate cells with tab, semicolon or comma");
    }
    if top != rows.len() {
        let cause = format!(
            "the first row, which begins with `{}`, has {top} cells, and there are {} rows",
            shown(first, 40),
            rows.len()
        );
        let action = "give as many rows as columns, headers included; titles and comments are not read";
        return FormatError::new("csv-labels", cause, action);
    }
    // Where nearly all are numbers, no headers were meant.
    let edge = || above.iter().chain(beside).copied().chain([first]);
    let words = edge().filter(|cell| is_text(cell, delimiter)).count();
    if 2 * words <= edge().count() {
        let cells = rows
            .iter()
            .enumerate()
            .flat_map(|(from, row)| row.iter().enumerate().map(move |(to, cell)| (from, to, cell)));
        if let Some((from, to, cell)) = cells.into_iter().find(|(_, _, cell)| is_text(cell, delimiter)) {
            return no_number(from, to, cell);
        }
    }
    let differing = above.iter().zip(beside).find(|(above, beside)| above != beside);
    let (above, beside) = differing.map_or(("", ""), |(&above, &beside)| (above, beside));
    let (above, beside) = (shown(above, 40), shown(beside, 40));
    FormatError::new(
        "csv-labels",
        format!("the header row and the first column name different nodes: `{above}` and `{beside}`"),
        "give the nodes in one order; words other than inf and null belong into headers only",
    )
}

fn is_text(cell: &str, delimiter: Delimiter) -> bool {
    Numerals::of(delimiter).value(cell, decimal).is_none()
}

/// Whether a cell that is no number stands where a number is missing, and is nobody's name.
fn stands_for_nothing(cell: &str) -> bool {
    let wordless = !cell.chars().any(char::is_alphanumeric);
    wordless || ["nan", "na", "n/a", "n.a."].iter().any(|word| cell.eq_ignore_ascii_case(word))
}

fn is_corner(cell: &str) -> bool {
    let mut words = cell.split(|letter: char| !letter.is_alphanumeric());
    words.any(|word| CORNERS.iter().any(|corner| word.eq_ignore_ascii_case(corner)))
}

fn not_square(rows: usize, columns: usize) -> FormatError {
    FormatError::new(
        "not-square",
        format!("there are {rows} rows of {columns} numbers"),
        "give as many rows as columns; ids that are numbers stand in a header row and in the first column",
    )
}
