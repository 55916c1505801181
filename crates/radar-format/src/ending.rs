//! Which format the ending of a file's name stands for.

use std::path::Path;

use crate::FormatError;

/// Endings of problem files and their formats; the first ending of a format is the one written.
const PROBLEMS: &[(&str, &str)] = &[
    ("json", "json"),
    ("jsonl", "json-lines"),
    ("npz", "npz"),
    ("atsp", "tsplib"),
    ("tsp", "tsplib"),
    ("vrp", "vrplib"),
    ("csv", "csv"),
    ("txt", "solomon"),
];

/// Endings of answers and their formats.
const ANSWERS: &[(&str, &str)] =
    &[("json", "json"), ("sol", "sol"), ("csv", "csv"), ("geojson", "geojson"), ("svg", "svg")];

/// The format of a problem file to be written.
pub fn problem(path: &Path) -> Result<&'static str, FormatError> {
    look_up(path, PROBLEMS)
}

/// The format of an answer to be written.
pub fn answer(path: &Path) -> Result<&'static str, FormatError> {
    look_up(path, ANSWERS)
}

/// The ending of a format; its name when nobody has agreed on one.
pub fn of(format: &str) -> &str {
    match format {
        "matrix" | "stops" => return "csv",
        "npz-paper" | "npz-rrnco" | "npz-city" => return "npz",
        _ => {}
    }
    PROBLEMS.iter().find(|(_, name)| *name == format).map_or(format, |(ending, _)| ending)
}

fn look_up(path: &Path, endings: &'static [(&str, &str)]) -> Result<&'static str, FormatError> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let known = endings.iter().find(|(known, _)| *known == ending);
    known.map(|(_, format)| *format).ok_or_else(|| {
        let known: Vec<String> = endings.iter().map(|(ending, _)| format!(".{ending}")).collect();
        FormatError::new(
            "ending-unknown",
            format!("the ending of `{}` stands for no format", path.display()),
            format!("use one of {}, or name the format where that can be done (--to)", known.join(" ")),
        )
    })
}
