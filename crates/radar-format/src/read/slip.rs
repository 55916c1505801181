//! Lengths a little below nothing.
//!
//! For two points on one stretch of street routing engines now and then answer a few decimetres less than
//! 0. That is a slip of rounding, not a cost: it is read as 0, and said. Anything more stays for validation to
//! refuse.

use radar_problem::Table;

use super::{Note, note_once};

/// The largest slip, in kilometres.
const LARGEST_KM: f64 = 0.001;

/// Reads slips of `table` as 0; `kilometres` is its unit of length.
pub(super) fn mend(table: Table, kilometres: f64, notes: &mut Vec<Note>) -> Table {
    let is_slip = |value: f64| value < 0.0 && value * kilometres > -LARGEST_KM;
    let count = table.iter().filter(|&value| is_slip(value)).count();
    if count == 0 {
        return table;
    }
    let text = format!("{count} lengths less than a metre below 0 were read as 0");
    note_once(notes, Note::new("negative-slip", text));
    table.map(|value| if is_slip(value) { 0.0 } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_said_and_more_is_kept() {
        let mut notes = Vec::new();
        let table = Table::from_rows(vec![vec![0.0, -0.1], vec![-3.0, 0.0]]);
        let mended = mend(table, 0.001, &mut notes);
        assert_eq!(*mended.values(), [0.0, 0.0, -3.0, 0.0]);
        assert_eq!(notes[0].code, "negative-slip");
        let mut notes = Vec::new();
        mend(Table::from_rows(vec![vec![-0.0]]), 1.0, &mut notes);
        assert!(notes.is_empty());
    }
}
