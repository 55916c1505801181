//! Numbers as people and programs write them.

/// A number of a text format: a decimal, or one of the words for "unreachable" or "never", which
/// is infinity. `None` for everything else, `nan` included.
pub(crate) fn decimal(text: &str) -> Option<f64> {
    let text = text.trim();
    if is_endless(text) {
        return Some(f64::INFINITY);
    }
    // The standard parser also takes `nan` and `-inf`, which mean nothing here.
    let starts_well = text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first));
    let value: f64 = text.parse().ok().filter(|_| starts_well)?;
    (value != f64::NEG_INFINITY && !value.is_nan()).then_some(value)
}

/// Whether a word says that there is no way, or no end.
fn is_endless(text: &str) -> bool {
    let text = text.strip_prefix('+').unwrap_or(text);
    ["", "inf", "infinity", "null", "none"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// A time of day or a span, `8:30` or `08:30:15`, in seconds.
pub(crate) fn clock(text: &str) -> Option<f64> {
    let mut parts = text.trim().split(':');
    let hours = digits(parts.next()?)?;
    let minutes = digits(parts.next()?).filter(|&minutes| minutes < 60)?;
    let seconds = parts.next().map_or(Some(0), digits).filter(|&seconds| seconds < 60)?;
    match parts.next() {
        Some(_) => None,
        None => Some(f64::from(hours * 3600 + minutes * 60 + seconds)),
    }
}

fn digits(text: &str) -> Option<u32> {
    let plain = !text.is_empty() && text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals() {
        for (text, value) in [
            ("1.5", Some(1.5)),
            (" -2e3 ", Some(-2000.0)),
            (".5", Some(0.5)),
            ("", Some(f64::INFINITY)),
            ("Inf", Some(f64::INFINITY)),
            ("+infinity", Some(f64::INFINITY)),
            ("null", Some(f64::INFINITY)),
            ("1e999", Some(f64::INFINITY)),
            ("-inf", None),
            ("-1e999", None),
            ("nan", None),
            ("-nan", None),
            ("1,5", None),
            ("x", None),
        ] {
            assert_eq!(decimal(text), value, "{text}");
        }
    }

    #[test]
    fn clocks() {
        for (text, seconds) in [
            ("08:30", Some(30_600.0)),
            ("8:30:15", Some(30_615.0)),
            ("26:00", Some(93_600.0)),
            ("08:60", None),
            ("8", None),
            ("-1:00", None),
            ("1:2:3:4", None),
            ("99999:00", None),
            (":30", None),
        ] {
            assert_eq!(clock(text), seconds, "{text}");
        }
    }
}
