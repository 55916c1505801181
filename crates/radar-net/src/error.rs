//! Why a configuration or a file of weights was refused.

/// A stable code, the cause with names and numbers, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("error [{code}]: {cause}; {action}")]
pub struct NetError {
    /// Stable, for programs.
    pub code: &'static str,
    /// What is wrong and where (key, tensor, shape).
    pub cause: String,
    /// What to do about it.
    pub action: String,
}

impl NetError {
    /// An error with all three parts.
    pub fn new(code: &'static str, cause: impl Into<String>, action: impl Into<String>) -> Self {
        Self { code, cause: cause.into(), action: action.into() }
    }
}
