//! What is refused, as an exception of the package.

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use radar_net::NetError;
use radar_train::TrainError;
use radar_wire::{Blame, Failure, Message};

use crate::attend::Ended;

/// The exception that `radar._errors` makes of a failure.
pub fn raised(py: Python<'_>, failure: &Failure) -> PyErr {
    let blame = match failure.blame {
        Blame::Input => "input",
        Blame::Problem => "problem",
        Blame::Program => "program",
    };
    made(py, blame, &failure.messages)
}

/// The exception for what was not begun any more.
pub fn unbegun(py: Python<'_>, ended: Option<Ended>) -> PyErr {
    const AGAIN: &str = "call again for the rest";
    let (cause, action) = match ended {
        Some(Ended::ByCaller) => ("it was not begun before the caller ended the work", AGAIN),
        Some(Ended::ByClosing) => ("the interpreter is about to end", "wait for calls before it does"),
        _ => ("it was not begun before Ctrl-C", AGAIN),
    };
    made(py, "interrupted", &[Message::error("interrupted", cause, action)])
}

/// The exception for work of which a part is no result.
pub fn cut_short(py: Python<'_>, ended: Ended) -> PyErr {
    match ended {
        Ended::ByClosing => unbegun(py, Some(ended)),
        Ended::Interrupted | Ended::ByCaller => PyKeyboardInterrupt::new_err(()),
    }
}

/// Why there are no threads.
pub fn no_threads(error: &impl std::fmt::Display) -> Failure {
    Failure::new(Blame::Program, "threads", error.to_string(), "allow more threads to this process")
}

/// Why a network was refused, as a failure of the input.
pub fn of_network(error: NetError) -> Failure {
    Failure::input(error.code, error.cause, error.action)
}

/// Why training was refused.
pub fn of_training(error: TrainError) -> Failure {
    let blame = if error.code == "internal" { Blame::Program } else { Blame::Input };
    Failure::new(blame, error.code, error.cause, error.action)
}

/// An option that means nothing.
pub fn bad_option(cause: impl Into<String>) -> Failure {
    Failure::input("bad-option", cause, "give what the docstring of the function names")
}

/// Messages as dictionaries.
pub fn messages<'py>(py: Python<'py>, messages: &[Message]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for message in messages {
        let one = PyDict::new(py);
        one.set_item("severity", &message.severity)?;
        one.set_item("code", &message.code)?;
        one.set_item("cause", &message.cause)?;
        one.set_item("action", &message.action)?;
        one.set_item("nodes", &message.nodes)?;
        list.append(one)?;
    }
    Ok(list)
}

fn made(py: Python<'_>, blame: &str, all: &[Message]) -> PyErr {
    let made = messages(py, all)
        .and_then(|messages| py.import("radar._errors")?.getattr("make")?.call1((blame, messages)));
    made.map_or_else(|error| error, PyErr::from_value)
}
