//! Road matrices from files and folders.

use std::path::{Path, PathBuf};

use radar_format::Given;
use radar_problem::{Kind, Problem};
use radar_sample::{Atlas, Roads};

use crate::error::TrainError;

/// The matrices of some files and of all files in some folders, in the order of their names.
pub fn open(paths: &[String]) -> Result<Option<Atlas>, TrainError> {
    let mut files = Vec::new();
    for path in paths.iter().map(Path::new) {
        match path.is_dir() {
            true => files.extend(within(path)?),
            false => files.push(path.to_owned()),
        }
    }
    let matrices = files.iter().map(|path| matrix(path)).collect::<Result<Vec<Roads>, _>>()?;
    Ok(Atlas::new(matrices))
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
fn matrix(path: &Path) -> Result<Roads, TrainError> {
    let content = std::fs::read(path).map_err(|error| TrainError::unreadable(path, error))?;
    let name = path.file_name().map(|name| name.to_string_lossy());
    let of_file =
        |error: TrainError| TrainError { cause: format!("{}: {}", path.display(), error.cause), ..error };
    // A table is neither tour nor routes; any kind will do to have it read.
    let given = Given { kind: Some(Kind::Atsp), ..Given::default() };
    let loaded = radar_format::read(name.as_deref(), &content, &given)
        .or_else(|_| radar_format::read(name.as_deref(), &content, &Given::default()))
        .map_err(|error| of_file(error.into()))?;
    let [problem] = <[Problem; 1]>::try_from(loaded.problems).map_err(|all| {
        let cause = format!("it holds {} problems", all.len());
        of_file(TrainError::new("bad-roads", cause, "give one road matrix per file"))
    })?;
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
