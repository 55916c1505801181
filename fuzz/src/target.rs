//! What is fuzzed: a name, the seeds, and what is done with an input.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use radar_format::read::{self, Given, READERS};
use radar_format::write::{SET_WRITERS, WRITERS};
use radar_problem::{Kind, Precision, Problem, Table};

use crate::allocation::measured;

/// What a reader may hold for each byte of input: JSON objects of a few bytes become records.
const PER_BYTE: usize = 256;
/// A byte of a compressed file may stand for a thousand, each of which may start a record.
const PER_COMPRESSED_BYTE: usize = 16_384;
/// What it may hold for each value of the matrices it returns: several tables, and a copy of each.
const PER_VALUE: usize = 96;
/// What it may hold at all.
const ALWAYS: usize = 1 << 20;
const LONGEST: Duration = Duration::from_secs(2);
/// Validation and writers are cubic at worst; readers are what is fuzzed.
const SMALL: usize = 40;

/// Everything that can be fuzzed.
pub fn names() -> Vec<&'static str> {
    READERS.iter().map(|reader| reader.name).chain(["any", "stops", "plan", "answer", "service"]).collect()
}

/// The files to begin with: fixtures that the target recognises, and its own corpus.
pub fn seeds(name: &str, corpus: &Path, fixtures: &Path) -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    collect(&corpus.join(name), &mut files);
    let own = files.len();
    match name {
        "stops" | "plan" | "answer" => {}
        "service" => {
            collect(fixtures, &mut files);
            return files;
        }
        _ => collect(fixtures, &mut files),
    }
    let known = |bytes: &[u8]| {
        READERS
            .iter()
            .find(|reader| (reader.recognises)(None, bytes))
            .is_some_and(|reader| reader.name == name || name == "any")
    };
    let (seeds, fixtures) = files.split_at(own);
    let fixtures = fixtures.iter().filter(|bytes| known(bytes));
    seeds.iter().chain(fixtures).cloned().collect()
}

fn collect(folder: &Path, files: &mut Vec<Vec<u8>>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files);
        } else if let Ok(bytes) = std::fs::read(&path) {
            files.push(bytes);
        }
    }
}

/// Runs one input; the finding, if there is one.
pub fn run(name: &str, bytes: &[u8]) -> Result<bool, String> {
    if name == "service" {
        return crate::service::run(bytes);
    }
    let begun = Instant::now();
    let (done, held) = measured(|| catch_unwind(AssertUnwindSafe(|| problems(name, bytes))));
    let taken = begun.elapsed();
    let problems = done.map_err(|panic| format!("reading panicked: {}", said(&*panic)))?;
    let values: usize = problems.iter().flatten().map(|problem| problem.nodes() * problem.nodes()).sum();
    let per_byte = if bytes.starts_with(b"PK") { PER_COMPRESSED_BYTE } else { PER_BYTE };
    let bound = ALWAYS + per_byte * bytes.len() + PER_VALUE * values;
    if held > bound {
        return Err(format!("{held} bytes were held for an input of {} and {values} values", bytes.len()));
    }
    if taken > LONGEST {
        return Err(format!("reading took {taken:?}"));
    }
    let after = catch_unwind(AssertUnwindSafe(|| {
        for problem in problems.iter().flatten().take(4).filter(|problem| problem.nodes() <= SMALL) {
            SET_WRITERS.iter().for_each(|writer| drop((writer.write)(std::slice::from_ref(problem))));
            let valid = problem.clone().validate().instance.is_some();
            for writer in WRITERS {
                if let Ok(written) = (writer.write)(problem)
                    && EXACT.contains(&writer.name)
                    && valid
                {
                    returned(problem, writer.name, &written)?;
                }
            }
        }
        Ok::<(), String>(())
    }));
    after.map_err(|panic| format!("what was read panics: {}", said(&*panic)))??;
    // A file of nothing teaches nothing.
    Ok(problems.is_some_and(|problems| !problems.is_empty() || matches!(name, "plan" | "answer")))
}

/// Formats that hold a problem exactly, so that it must come back as it was.
const EXACT: [&str; 3] = ["json", "tsplib", "vrplib"];

fn returned(problem: &Problem, format: &str, written: &[u8]) -> Result<(), String> {
    let loaded = read::read_as(format, written, &Given::default())
        .map_err(|error| format!("what was written as {format} cannot be read: {error}"))?;
    let [again] = &loaded.problems[..] else { return Err(format!("{format} returned several problems")) };
    let arcs = |table: &Table| -> Vec<f64> {
        let nodes = table.rows();
        (0..nodes * nodes).filter(|at| at / nodes != at % nodes).map(|at| table.values()[at]).collect()
    };
    let exact = problem.distance.precision() == Precision::Double;
    let same = [
        ("kind", problem.kind == again.kind),
        ("distance", !exact || arcs(&problem.distance) == arcs(&again.distance)),
        ("duration", !exact || problem.duration.as_ref().map(arcs) == again.duration.as_ref().map(arcs)),
        ("capacity", problem.capacity == again.capacity),
        ("windows", problem.windows == again.windows),
        ("service", problem.service == again.service),
        ("backhaul", problem.backhaul == again.backhaul),
        ("bounds", (problem.limit, problem.max_duration) == (again.limit, again.max_duration)),
        ("open", problem.open == again.open),
        ("vehicles", problem.vehicles == again.vehicles),
        ("ids", problem.ids == again.ids),
        ("points", problem.points == again.points),
    ];
    match same.iter().find(|(_, same)| !same) {
        None => Ok(()),
        Some((key, _)) => Err(format!("{key} is another after {format}")),
    }
}

/// The problems of an input, `None` when it is refused.
fn problems(name: &str, bytes: &[u8]) -> Option<Vec<Problem>> {
    let given = Given { kind: Some(Kind::Vrp), ..Given::default() };
    match name {
        "any" => read::read(None, bytes, &Given::default()).ok().map(|loaded| loaded.problems),
        "stops" => {
            let mut problem = grid(3);
            read::stops::apply(&mut problem, bytes).ok().map(|_| vec![problem])
        }
        "plan" | "answer" => read::plan(bytes, &grid(8)).ok().map(|_| Vec::new()),
        reader if matches!(reader, "tsplib" | "vrplib") => {
            read::read_as(reader, bytes, &Given::default()).ok().map(|loaded| loaded.problems)
        }
        reader => read::read_as(reader, bytes, &given).ok().map(|loaded| loaded.problems),
    }
}

/// A problem of `nodes` nodes for what only adds to one.
fn grid(nodes: usize) -> Problem {
    Problem::vrp(Table::from_values(nodes, nodes, vec![1.0; nodes * nodes]))
}

fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}
