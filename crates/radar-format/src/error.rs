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
}

impl FormatError {
    /// An error with all three parts.
    pub fn new(code: &'static str, cause: impl Into<String>, action: impl Into<String>) -> Self {
        Self { code, cause: cause.into(), action: action.into() }
    }
}
