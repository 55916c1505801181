//! One thing that went wrong or is worth knowing, for people and for programs.

use radar::Finding;
use serde::{Deserialize, Serialize};

/// A stable code, the cause, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// `error`, `blocker`, `warning` or `unserved`.
    pub severity: String,
    /// Stable, for programs.
    pub code: String,
    /// What is wrong and where.
    pub cause: String,
    /// What to do about it.
    pub action: String,
    /// The nodes it is about.
    pub nodes: Vec<usize>,
}

impl Message {
    /// An error about no node in particular.
    pub fn error(code: &str, cause: impl Into<String>, action: impl Into<String>) -> Self {
        Self {
            severity: "error".to_owned(),
            code: code.to_owned(),
            cause: cause.into(),
            action: action.into(),
            nodes: Vec::new(),
        }
    }

    /// The message for people, in two lines.
    pub fn lines(&self) -> String {
        format!("{} [{}]: {}\n    -> {}", self.severity, self.code, self.cause, self.action)
    }
}

impl From<&Finding> for Message {
    fn from(finding: &Finding) -> Self {
        Self {
            severity: finding.severity().as_str().to_owned(),
            code: finding.code.to_string(),
            cause: finding.cause.clone(),
            action: finding.action.clone(),
            nodes: finding.nodes.clone(),
        }
    }
}
