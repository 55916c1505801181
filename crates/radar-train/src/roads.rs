//! Road matrices from files and folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use radar_format::read::MOST_VALUES;
use radar_format::{FormatError, Given};
use radar_problem::{Kind, Objective, Problem};
use radar_sample::{Atlas, Roads};

use crate::amounts::counted;
use crate::error::TrainError;
use crate::fingerprint;
use crate::forecast::Room;

/// What tells the content of every file from others, by path.
pub type Prints = BTreeMap<String, String>;

/// Road matrices and where they come from. Whoever has a copy of it has the same matrices.
#[derive(Clone, Debug, Default)]
pub struct Opened {
    /// The matrices, if there are any.
    pub atlas: Option<Arc<Atlas>>,
    /// What these take, in bytes.
    pub bytes: f64,
    /// The files.
    pub prints: Prints,
    /// The matrix with the fewest points.
    pub least: Option<Matrix>,
    /// What is worth saying about them.
    pub notes: Vec<String>,
}

/// A matrix, as others speak of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// How many points can be chosen.
    pub points: usize,
    /// What it takes, in bytes.
    pub bytes: f64,
    /// In words.
    pub shown: String,
}

/// Endings of files that go with matrices and hold none.
const BESIDE: [&str; 4] = [".md", ".sol", ".part", ".references.json"];

/// Endings of files that hold matrices, if they are what they say. In a folder, others may be anything.
const MATRICES: [&str; 8] = ["npz", "npy", "csv", "tsv", "json", "jsonl", "atsp", "tsp"];

/// Matrices whose values are all less have too few digits before they are rounded to six decimals.
const LEAST_GREATEST: f64 = 1e-2;

/// What it takes to read a file of binary numbers, in bytes per byte of it: its content, its numbers, their tables.
const READING: f64 = 3.5;

/// What it takes to read a number, in bytes beside the content of its file, where the length does not tell how many
/// there are: of a text (lists grow by doubling), and of an archive that may be packed.
const READING_WORD: f64 = 36.0;
const READING_PACKED: f64 = 20.0;

/// The matrices of some files and of all files in some folders, in the order of their names. In folders there may
/// also be what is of no known format. What there is no room for is refused before it is read.
pub fn open(paths: &[String], minimise: Objective, room: &Room) -> Result<Opened, TrainError> {
    let mut opened = Opened::default();
    let mut matrices = Vec::new();
    for path in paths.iter().map(Path::new) {
        let before = matrices.len();
        let files = if path.is_dir() { within(path)? } else { vec![path.to_owned()] };
        for file in files {
            let unreadable = |error: std::io::Error| TrainError::unreadable(&file, error);
            let length = std::fs::metadata(&file).map_err(unreadable)?.len() as f64;
            room.refuse_roads(opened.bytes + READING * length)?;
            let content = std::fs::read(&file).map_err(unreadable)?;
            let print = fingerprint::of([&content[..]]);
            room.refuse_roads(opened.bytes + length + READING_WORD * written_numbers(&content))?;
            let most = room.left_beside_roads(opened.bytes + length).map(|left| left / READING_PACKED);
            match of_file(&file, content, minimise, most.map(|most| most as usize)) {
                Err(error) if path.is_dir() && is_beside(&file, &error) => {
                    opened
                        .notes
                        .push(format!("{} is of no known format and was passed over", file.display()));
                }
                Err(error) if path.is_dir() => {
                    let action = format!("{}, or move the file out of the folder", error.action);
                    return Err(TrainError { action, ..error });
                }
                found => {
                    let found = found?;
                    opened.bytes += found.iter().map(|(_, matrix)| matrix.bytes).sum::<f64>();
                    matrices.extend(found);
                    opened.prints.insert(file.display().to_string(), print);
                }
            }
        }
        if matrices.len() == before {
            let cause = format!("{} holds no road matrix", path.display());
            return Err(TrainError::new("no-roads", cause, "check the path"));
        }
    }
    room.refuse_roads(opened.bytes)?;
    let (roads, matrices): (Vec<Roads>, Vec<Matrix>) = matrices.into_iter().unzip();
    opened.least = matrices.into_iter().min_by_key(|matrix| matrix.points);
    opened.atlas = Atlas::new(roads).map(Arc::new);
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

/// Whether a file that was refused has just its place among matrices.
fn is_beside(file: &Path, error: &TrainError) -> bool {
    let ending = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_readable = !["unreadable", "too-little-memory"].contains(&error.code);
    error.code == "format-unknown" || (is_readable && !MATRICES.contains(&ending.as_str()))
}

/// How many numbers a text has, or words; an archive is no text.
fn written_numbers(content: &[u8]) -> f64 {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b".+-".contains(byte);
    let ends = content.windows(2).filter(|pair| is_word(&pair[0]) && !is_word(&pair[1]));
    if content.starts_with(b"PK") { 0.0 } else { ends.count() as f64 }
}

/// The tables and points of every problem in a file, of `most` numbers at most; what else these have is not looked
/// at.
fn of_file(
    path: &Path,
    content: Vec<u8>,
    minimise: Objective,
    most: Option<usize>,
) -> Result<Vec<(Roads, Matrix)>, TrainError> {
    let name = path.file_name().map(|name| name.to_string_lossy());
    // A table is neither tour nor routes; any kind will do to have it read.
    let read = |kind: Option<Kind>| {
        radar_format::read(name.as_deref(), &content, &Given { kind, most_values: most, ..Given::default() })
    };
    let loaded =
        read(Some(Kind::Atsp)).or_else(|_| read(None)).map_err(|error| refused(path, error, most))?;
    // Tables are built while the content is not needed any more.
    drop(content);
    let is_one = loaded.problems.len() == 1;
    let problems = loaded.problems.into_iter().enumerate();
    let each = problems.map(|(at, problem)| {
        let number = if is_one { String::new() } else { format!("#{at}") };
        matrix(problem, &format!("{}{number}", path.display()), minimise)
    });
    each.collect()
}

/// Why a file was not read, if so many numbers were allowed.
fn refused(path: &Path, error: FormatError, most: Option<usize>) -> TrainError {
    let cause = format!("{}: {}", path.display(), error.cause);
    match error.code {
        // Nobody can name a format here.
        "format-unknown" => TrainError::new(error.code, cause, "see docs/formats.md for those that are"),
        // A short file may hold much.
        "too-large" if most.is_some_and(|most| most < MOST_VALUES) => TrainError::new(
            "too-little-memory",
            format!("{} holds more numbers than there is room for", path.display()),
            "give smaller files in `data.roads` (--data), close other programs, or allow more with --memory",
        ),
        _ => TrainError { cause, ..error.into() },
    }
}

fn matrix(problem: Problem, name: &str, minimise: Objective) -> Result<(Roads, Matrix), TrainError> {
    if minimise == Objective::Duration && problem.duration.is_none() {
        return Err(no_durations(name));
    }
    let farthest = Roads::farthest(&problem.units);
    for (table, what) in [(Some(&problem.distance), "distance"), (problem.duration.as_ref(), "duration")] {
        let greatest = table.map_or(0.0, |table| {
            let values = table.values();
            values.iter().filter(|value| value.is_finite()).fold(0.0_f64, |most, &value| most.max(value))
        });
        if greatest > 0.0 && greatest < LEAST_GREATEST {
            return Err(TrainError::new(
                "bad-roads",
                format!("{name}: the greatest {what} is {greatest:e}, and matrices are kept to six decimals"),
                "give it in a smaller unit, such as metres or seconds",
            ));
        }
    }
    let bad = |cause: String| TrainError::new("bad-roads", format!("{name}: {cause}"), "give a road matrix");
    let tables = if problem.duration.is_some() { 2.0 } else { 1.0 };
    let roads = Roads::of(problem).map_err(|error| bad(error.to_string()))?;
    let (points, lost) = (roads.nodes(), roads.dropped().len());
    let bytes = 8.0 * tables * (points as f64).powi(2);
    let has = format!("{name} has {}", counted(points as u64, "point"));
    let shown = match lost {
        0 => has,
        _ => format!(
            "{has} from which all others are reached ({lost} more are not: no way, or one above {farthest:e})"
        ),
    };
    Ok((roads, Matrix { points, bytes, shown }))
}

/// The refusal of what knows no travel times where these are to be minimised.
pub fn no_durations(what: &str) -> TrainError {
    TrainError::config(
        format!("`data.minimise` is \"duration\", but {what} has no durations"),
        "minimise \"distance\", or draw from `city`, or from `roads` with durations",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_texts_are_counted() {
        for (text, count) in [("1,2.5\n-3e-5, 4\n", 4.0), ("[[0, 12], [13.5, 0]]", 4.0), ("PK, 1, 2", 0.0)] {
            assert_eq!(written_numbers(text.as_bytes()), count, "{text}");
        }
    }
}
