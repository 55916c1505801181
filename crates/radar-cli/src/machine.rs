//! What the machine tells, and amounts of its memory in words.

pub use radar_machine::{cpu_time, free_memory};

/// Reads a number of bytes such as 500M, 2G or 1000000.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is no amount of memory such as 500M or 2G");
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic());
    let factor = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 1.0,
        "K" | "KB" => 1e3,
        "M" | "MB" => 1e6,
        "G" | "GB" => 1e9,
        _ => return Err(wrong()),
    };
    let bytes = digits.parse::<f64>().map_err(|_| wrong())? * factor;
    if (1.0..1e18).contains(&bytes) { Ok(bytes as u64) } else { Err(wrong()) }
}

/// A number of bytes for people.
pub fn shown(bytes: u64) -> String {
    match bytes as f64 {
        bytes if bytes < 1e9 => format!("{:.1} MB", bytes / 1e6),
        bytes => format!("{:.1} GB", bytes / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        assert_eq!(parse_size("500M"), Ok(500_000_000));
        assert_eq!(parse_size("1.5gb"), Ok(1_500_000_000));
        assert_eq!(parse_size("4096"), Ok(4096));
        for wrong in ["", "M", "-1G", "2T", "NaN", "1e300", "0"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }
}
