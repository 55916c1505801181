//! References in CSV: a row per instance.

use std::collections::BTreeMap;

use csv::StringRecord;

use super::{FORMS, Reference, References, duplicate, wrong};
use crate::failure::Failure;

/// Reads a file's content.
pub fn read(content: &[u8]) -> Result<References, Failure> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(content);
    let headers = reader.headers().map_err(|error| wrong(error.to_string(), FORMS))?.clone();
    let column = |name: &str| headers.iter().position(|header| header.eq_ignore_ascii_case(name));
    let (Some(name), Some(cost)) = (column("name"), column("cost")) else {
        return Err(wrong("the header has no columns `name` and `cost`", FORMS));
    };
    let (bound, optimal, instance) = (column("bound"), column("optimal"), column("instance"));
    let mut named = BTreeMap::new();
    let mut lines: BTreeMap<String, u64> = BTreeMap::new();
    for record in reader.records() {
        let record = record.map_err(|error| wrong(error.to_string(), FORMS))?;
        let row = Row { line: record.position().map_or(0, csv::Position::line), record };
        let name = row.cell(Some(name)).ok_or_else(|| row.wrong("name", "is empty", "name the instance"))?;
        if let Some(before) = lines.insert(name.to_owned(), row.line) {
            return Err(duplicate(format!("`{name}` stands in line {before} and in line {}", row.line)));
        }
        let cost = row.number(Some(cost), "cost")?;
        let reference = Reference {
            cost: cost.ok_or_else(|| row.wrong("cost", "is empty", "write a cost, or leave the row out"))?,
            bound: row.number(bound, "bound")?,
            optimal: row.truth(optimal, "optimal")?,
            instance: row.cell(instance).map(str::to_owned),
        };
        named.insert(name.to_owned(), reference.sound(&format!("line {} (`{name}`)", row.line))?);
    }
    Ok(References { origin: None, named })
}

/// One row, and where it stands.
struct Row {
    line: u64,
    record: StringRecord,
}

impl Row {
    /// What stands in a column, if anything does.
    fn cell(&self, column: Option<usize>) -> Option<&str> {
        self.record.get(column?).filter(|cell| !cell.is_empty())
    }

    fn number(&self, column: Option<usize>, name: &str) -> Result<Option<f64>, Failure> {
        let Some(cell) = self.cell(column) else { return Ok(None) };
        match cell.parse::<f64>().ok().filter(|number| number.is_finite()) {
            Some(number) => Ok(Some(number)),
            None => Err(self.wrong(name, &format!("has `{cell}`"), "write a number such as 1234.5")),
        }
    }

    fn truth(&self, column: Option<usize>, name: &str) -> Result<bool, Failure> {
        let cell = self.cell(column).unwrap_or_default();
        match cell.to_ascii_lowercase().as_str() {
            "true" | "yes" | "1" => Ok(true),
            "false" | "no" | "0" | "" => Ok(false),
            _ => {
                let action = "write true, false, yes, no, 1, 0 or nothing";
                Err(self.wrong(name, &format!("has `{cell}`"), action))
            }
        }
    }

    fn wrong(&self, column: &str, what: &str, action: &str) -> Failure {
        wrong(format!("line {}, column `{column}` {what}", self.line), action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read() {
        let table =
            b"name, cost, optimal, bound\na, 1.5, True, 1.5\nb, 2, , \nc, 3, no, 2.5\nd, 4, 1, 4.000001\n";
        let references = read(table).expect("CSV");
        let of = |name: &str| references.get(name).map(|one| (one.cost, one.bound, one.optimal)).expect(name);
        assert_eq!((of("a"), of("b")), ((1.5, Some(1.5), true), (2.0, None, false)));
        // What was rounded apart is the same.
        assert_eq!((of("c"), of("d")), ((3.0, Some(2.5), false), (4.0, Some(4.000_001), true)));
    }

    #[test]
    fn what_is_wrong_is_refused_by_line_and_column() {
        let head = "name,cost,bound,optimal\na,1,,\n";
        let cases = [
            ("b,2,,maybe\n", "line 3, column `optimal` has `maybe`"),
            ("b,2,low,\n", "line 3, column `bound` has `low`"),
            ("b,2,nan,\n", "line 3, column `bound` has `nan`"),
            ("b,x,,\n", "line 3, column `cost` has `x`"),
            ("b,,,\n", "line 3, column `cost` is empty"),
            (",2,,\n", "line 3, column `name` is empty"),
            ("b,-2,,\n", "line 3 (`b`) costs -2"),
            ("b,2,3,\n", "line 3 (`b`) has the bound 3, above its cost 2"),
            ("b,2,,\na,1,,\n", "`a` stands in line 2 and in line 4"),
            ("b\n", "line: 3"),
        ];
        for (rows, cause) in cases {
            let failure = read(format!("{head}{rows}").as_bytes()).expect_err(rows).to_json();
            let found = failure["findings"][0]["cause"].as_str().expect("a cause");
            assert!(found.contains(cause), "{rows}: {found}");
        }
        assert!(read(b"name\na\n").is_err());
    }
}
