//! Small tables for people.

/// Rows of cells under headers; numbers to the right, words to the left.
pub struct Table {
    headers: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headers. One that ends in `<` is a column of words.
    pub fn new(headers: &[&'static str]) -> Self {
        Self { headers: headers.to_vec(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Adds further lines under the last cell of the last row.
    pub fn continued(&mut self, lines: impl IntoIterator<Item = String>) {
        let empty = self.headers.len().saturating_sub(1);
        for line in lines {
            self.rows.push(std::iter::repeat_n(String::new(), empty).chain([line]).collect());
        }
    }

    /// Leaves out a column in which every cell is empty.
    fn is_used(&self, column: usize) -> bool {
        self.rows.iter().any(|row| row.get(column).is_some_and(|cell| !cell.is_empty()))
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let columns: Vec<usize> = (0..self.headers.len()).filter(|&column| self.is_used(column)).collect();
        let headers: Vec<String> =
            self.headers.iter().map(|header| header.trim_end_matches('<').to_owned()).collect();
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.chain([&headers[column]]).map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        for row in std::iter::once(&headers).chain(&self.rows) {
            let mut line = String::new();
            for &column in &columns {
                let cell = row.get(column).map_or("", String::as_str);
                let width = width(column);
                match self.headers[column].ends_with('<') {
                    true => line.push_str(&format!("  {cell:<width$}")),
                    false => line.push_str(&format!("  {cell:>width$}")),
                }
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_columns_go_and_the_rest_lines_up() {
        let mut table = Table::new(&["n", "void", "name<"]);
        table.row(vec!["1".into(), String::new(), "a".into()]);
        table.row(vec!["100".into(), String::new(), "bé".into()]);
        assert_eq!(table.to_string(), "    n  name\n    1  a\n  100  bé\n");
    }
}
