//! Why there is no answer, in messages.

use radar::{Finding, SolveError};
use radar_format::FormatError;

use crate::message::Message;

/// Whose matter a failure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The input or the request is wrong.
    Input,
    /// No plan can serve every stop, or none was found.
    Problem,
    /// A defect of this program.
    Program,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Whose matter it is.
    pub blame: Blame,
    /// What to say, the most important first; never empty.
    pub messages: Vec<Message>,
}

impl Failure {
    /// A failure with one error.
    pub fn new(blame: Blame, code: &str, cause: impl Into<String>, action: impl Into<String>) -> Self {
        Self { blame, messages: vec![Message::error(code, cause, action)] }
    }

    /// A failure of the input.
    pub fn input(code: &str, cause: impl Into<String>, action: impl Into<String>) -> Self {
        Self::new(Blame::Input, code, cause, action)
    }

    /// A failure from findings.
    pub fn findings(blame: Blame, findings: &[Finding]) -> Self {
        match findings {
            [] => Self::new(Blame::Program, "internal", "a failure without findings", "please report it"),
            _ => Self { blame, messages: findings.iter().map(Message::from).collect() },
        }
    }
}

impl From<FormatError> for Failure {
    fn from(error: FormatError) -> Self {
        Self::input(error.code, error.cause, error.action)
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Self {
        let cause = error.to_string();
        match error {
            SolveError::Malformed(findings) => Self::findings(Blame::Input, &findings),
            SolveError::Frozen(_) => {
                let action = "shorten the beginnings that stay, or give the problem that they belong to";
                Self::input("frozen-refused", cause, action)
            }
            SolveError::Model(error) => Self::input(error.code, cause, error.action),
            SolveError::Blocked(findings) => Self::findings(Blame::Problem, &findings),
            SolveError::Incomplete { unserved, findings, .. } => {
                let action =
                    "allow more vehicles, relax what is named below, or serve the rest with --allow-unserved";
                let mut first = Message::error("no-complete-plan-found", cause, action);
                first.nodes = unserved.iter().map(|stop| stop.node).collect();
                const SHOWN: usize = 10;
                let stops = unserved.iter().take(SHOWN).map(|stop| Message {
                    severity: "unserved".to_owned(),
                    code: "stop-left-out".to_owned(),
                    cause: format!("stop {}: {}", stop.node, stop.sentences().join("; ")),
                    action: "any one of what is enough would let it in".to_owned(),
                    nodes: vec![stop.node],
                });
                let rest = findings.iter().map(Message::from);
                Self {
                    blame: Blame::Problem,
                    messages: std::iter::once(first).chain(stops).chain(rest).collect(),
                }
            }
            _ => Self::new(Blame::Program, "internal", cause, "please report it with the input file"),
        }
    }
}
