//! Everything that was run, one line per cell, budget and solver: what is in it is not run again.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::exam::Exam;
use super::outcome::Outcome;
use super::plan::Task;
use super::solver::Solver;

/// One cell under one budget by one solver.
#[derive(Clone, Debug)]
pub struct Record {
    pub cell: String,
    pub solver: Solver,
    /// Which release of the solver it was.
    pub version: String,
    pub budget: f64,
    pub outcomes: Vec<Outcome>,
}

/// The records of a file, each key once.
pub struct Ledger {
    path: PathBuf,
    records: Vec<Record>,
}

impl Ledger {
    /// Opens the file, or begins one. A line that ends in the middle (an interrupted run) is passed over.
    pub fn open(path: PathBuf) -> Self {
        let mut ledger = Self { records: Vec::new(), path };
        let text = std::fs::read_to_string(&ledger.path).unwrap_or_default();
        for record in text.lines().filter_map(|line| read(&serde_json::from_str(line).ok()?)) {
            ledger.keep(record);
        }
        ledger
    }

    /// The record of a cell under a budget by a solver.
    pub fn find(&self, cell: &str, solver: Solver, budget: f64) -> Option<&Record> {
        self.records.iter().find(|record| is_of(record, cell, solver, budget))
    }

    /// Whether this seems to be there: as many instances or more, by this release.
    pub fn seems_to_have(&self, task: &Task, version: &str) -> bool {
        self.find(&task.cell.to_string(), task.solver, task.budget)
            .is_some_and(|record| record.version == version && record.outcomes.len() >= task.instances)
    }

    /// Whether this is there: on these very instances, by this release.
    pub fn has(&self, task: &Task, version: &str, exams: &[Exam]) -> bool {
        let same = |(exam, outcome): (&Exam, &Outcome)| {
            (&exam.name, &exam.digest) == (&outcome.name, &outcome.digest)
        };
        self.find(&task.cell.to_string(), task.solver, task.budget).is_some_and(|record| {
            record.version == version
                && record.outcomes.len() >= exams.len()
                && exams.iter().zip(&record.outcomes).all(same)
        })
    }

    /// Adds a record, to the file first.
    pub fn add(&mut self, record: Record) -> std::io::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.path)?;
        writeln!(file, "{}", write(&record))?;
        self.keep(record);
        Ok(())
    }

    /// A later record takes the place of an earlier one.
    fn keep(&mut self, record: Record) {
        self.records.retain(|old| !is_of(old, &record.cell, record.solver, record.budget));
        self.records.push(record);
    }
}

fn is_of(record: &Record, cell: &str, solver: Solver, budget: f64) -> bool {
    record.cell == cell && record.solver == solver && record.budget == budget
}

fn write(record: &Record) -> Value {
    let outcomes: Vec<Value> = record.outcomes.iter().map(Outcome::to_json).collect();
    let (cell, solver) = (&record.cell, record.solver.name());
    let (version, budget) = (&record.version, record.budget);
    json!({ "cell": cell, "solver": solver, "version": version, "budget": budget, "outcomes": outcomes })
}

fn read(value: &Value) -> Option<Record> {
    Some(Record {
        cell: value["cell"].as_str()?.to_owned(),
        solver: Solver::named(value["solver"].as_str()?)?,
        version: value["version"].as_str()?.to_owned(),
        budget: value["budget"].as_f64()?,
        outcomes: value["outcomes"].as_array()?.iter().map(Outcome::from_json).collect::<Option<_>>()?,
    })
}
