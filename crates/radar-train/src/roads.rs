//! Road matrices from files and folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use radar_format::Given;
use radar_problem::{Kind, Objective, Problem};
use radar_sample::{Atlas, Roads};

use crate::error::TrainError;
use crate::fingerprint;

/// What tells the content of every file from others, by path.
pub type Prints = BTreeMap<String, String>;

/// Road matrices and where they come from.
#[derive(Debug, Default)]
pub struct Opened {
    /// The matrices, if there are any.
    pub atlas: Option<Atlas>,
    /// The files.
    pub prints: Prints,
    /// The matrix with the fewest points.
    pub least: Option<Least>,
    /// What is worth saying about them.
    pub notes: Vec<String>,
}

/// A matrix, as a refusal speaks of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Least {
    /// How many points can be chosen.
    pub points: usize,
    /// In words.
    pub shown: String,
}

/// Endings of files that go with matrices and hold none.
const BESIDE: [&str; 4] = [".md", ".sol", ".part", ".references.json"];

/// The matrices of some files and of all files in some folders, in the order of their names. In folders there may
/// also be what is of no known format.
pub fn open(paths: &[String], minimise: Objective) -> Result<Opened, TrainError> {
    let mut opened = Opened::default();
    let mut matrices = Vec::new();
    for path in paths.iter().map(Path::new) {
        let before = matrices.len();
        let files = if path.is_dir() { within(path)? } else { vec![path.to_owned()] };
        for file in files {
            let content = std::fs::read(&file).map_err(|error| TrainError::unreadable(&file, error))?;
            match of_file(&file, &content, minimise) {
                Err(error) if path.is_dir() && error.code == "format-unknown" => {
                    opened
                        .notes
                        .push(format!("{} is of no known format and was passed over", file.display()));
                }
                found => {
                    matrices.extend(found?);
                    opened.prints.insert(file.display().to_string(), fingerprint::of([&content[..]]));
                }
            }
        }
        if matrices.len() == before {
            let cause = format!("{} holds no road matrix", path.display());
            return Err(TrainError::new("no-roads", cause, "check the path"));
        }
    }
    let (roads, least): (Vec<Roads>, Vec<Least>) = matrices.into_iter().unzip();
    opened.least = least.into_iter().min_by_key(|least| least.points);
    opened.atlas = Atlas::new(roads);
    Ok(opened)
}

/// Refuses files that are not what they were: instances cut out of them would be others.
pub fn refuse_change(before: &Prints, now: &Prints) -> Result<(), TrainError> {
    let change = before.keys().chain(now.keys()).find_map(|path| match (before.get(path), now.get(path)) {
        (Some(one), Some(other)) if one == other => None,
        (Some(_), Some(_)) => Some(format!("{path} is not the file that the run draws from")),
        (Some(_), None) => Some(format!("{path} is gone, and the run draws from it")),
        (None, _) => Some(format!("{path} is new, and the run does not draw from it")),
    });
    let action =
        "bring back what was there, or start another run from the weights (--init RUN/last.safetensors)";
    change.map_or(Ok(()), |cause| Err(TrainError::new("other-data", cause, action)))
}

fn within(folder: &Path) -> Result<Vec<PathBuf>, TrainError> {
    let unreadable = |error: std::io::Error| TrainError::unreadable(folder, error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_beside = BESIDE.iter().any(|ending| name.ends_with(ending));
        if path.is_file() && !name.starts_with('.') && !is_beside {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The tables and points of every problem in a file; what else these have is not looked at.
fn of_file(path: &Path, content: &[u8], minimise: Objective) -> Result<Vec<(Roads, Least)>, TrainError> {
    let name = path.file_name().map(|name| name.to_string_lossy());
    let of_file =
        |error: TrainError| TrainError { cause: format!("{}: {}", path.display(), error.cause), ..error };
    // A table is neither tour nor routes; any kind will do to have it read.
    let given = Given { kind: Some(Kind::Atsp), ..Given::default() };
    let loaded = radar_format::read(name.as_deref(), content, &given)
        .or_else(|_| radar_format::read(name.as_deref(), content, &Given::default()))
        .map_err(|error| of_file(error.into()))
        .map_err(|error| match error.code {
            // Nobody can name a format here.
            "format-unknown" => {
                TrainError { action: "see docs/formats.md for those that are".to_owned(), ..error }
            }
            _ => error,
        })?;
    let is_one = loaded.problems.len() == 1;
    let problems = loaded.problems.into_iter().enumerate();
    let each = problems.map(|(at, problem)| {
        let number = if is_one { String::new() } else { format!("#{at}") };
        matrix(problem, &format!("{}{number}", path.display()), minimise)
    });
    each.collect()
}

fn matrix(problem: Problem, name: &str, minimise: Objective) -> Result<(Roads, Least), TrainError> {
    if minimise == Objective::Duration && problem.duration.is_none() {
        return Err(no_durations(name));
    }
    const FARTHEST_KM: f64 = 1e5;
    let farthest = match problem.units.distance.as_deref() {
        Some("km") => FARTHEST_KM,
        _ => FARTHEST_KM * 1000.0,
    };
    let bad = |cause: String| TrainError::new("bad-roads", format!("{name}: {cause}"), "give a road matrix");
    let roads = Roads::new(problem.distance, problem.duration, problem.points, farthest);
    let roads = roads.map_err(|error| bad(error.to_string()))?.with_units(problem.units);
    let (points, lost) = (roads.nodes(), roads.dropped().len());
    let shown = match lost {
        0 => format!("{name} has {points} points"),
        _ => format!(
            "{name} has {points} points from which all others are reached ({lost} more are not: no way, or one \
             above {farthest:e})"
        ),
    };
    Ok((roads, Least { points, shown }))
}

/// The refusal of what knows no travel times where these are to be minimised.
pub fn no_durations(what: &str) -> TrainError {
    TrainError::config(
        format!("`data.minimise` is \"duration\", but {what} has no durations"),
        "minimise \"distance\", or draw from `city`, or from `roads` with durations",
    )
}
