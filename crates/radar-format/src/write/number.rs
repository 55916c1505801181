//! Numbers as text formats write them.

use std::fmt;

use radar_problem::{Precision, Table, seven_digits};

/// The shortest decimal that reads back to the same double, without exponent; `inf` for infinity.
pub(super) struct Plain(pub f64);

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The same with JSON's word for what is not finite.
pub(super) struct Json(pub f64);

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.is_finite() {
            true => write!(f, "{}", self.0),
            false => f.write_str("null"),
        }
    }
}

/// The decimal that an entry of `table` stands for.
pub(super) fn stated(table: &Table, value: f64) -> f64 {
    match table.precision() {
        Precision::Double => value,
        Precision::Single => seven_digits(value),
    }
}

/// A number for people: at most `digits` decimals, no trailing zeros.
pub(super) fn rounded(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortest_and_plain() {
        assert_eq!(Plain(5.0).to_string(), "5");
        assert_eq!(Plain(0.1).to_string(), "0.1");
        assert_eq!(Plain(1e21).to_string(), "1000000000000000000000");
        assert_eq!(Plain(f64::INFINITY).to_string(), "inf");
        assert_eq!(Json(f64::INFINITY).to_string(), "null");
        assert_eq!(rounded(12.3400, 2), "12.34");
        assert_eq!(rounded(100.0, 1), "100");
        assert_eq!(rounded(100.0, 0), "100");
        let table = Table::from_rows(vec![vec![f64::from(304.8_f32)]]).single();
        assert_eq!(stated(&table, table.at(0, 0)), 304.8);
    }
}
