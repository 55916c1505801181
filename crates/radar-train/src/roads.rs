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

/// The matrices of some files and of all files in some folders, in the order of their names, and what tells them
/// from others.
pub fn open(paths: &[String], minimise: Objective) -> Result<(Option<Atlas>, Prints), TrainError> {
    let mut files = Vec::new();
    for path in paths.iter().map(Path::new) {
        match path.is_dir() {
            true => files.extend(within(path)?),
            false => files.push(path.to_owned()),
        }
    }
    let mut prints = Prints::new();
    let mut matrices = Vec::with_capacity(files.len());
    for path in files {
        let content = std::fs::read(&path).map_err(|error| TrainError::unreadable(&path, error))?;
        matrices.push(matrix(&path, &content, minimise)?);
        prints.insert(path.display().to_string(), fingerprint::of([&content[..]]));
    }
    Ok((Atlas::new(matrices), prints))
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
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_file() && !hidden {
            files.push(path);
        }
    }
    files.sort();
    match files.is_empty() {
        false => Ok(files),
        true => {
            Err(TrainError::new("no-roads", format!("{} holds no file", folder.display()), "check the path"))
        }
    }
}

/// The tables and points of any file that has them.
fn matrix(path: &Path, content: &[u8], minimise: Objective) -> Result<Roads, TrainError> {
    let name = path.file_name().map(|name| name.to_string_lossy());
    let of_file =
        |error: TrainError| TrainError { cause: format!("{}: {}", path.display(), error.cause), ..error };
    // A table is neither tour nor routes; any kind will do to have it read.
    let given = Given { kind: Some(Kind::Atsp), ..Given::default() };
    let loaded = radar_format::read(name.as_deref(), content, &given)
        .or_else(|_| radar_format::read(name.as_deref(), content, &Given::default()))
        .map_err(|error| of_file(error.into()))?;
    let [problem] = <[Problem; 1]>::try_from(loaded.problems).map_err(|all| {
        let cause = format!("it holds {} problems", all.len());
        of_file(TrainError::new("bad-roads", cause, "give one road matrix per file"))
    })?;
    if minimise == Objective::Duration && problem.duration.is_none() {
        return Err(no_durations(&path.display().to_string()));
    }
    const FARTHEST_KM: f64 = 1e5;
    let farthest = match problem.units.distance.as_deref() {
        Some("km") => FARTHEST_KM,
        _ => FARTHEST_KM * 1000.0,
    };
    let roads = Roads::new(problem.distance, problem.duration, problem.points, farthest);
    let roads = roads
        .map_err(|error| of_file(TrainError::new("bad-roads", error.to_string(), "give a road matrix")))?;
    Ok(roads.with_units(problem.units))
}

/// The refusal of what knows no travel times where these are to be minimised.
pub fn no_durations(what: &str) -> TrainError {
    TrainError::config(
        format!("`data.minimise` is \"duration\", but {what} has no durations"),
        "minimise \"distance\", or draw from `city`, or from `roads` with durations",
    )
}
