//! Ours and everybody else, on the same instances, on one core, under the same clocks.
//!
//! What was run is kept cell by cell, so that an interrupted run goes on where it stopped. Every plan is judged
//! by our checker; gaps are to the best plan anybody ever found.

pub(crate) mod arguments;
mod best;
mod board;
pub(crate) mod cell;
mod driver;
mod exam;
mod floors;
mod ledger;
mod ours;
mod outcome;
mod picture;
mod plan;
mod solver;
pub(crate) mod stock;
mod table;
mod venv;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use arguments::Arguments;
use best::Best;
use board::{Board, mean};
use cell::Cell;
use driver::Answer;
use ledger::{Ledger, Record};
use outcome::Outcome;
use plan::Task;
use solver::Solver;
use stock::Stock;

pub(crate) use driver::Driver;
pub(crate) use exam::Exam;
pub(crate) use solver::Solver as Rival;
pub(crate) use venv::prepare;

use crate::Row;

/// The longest that a run without `--full` may take.
const MINUTES: f64 = 100.0;

pub fn run(arguments: &[String]) -> Result<Vec<Row>, String> {
    let arguments = Arguments::parse(arguments)?;
    let out = arguments.out.clone();
    let at = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    std::fs::create_dir_all(&out).map_err(|error| at(&out, error))?;
    let cells_file = out.join("cells.jsonl");
    if arguments.fresh && cells_file.exists() {
        std::fs::remove_file(&cells_file).map_err(|error| at(&cells_file, error))?;
    }
    stay_on_one_core();
    let stock = Stock::open(arguments.roads.as_deref(), arguments.tsplib.as_deref())?;
    let every = cell::every();
    // Whole words, or 100 would be 1000 as well.
    let words = |text: &str| format!(" {} ", text.to_lowercase());
    let is_wanted = |cell: &&Cell| {
        let name = words(&cell.to_string());
        arguments.only.is_empty() || arguments.only.iter().any(|part| name.contains(&words(part)))
    };
    let cells: Vec<Cell> = every.iter().filter(|cell| stock.has(cell)).filter(is_wanted).copied().collect();

    let mut contest = Contest {
        ledger: Ledger::open(cells_file),
        best: Best::open(out.join("best.json"))?,
        drivers: drivers(&arguments, &out.join("rivals.log")),
    };
    let tasks = plan::tasks(&cells, &arguments);
    contest.run(&stock, &tasks, &arguments)?;

    let board = Board { cells: &every, ledger: &contest.ledger, best: &contest.best };
    for (name, text) in [
        ("rivals.csv", table::csv(&board)),
        ("rivals.md", table::markdown(&board)),
        ("rivals.svg", picture::svg(&board)),
    ] {
        let path = out.join(name);
        std::fs::write(&path, text).map_err(|error| at(&path, error))?;
        eprintln!("wrote {}", path.display());
    }
    Ok(floors::rows(&board))
}

/// Everybody who takes part, and what is known so far.
struct Contest {
    ledger: Ledger,
    best: Best,
    drivers: Vec<(Solver, Driver)>,
}

impl Contest {
    /// Runs all tasks that are not in the ledger yet, with progress.
    fn run(&mut self, stock: &Stock, tasks: &[Task], arguments: &Arguments) -> Result<(), String> {
        let tasks: Vec<&Task> = tasks.iter().filter(|task| self.version(task.solver).is_some()).collect();
        let open: Vec<&&Task> = tasks.iter().filter(|task| self.is_open(task, arguments)).collect();
        let total: f64 = open.iter().map(|task| task.estimate()).sum();
        let (known, minutes) = (tasks.len() - open.len(), total / 60.0);
        eprintln!(
            "{} cells by budget and solver, {known} of them known; about {minutes:.0} minutes",
            tasks.len()
        );
        if total > 60.0 * MINUTES && !arguments.full {
            eprintln!("warning: that is more than {MINUTES} minutes");
        }
        if arguments.estimate {
            return Ok(());
        }
        let folder = arguments.out.join("instances");
        let begun = Instant::now();
        let (mut done, mut spent) = (0, 0.0);
        let mut left = total;
        for group in tasks.chunk_by(|one, next| one.cell == next.cell) {
            let cell = group[0].cell;
            let most = group.iter().map(|task| task.instances).max().unwrap_or(0);
            std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            let problems = stock.draw(&cell, most)?;
            let exams: Vec<Exam> = problems
                .into_iter()
                .map(|problem| Exam::set(problem, &folder))
                .collect::<Result<_, String>>()?;
            for task in group {
                let exams = &exams[..task.instances.min(exams.len())];
                done += 1;
                if !arguments.again.contains(&task.solver) && self.knows(task, exams) {
                    continue;
                }
                let words = self.play(task, exams)?;
                spent += task.estimate();
                left -= task.estimate();
                let elapsed = begun.elapsed().as_secs_f64();
                eprintln!(
                    "{done:>4} of {}  {:<24} {:<9} {:>4} s  {words:<40}  {:.1} min, at most {:.0} left",
                    tasks.len(),
                    cell.to_string(),
                    task.solver.name(),
                    task.budget,
                    elapsed / 60.0,
                    left.max(0.0) * (elapsed / spent).max(0.1) / 60.0
                );
            }
            // The files are as large as everything else together; they are drawn again when needed.
            let _ = std::fs::remove_dir_all(&folder);
        }
        Ok(())
    }

    /// Whether a task seems to be still to be run; only its instances tell for certain.
    fn is_open(&self, task: &Task, arguments: &Arguments) -> bool {
        let version = self.version(task.solver).unwrap_or_default();
        arguments.again.contains(&task.solver) || !self.ledger.seems_to_have(task, &version)
    }

    fn knows(&self, task: &Task, exams: &[Exam]) -> bool {
        self.ledger.has(task, &self.version(task.solver).unwrap_or_default(), exams)
    }

    /// The release of a solver, if it takes part.
    fn version(&self, solver: Solver) -> Option<String> {
        let mut drivers = self.drivers.iter();
        match solver {
            Solver::Radar => Some(ours::version()),
            _ => drivers.find(|(rival, _)| *rival == solver).map(|(_, driver)| driver.version().to_owned()),
        }
    }

    /// Runs one task and says in a few words what came of it.
    fn play(&mut self, task: &Task, exams: &[Exam]) -> Result<String, String> {
        let version = self.version(task.solver).unwrap_or_default();
        let mut outcomes = Vec::new();
        let mut is_lost = false;
        for (seed, exam) in (1..).zip(exams) {
            let driver = self.drivers.iter_mut().find(|(rival, _)| *rival == task.solver);
            let answers: Vec<(u64, Answer)> = match driver {
                // The other instances are as large: each would cost as much time and end the same way.
                Some(_) if is_lost => vec![(seed, Answer::failed("not asked: killed on another instance"))],
                Some((_, driver)) => vec![(seed, driver.solve(exam, task.budget, seed))],
                None => ours::seeds(seed, task.budget)
                    .map(|seed| (seed, ours::solve(exam, task.budget, seed)))
                    .collect(),
            };
            is_lost |= answers.iter().any(|(_, answer)| answer.was_killed());
            let mut costs = Vec::new();
            for (seed, answer) in &answers {
                costs.push(answer.routes.clone().and_then(|routes| {
                    let cost = exam.judge(&routes)?;
                    let origin = format!("{version}, {} s, seed {seed}", task.budget);
                    self.best.offer(exam, cost, &origin, &routes);
                    Ok(cost)
                }));
            }
            // One of several seeds that fails, or is late, fails for all.
            let cost = costs.into_iter().collect::<Result<Vec<f64>, String>>();
            let cost = cost.map(|costs| mean(costs.into_iter()).unwrap_or(f64::INFINITY));
            let seconds: Option<Vec<f64>> = answers.iter().map(|(_, answer)| answer.seconds).collect();
            let seconds = seconds.map(|seconds| seconds.into_iter().fold(0.0, f64::max));
            let optimal = answers.iter().all(|(_, answer)| answer.optimal);
            let (name, digest) = (exam.name.clone(), exam.digest.clone());
            outcomes.push(Outcome { name, digest, cost, seconds, optimal });
        }
        let words = words(&outcomes);
        let record = Record {
            cell: task.cell.to_string(),
            solver: task.solver,
            version,
            budget: task.budget,
            outcomes,
        };
        self.best.save().and_then(|()| self.ledger.add(record)).map_err(|error| error.to_string())?;
        Ok(words)
    }
}

fn words(outcomes: &[Outcome]) -> String {
    let cost = mean(outcomes.iter().filter_map(|outcome| outcome.cost.as_ref().ok().copied()));
    let slowest = outcomes.iter().filter_map(|outcome| outcome.seconds).fold(0.0, f64::max);
    match (cost, outcomes.iter().find_map(|outcome| outcome.cost.as_ref().err())) {
        (Some(cost), None) => format!("cost {cost:.3} in {slowest:.3} s"),
        (Some(cost), Some(why)) => format!("cost {cost:.3} in {slowest:.3} s; else {why}"),
        (None, why) => why.cloned().unwrap_or_default(),
    }
}

/// The rivals that are wanted and can be had; the others are named with the reason.
fn drivers(arguments: &Arguments, log: &Path) -> Vec<(Solver, Driver)> {
    let rivals: Vec<Solver> =
        arguments.solvers.iter().copied().filter(|solver| solver.module().is_some()).collect();
    if rivals.is_empty() {
        return Vec::new();
    }
    match venv::prepare() {
        Err(why) => {
            eprintln!("no rival takes part: {why}");
            return Vec::new();
        }
        Ok(failures) => failures.iter().for_each(|failure| eprintln!("not installed: {failure}")),
    }
    let start = |solver| match Driver::start(solver, log) {
        Ok(driver) => Some((solver, driver)),
        Err(why) => {
            eprintln!("skipped: {why}");
            None
        }
    };
    rivals.into_iter().filter_map(start).collect()
}

/// Binds this process, and with it every rival, to one core where that is possible: no solver is moved about,
/// none has two.
fn stay_on_one_core() {
    let Some(core) = std::thread::available_parallelism().ok().map(|cores| cores.get() - 1) else { return };
    let process = std::process::id().to_string();
    let mut taskset = Command::new("taskset");
    taskset.args(["-c", "-p", &core.to_string(), &process]).stdout(Stdio::null()).stderr(Stdio::null());
    // Without it everybody is still limited to one thread.
    let _ = taskset.status();
}
