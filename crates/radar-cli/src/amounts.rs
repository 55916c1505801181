//! Numbers for people: thousands grouped, things counted, clock times, spans of time.

use std::time::Duration;

/// A number with grouped thousands and at most `digits` decimals, trailing zeros dropped.
pub fn number(value: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    let fraction = fraction.trim_end_matches('0');
    let sign = if value < 0.0 { "-" } else { "" };
    match fraction.is_empty() {
        true => format!("{sign}{grouped}"),
        false => format!("{sign}{grouped}.{fraction}"),
    }
}

/// Some things, one or more.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A cost: three decimals, more when it is small.
pub fn cost(value: f64) -> String {
    let magnitude = value.abs().log10().floor();
    let digits = if magnitude.is_finite() { (5.0 - magnitude).clamp(3.0, 12.0) as usize } else { 3 };
    number(value, digits)
}

/// A moment: a clock time when the unit is seconds, a number otherwise.
pub fn moment(value: f64, unit: Option<&str>) -> String {
    if unit != Some("s") || value < 0.0 {
        return number(value, 2);
    }
    radar_problem::clock(value)
}

/// Wall time.
pub fn span(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        _ if seconds < 0.001 => format!("{:.0} µs", seconds * 1e6),
        _ if seconds < 1.0 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{seconds:.2} s"),
    }
}

/// Reads a span such as `0.5s`, `300ms`, `2m`, `1h` or `10` (seconds).
pub fn parse_span(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let unit_at = text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(unit_at);
    let factor = match unit {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        other => return Err(format!("`{other}` is no unit of time: use ms, s, m or h, for instance 0.5s")),
    };
    let value: f64 =
        digits.trim().parse().map_err(|_| format!("`{text}` is no span of time such as 0.5s"))?;
    let seconds = value * factor;
    if !(0.0..=1e9).contains(&seconds) {
        return Err(format!("`{text}` is out of range: 0 to 1000000000 seconds"));
    }
    Ok(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(number(1234567.5, 2), "1 234 567.5");
        assert_eq!(number(-0.125, 2), "-0.12");
        assert_eq!(number(999.0, 3), "999");
    }

    #[test]
    fn one_is_not_several() {
        assert_eq!([0, 1, 2].map(|count| counted(count, "step")), ["0 steps", "1 step", "2 steps"]);
    }

    #[test]
    fn small_costs_keep_their_digits() {
        assert_eq!(cost(0.000_123_456_7), "0.000123457");
        assert_eq!(cost(62_588.6), "62 588.6");
        assert_eq!(cost(0.0), "0");
        assert_eq!(cost(1.580_123_4), "1.58012");
    }

    #[test]
    fn seconds_are_clock_times() {
        assert_eq!(moment(30_600.0, Some("s")), "8:30");
        assert_eq!(moment(30_661.4, Some("s")), "8:31:01");
        assert_eq!(moment(12.5, Some("min")), "12.5");
    }

    #[test]
    fn spans_are_read() {
        assert_eq!(parse_span("0.5s"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_span("300ms"), Ok(Duration::from_millis(300)));
        assert_eq!(parse_span("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_span("10"), Ok(Duration::from_secs(10)));
        for wrong in ["", "s", "-1s", "5 parsecs", "NaN", "1e300h", "inf"] {
            assert!(parse_span(wrong).is_err(), "{wrong}");
        }
    }
}
