//! Amounts in words.

/// Some things, one or more.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Bytes.
pub(crate) fn memory(bytes: f64) -> String {
    if bytes < 1e9 { format!("{:.0} MB", bytes / 1e6) } else { format!("{:.1} GB", bytes / 1e9) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_several() {
        assert_eq!([1, 2].map(|count| counted(count, "point")), ["1 point", "2 points"]);
        assert_eq!([2e6, 1.25e9].map(memory), ["2 MB", "1.2 GB"]);
    }
}
