//! Spans of time as people write them: 90s, 2h, 1h30m.

use std::time::Duration;

/// What a span may look like.
pub(crate) const VALID: &str = "a span of time such as 90s, 45m, 2h or 1h30m";

/// Reads a span.
pub(crate) fn parse(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let unit_at = rest.find(|letter: char| letter.is_ascii_alphabetic())?;
        let (digits, from_unit) = rest.split_at(unit_at);
        let unit_end = from_unit.find(|letter: char| !letter.is_ascii_alphabetic());
        let (unit, after) = from_unit.split_at(unit_end.unwrap_or(from_unit.len()));
        let factor = match unit {
            "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            "d" => 86_400.0,
            _ => return None,
        };
        let number: f64 = digits.trim().parse().ok().filter(|_| !digits.contains(['-', '+']))?;
        seconds += number * factor;
        rest = after.trim_start();
    }
    const MOST: f64 = 1e9;
    let span = (seconds > 0.0 && seconds <= MOST).then(|| Duration::from_secs_f64(seconds));
    span.filter(|span| !span.is_zero())
}

/// Writes a span so that it reads back as the same.
pub(crate) fn write(span: Duration) -> String {
    format!("{}s", span.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_and_written() {
        for (text, seconds) in
            [("90s", 90.0), ("2h", 7200.0), ("1h30m", 5400.0), ("0.5 h", 1800.0), ("1d", 86_400.0)]
        {
            assert_eq!(parse(text).map(|span| span.as_secs_f64()), Some(seconds), "{text}");
        }
        let span = Duration::from_millis(1234);
        assert_eq!(parse(&write(span)), Some(span));
        for wrong in
            ["", "2", "h", "-1h", "2 parsecs", "NaNs", "1e30h", "0s", "1h-59m", "+1h", "0.0000000001s"]
        {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
