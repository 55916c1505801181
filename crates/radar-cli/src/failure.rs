//! How a command ends: exit codes, and errors that say what to do.

use std::process::ExitCode;

use radar::{Finding, SolveError};
use radar_format::FormatError;
use serde_json::{Value, json};

use crate::output;

/// The documented exit codes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Everything asked for was done.
    #[default]
    Done = 0,
    /// A plan breaks a constraint.
    Refused = 1,
    /// The input or the command line is wrong.
    BadInput = 2,
    /// No plan can serve every stop, or none was found.
    Blocked = 3,
    /// A defect.
    Internal = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// One thing that went wrong, for people and for programs.
#[derive(Clone, Debug)]
pub struct Message {
    severity: &'static str,
    code: String,
    cause: String,
    action: String,
    nodes: Vec<usize>,
}

impl From<&Finding> for Message {
    fn from(finding: &Finding) -> Self {
        Self {
            severity: finding.severity().as_str(),
            code: finding.code.to_string(),
            cause: finding.cause.clone(),
            action: finding.action.clone(),
            nodes: finding.nodes.clone(),
        }
    }
}

impl Message {
    /// The message for programs.
    pub fn to_json(&self) -> Value {
        json!({
            "severity": self.severity, "code": self.code, "cause": self.cause, "action": self.action,
            "nodes": self.nodes,
        })
    }

    /// The message for people, in two lines.
    pub fn lines(&self) -> String {
        format!("{} [{}]: {}\n    -> {}", self.severity, self.code, self.cause, self.action)
    }
}

/// Why a command did not do what was asked.
#[derive(Clone, Debug)]
pub struct Failure {
    exit: Exit,
    source: Option<String>,
    messages: Vec<Message>,
    json: bool,
}

impl Failure {
    /// A failure with one error.
    pub fn new(exit: Exit, code: &str, cause: impl Into<String>, action: impl Into<String>) -> Self {
        let message = Message {
            severity: "error",
            code: code.to_owned(),
            cause: cause.into(),
            action: action.into(),
            nodes: Vec::new(),
        };
        Self { exit, source: None, messages: vec![message], json: false }
    }

    /// A failure of the command line or the input.
    pub fn input(code: &str, cause: impl Into<String>, action: impl Into<String>) -> Self {
        Self::new(Exit::BadInput, code, cause, action)
    }

    /// A failure from findings.
    pub fn findings(exit: Exit, findings: &[Finding]) -> Self {
        Self { exit, source: None, messages: findings.iter().map(Message::from).collect(), json: false }
    }

    /// Names the file it is about.
    pub fn of(mut self, source: &str) -> Self {
        self.source.get_or_insert_with(|| source.to_owned());
        self
    }

    /// Prints as JSON on standard output when asked to.
    pub fn for_programs(mut self, json: bool) -> Self {
        self.json |= json;
        self
    }

    /// The exit code.
    pub fn exit(&self) -> Exit {
        self.exit
    }

    /// The failure for programs.
    pub fn to_json(&self) -> Value {
        let findings: Vec<Value> = self.messages.iter().map(Message::to_json).collect();
        json!({ "source": self.source, "exit": self.exit as u8, "findings": findings })
    }

    /// Says what went wrong and gives the exit code.
    pub fn print(&self) -> ExitCode {
        if self.json {
            output::line(&self.to_json().to_string());
        } else {
            self.complain();
        }
        self.exit.into()
    }

    /// Says what went wrong on standard error.
    pub fn complain(&self) {
        if let Some(source) = &self.source {
            output::complain(&format!("{source}:"));
        }
        for message in &self.messages {
            output::complain(&message.lines());
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
            SolveError::Malformed(findings) => Self::findings(Exit::BadInput, &findings),
            SolveError::Frozen(_) => {
                let action = "shorten the beginnings that stay, or give the problem that they belong to";
                Self::new(Exit::BadInput, "frozen-refused", cause, action)
            }
            SolveError::Model(error) => Self::new(Exit::BadInput, error.code, cause, error.action),
            SolveError::Blocked(findings) => Self::findings(Exit::Blocked, &findings),
            SolveError::Incomplete { unserved, findings, .. } => {
                let action =
                    "allow more vehicles, relax what is named below, or serve the rest with --allow-unserved";
                let mut failure = Self::new(Exit::Blocked, "no-complete-plan-found", cause, action);
                failure.messages[0].nodes = unserved.iter().map(|stop| stop.node).collect();
                const SHOWN: usize = 10;
                for stop in unserved.iter().take(SHOWN) {
                    failure.messages.push(Message {
                        severity: "unserved",
                        code: "stop-left-out".to_owned(),
                        cause: format!("stop {}: {}", stop.node, stop.sentences().join("; ")),
                        action: "any one of what is enough would let it in".to_owned(),
                        nodes: vec![stop.node],
                    });
                }
                failure.messages.extend(findings.iter().map(Message::from));
                failure
            }
            _ => Self::new(Exit::Internal, "internal", cause, "please report it with the input file"),
        }
    }
}
