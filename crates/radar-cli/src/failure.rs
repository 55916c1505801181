//! How a command ends: exit codes, and errors that say what to do.

use std::process::ExitCode;

use radar::{Finding, SolveError};
use radar_format::FormatError;
use radar_wire::{Blame, Message};
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
        Self { exit, source: None, messages: vec![Message::error(code, cause, action)], json: false }
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
        json!({ "source": self.source, "exit": self.exit as u8, "findings": self.messages })
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

impl From<rayon::ThreadPoolBuildError> for Failure {
    fn from(error: rayon::ThreadPoolBuildError) -> Self {
        Self::new(Exit::Internal, "threads", error.to_string(), "use fewer threads")
    }
}

impl From<radar_wire::Failure> for Failure {
    fn from(failure: radar_wire::Failure) -> Self {
        let exit = match failure.blame {
            Blame::Input => Exit::BadInput,
            Blame::Problem => Exit::Blocked,
            Blame::Program => Exit::Internal,
        };
        Self { exit, source: None, messages: failure.messages, json: false }
    }
}

impl From<FormatError> for Failure {
    fn from(error: FormatError) -> Self {
        radar_wire::Failure::from(error).into()
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Self {
        radar_wire::Failure::from(error).into()
    }
}
