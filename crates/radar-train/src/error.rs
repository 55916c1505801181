//! Why training was refused, or ended.

use std::path::Path;

use radar_format::FormatError;
use radar_net::NetError;

/// A stable code, the cause with names and numbers, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("error [{code}]: {cause}; {action}")]
pub struct TrainError {
    /// Stable, for programs.
    pub code: &'static str,
    /// What is wrong and where (key, value, file).
    pub cause: String,
    /// What to do about it.
    pub action: String,
}

impl TrainError {
    /// An error with all three parts.
    pub fn new(code: &'static str, cause: impl Into<String>, action: impl Into<String>) -> Self {
        Self { code, cause: cause.into(), action: action.into() }
    }

    /// A configuration that means nothing.
    pub(crate) fn config(cause: impl Into<String>, action: impl Into<String>) -> Self {
        Self::new("config", cause, action)
    }

    /// Numbers that have run away.
    pub(crate) fn diverged(what: impl Into<String>) -> Self {
        let action = "start another run from the last sound weights at a lower rate: \
                      --init RUN/last.safetensors --set optimiser.lr=...";
        Self::new("diverged", what, action)
    }

    /// A file that cannot be read.
    pub(crate) fn unreadable(path: &Path, why: impl std::fmt::Display) -> Self {
        Self::new("unreadable", format!("{}: {why}", path.display()), "check the path and its permissions")
    }

    /// A file that cannot be written.
    pub(crate) fn unwritable(path: &Path, why: impl std::fmt::Display) -> Self {
        Self::new("unwritable", format!("{}: {why}", path.display()), "give a place with room to write")
    }
}

impl From<NetError> for TrainError {
    fn from(error: NetError) -> Self {
        if error.code == "not-finite" {
            return Self::diverged(error.cause);
        }
        Self { code: error.code, cause: error.cause, action: error.action }
    }
}

impl From<FormatError> for TrainError {
    fn from(error: FormatError) -> Self {
        Self { code: error.code, cause: error.cause, action: error.action }
    }
}
