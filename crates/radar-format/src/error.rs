//! Why a file could not be read or written.

/// A stable code, the cause with its place, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("error [{code}]: {cause}; {action}")]
pub struct FormatError {
    /// Stable, for programs.
    pub code: &'static str,
    /// What is wrong and where (line, key, index).
    pub cause: String,
    /// What to do about it.
    pub action: String,
    /// Which of the given files it is about.
    pub origin: Origin,
}

/// Which of the files that make a problem something is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// The problem, or its table.
    #[default]
    File,
    /// The stops that go with it.
    Stops,
}

impl FormatError {
    /// An error with all three parts.
    pub fn new(code: &'static str, cause: impl Into<String>, action: impl Into<String>) -> Self {
        Self { code, cause: cause.into(), action: action.into(), origin: Origin::File }
    }

    /// A key, column or array that nobody knows, with the known one it most resembles.
    pub(crate) fn unknown_key(what: &str, found: &str, known: &[&str]) -> Self {
        let found: String = found.chars().take(40).collect();
        let action = match nearest(&found, known) {
            Some(near) => format!("did you mean `{near}`? known are {}", known.join(", ")),
            None => format!("known are {}", known.join(", ")),
        };
        Self::new("unknown-key", format!("`{found}` is no {what}"), action)
    }
}

/// The known name with the fewest changed letters, if it is near enough to be meant.
fn nearest<'a>(found: &str, known: &[&'a str]) -> Option<&'a str> {
    let found = found.to_lowercase();
    let near = known.iter().map(|&name| (changes(&found, name), name)).min()?;
    (near.0 <= near.1.len().max(3) / 3 + 1).then_some(near.1)
}

/// How many letters have to be added, removed or replaced.
fn changes(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for (row, letter) in from.chars().enumerate() {
        let mut left = row + 1;
        let mut line = vec![left];
        for (&other, pair) in to.iter().zip(above.windows(2)) {
            left = (pair[0] + usize::from(letter != other)).min(pair[1] + 1).min(left + 1);
            line.push(left);
        }
        above = line;
    }
    above.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_the_one_meant() {
        let known = ["demand", "distance", "duration", "windows"];
        for (found, meant) in
            [("demnd", Some("demand")), ("Distances", Some("distance")), ("colour", None), ("", None)]
        {
            assert_eq!(nearest(found, &known), meant, "{found}");
        }
        assert_eq!(changes("kitten", "sitting"), 3);
        assert_eq!(changes("", "abc"), 3);
    }
}
