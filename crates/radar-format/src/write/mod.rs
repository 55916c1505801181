//! Writing problems and answers.
//!
//! A format is one file here with one line in [`WRITERS`], [`SET_WRITERS`] or [`ANSWER_WRITERS`].
//! What a format cannot express is an error that names it. Only descriptions for people, a problem's
//! name and units, are left out where a format has no place for them; and `matrix` and `stops` are
//! parts of a problem by their names, to which [`options()`] adds the rest.

mod answer;
mod csv;
mod express;
mod geojson;
mod json;
mod npz;
mod number;
mod schedule;
mod sol;
mod solomon;
mod svg;
mod tsplib;
mod vroom;
mod vrplib;

use radar_problem::Problem;

use crate::FormatError;

pub use answer::{About, Answer, RouteSchedule, Scaling, Stop, Unserved, Warning};
pub use csv::{options, stops};
pub use vroom::{vroom, vroom_without_jobs};

/// One format in which a problem can be written.
pub struct Writer {
    /// The name of the format, as in `--to NAME`.
    pub name: &'static str,
    /// Writes it.
    pub write: fn(&Problem) -> Result<Vec<u8>, FormatError>,
}

/// Every format of one problem.
pub static WRITERS: &[Writer] = &[
    Writer { name: "json", write: json::problem },
    Writer { name: "tsplib", write: tsplib::problem },
    Writer { name: "vrplib", write: vrplib::problem },
    Writer { name: "solomon", write: solomon::problem },
    Writer { name: "csv", write: csv::whole },
    Writer { name: "matrix", write: csv::matrix },
    Writer { name: "stops", write: csv::stops },
    Writer { name: "npz", write: npz::problem },
    Writer { name: "npz-city", write: npz::rrnco::city },
];

/// One format in which a set of problems can be written.
pub struct SetWriter {
    /// The name of the format.
    pub name: &'static str,
    /// Writes it.
    pub write: fn(&[Problem]) -> Result<Vec<u8>, FormatError>,
}

/// Every format of a set.
pub static SET_WRITERS: &[SetWriter] = &[
    SetWriter { name: "json-lines", write: json::lines },
    SetWriter { name: "npz", write: npz::set },
    SetWriter { name: "npz-paper", write: npz::paper::set },
    SetWriter { name: "npz-rrnco", write: npz::rrnco::set },
];

/// One format in which an answer can be written.
pub struct AnswerWriter {
    /// The name of the format.
    pub name: &'static str,
    /// Writes it.
    pub write: fn(&Problem, &Answer) -> Result<Vec<u8>, FormatError>,
}

/// Every format of an answer.
pub static ANSWER_WRITERS: &[AnswerWriter] = &[
    AnswerWriter { name: "json", write: answer::write },
    AnswerWriter { name: "sol", write: sol::write },
    AnswerWriter { name: "csv", write: schedule::write },
    AnswerWriter { name: "geojson", write: geojson::write },
    AnswerWriter { name: "svg", write: svg::write },
];

/// Writes one problem in the named format.
pub fn problem(format: &str, problem: &Problem) -> Result<Vec<u8>, FormatError> {
    match WRITERS.iter().find(|writer| writer.name == format) {
        Some(writer) => (writer.write)(problem),
        None => Err(unknown("problem", format, WRITERS.iter().map(|writer| writer.name).collect())),
    }
}

/// Writes a set of problems in the named format.
pub fn problems(format: &str, problems: &[Problem]) -> Result<Vec<u8>, FormatError> {
    match SET_WRITERS.iter().find(|writer| writer.name == format) {
        Some(writer) => (writer.write)(problems),
        None => Err(unknown("set", format, SET_WRITERS.iter().map(|writer| writer.name).collect())),
    }
}

/// Writes what there is in the named format: one problem as such where the format has that, else as a set.
pub fn all(format: &str, all: &[Problem]) -> Result<Vec<u8>, FormatError> {
    match all {
        [problem] => one(format, problem),
        _ => problems(format, all),
    }
}

/// Writes one problem in the named format: as such where the format has that, else as a set of one.
pub fn one(format: &str, one: &Problem) -> Result<Vec<u8>, FormatError> {
    let is = |name: &&str| *name == format;
    let (of_one, of_sets) =
        (WRITERS.iter().map(|writer| writer.name), SET_WRITERS.iter().map(|writer| writer.name));
    if of_one.clone().any(|name| is(&name)) {
        return problem(format, one);
    }
    if of_sets.clone().any(|name| is(&name)) {
        return problems(format, std::slice::from_ref(one));
    }
    let mut names: Vec<&str> = of_one.chain(of_sets).collect();
    names.sort_unstable();
    names.dedup();
    Err(unknown("problem", format, names))
}

/// Writes the answer to a problem in the named format.
pub fn answer(format: &str, problem: &Problem, answer: &Answer) -> Result<Vec<u8>, FormatError> {
    match ANSWER_WRITERS.iter().find(|writer| writer.name == format) {
        Some(writer) => (writer.write)(problem, answer),
        None => Err(unknown("answer", format, ANSWER_WRITERS.iter().map(|writer| writer.name).collect())),
    }
}

/// Whether an answer to a problem can be written in the named format: better known before the work than after.
pub fn answerable(format: &str, problem: &Problem) -> Result<(), FormatError> {
    match format {
        geojson::FORMAT => geojson::places(problem).map(|_| ()),
        _ => Ok(()),
    }
}

fn unknown(what: &str, format: &str, names: Vec<&str>) -> FormatError {
    let cause = format!("`{format}` is no format of {what}s that is written");
    FormatError::new("format-unknown", cause, format!("choose one of {}", names.join(", ")))
}
