//! `bench/run references`: the best plans that our search, PyVRP and OR-Tools find for the test sets. It goes on where it
//! was stopped, and is no work for a machine that does something else.

use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use radar::{Budget, Lanes, Method, Options, Silent, Solver};

use super::arguments::Arguments;
use super::book::Book;
use super::set::{Group, Set};
use crate::Row;
use crate::rivals::{Driver, Exam, Rival, prepare};

/// Where references are kept.
pub const FOLDER: &str = "quality/references";

/// One way to find a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Attempt {
    /// Our search: seconds, seed.
    Ours(f64, u64),
    /// A rival: seconds.
    Theirs(Rival, f64),
}

/// What the rivals get.
const RIVAL_SECONDS: f64 = 10.0;

/// The name of a rival's attempt.
pub fn theirs(rival: Rival) -> String {
    Attempt::Theirs(rival, RIVAL_SECONDS).name()
}

impl Attempt {
    fn name(self) -> String {
        match self {
            Self::Ours(seconds, seed) => format!("radar {seconds} s, seed {seed}"),
            Self::Theirs(rival, seconds) => format!("{} {seconds} s", rival.name()),
        }
    }

    fn seconds(self) -> f64 {
        match self {
            Self::Ours(seconds, _) | Self::Theirs(_, seconds) => seconds,
        }
    }
}

/// What is tried on an instance of a set: two searches on all, a longer one and rivals on the first few.
fn attempts(set: &Set, index: usize) -> Vec<Attempt> {
    let mut attempts = vec![Attempt::Ours(2.0, 0), Attempt::Ours(2.0, 1)];
    let (longer, pyvrp, ortools) = match set.group {
        // A proof ends the search of nearly all of them.
        Group::Tours => (usize::MAX, 0, 0),
        Group::Routes => (5, 50, 10),
        _ => (5, 50, 0),
    };
    if index < longer {
        attempts.push(Attempt::Ours(20.0, 2));
    }
    for (rival, count) in [(Rival::PyVrp, pyvrp), (Rival::OrTools, ortools)] {
        if index < count {
            attempts.push(Attempt::Theirs(rival, RIVAL_SECONDS));
        }
    }
    attempts
}

/// An attempt that is still to be made.
struct Job<'a> {
    set: &'a Set,
    book: usize,
    index: usize,
    attempt: Attempt,
}

pub fn run(arguments: &[String]) -> Result<Vec<Row>, String> {
    let arguments = Arguments::parse(arguments)?;
    std::fs::create_dir_all(FOLDER).map_err(|error| format!("{FOLDER}: {error}"))?;
    let sets = arguments.sets()?;
    let books: Vec<Mutex<Book>> = sets
        .iter()
        .map(|set| Book::open(Path::new(FOLDER), &set.slug(), set.count).map(Mutex::new))
        .collect::<Result<_, _>>()?;
    let mut jobs = Vec::new();
    for (book, set) in sets.iter().enumerate() {
        let known = &books[book].lock().expect("no panic").references;
        for index in (0..set.count).filter(|&index| !known[index].optimal) {
            let left =
                attempts(set, index).into_iter().filter(|attempt| !known[index].has_tried(&attempt.name()));
            jobs.extend(left.map(|attempt| Job { set, book, index, attempt }));
        }
    }
    // All first attempts before any second one, and rivals on the first of every set before the second of any, so that a
    // run that is cut short has something of everything.
    let turn = |job: &Job<'_>| match job.attempt {
        Attempt::Ours(_, seed) => (seed, 0),
        Attempt::Theirs(..) => (u64::MAX, job.index),
    };
    jobs.sort_by_key(turn);
    let most: f64 = jobs.iter().map(|job| job.attempt.seconds()).sum();
    let lanes = Lanes::new(jobs.len().max(1), usize::MAX);
    eprintln!("{} attempts, {:.0} minutes at most", jobs.len(), most / 60.0 / lanes.count as f64);
    let rival = jobs.iter().any(|job| matches!(job.attempt, Attempt::Theirs(..)));
    if rival && !arguments.estimate {
        prepare()?;
    }
    if arguments.estimate {
        return Ok(rows(&sets, &books));
    }

    let begun = Instant::now();
    let saved = Mutex::new(Instant::now());
    let drivers: Mutex<Vec<(Rival, Driver)>> = Mutex::new(Vec::new());
    let work = |job: Job<'_>| {
        if begun.elapsed() >= arguments.time {
            return Ok(());
        }
        let name = job.attempt.name();
        let is_known = |book: &Mutex<Book>| book.lock().expect("no panic").references[job.index].optimal;
        if !is_known(&books[job.book]) {
            let (cost, bound, optimal) = attempt(&job, &drivers)?;
            let mut book = books[job.book].lock().expect("no panic");
            book.references[job.index].hear(&name, cost, bound, optimal);
        }
        let mut saved = saved.lock().expect("no panic");
        if saved.elapsed() > Duration::from_secs(30) {
            *saved = Instant::now();
            books.iter().try_for_each(|book| book.lock().expect("no panic").save())?;
        }
        Ok(())
    };
    let done: Vec<Result<(), String>> = lanes.each(jobs, work).map_err(|error| error.to_string())?;
    books.iter().try_for_each(|book| book.lock().expect("no panic").save())?;
    done.into_iter().collect::<Result<Vec<()>, String>>()?;
    Ok(rows(&sets, &books))
}

/// Cost, bound, and whether that is proved to be the best.
type Found = (Option<f64>, Option<f64>, bool);

fn attempt(job: &Job<'_>, drivers: &Mutex<Vec<(Rival, Driver)>>) -> Result<Found, String> {
    let problem = job.set.problem(job.index);
    match job.attempt {
        Attempt::Ours(seconds, seed) => {
            let budget = Budget::time(Duration::from_secs_f64(seconds));
            // What networks are measured by must not come from one.
            let options = Options { seed, budget, method: Method::Search, ..Options::default() };
            let solution = Solver::new(options).solve(problem, &Silent);
            let solution = solution.map_err(|error| format!("{} {}: {error}", job.set.name, job.index))?;
            Ok((Some(solution.cost), solution.bound, solution.optimal))
        }
        Attempt::Theirs(rival, seconds) => {
            let idle = {
                let mut idle = drivers.lock().expect("no panic");
                let place = idle.iter().position(|(whose, _)| *whose == rival);
                place.map(|place| idle.swap_remove(place).1)
            };
            let mut driver = match idle {
                Some(driver) => driver,
                None => Driver::start(rival, Path::new("results/references.log"))?,
            };
            let exam = Exam::set(problem, &std::env::temp_dir())?;
            let answer = driver.solve(&exam, seconds, 0);
            let _ = std::fs::remove_file(&exam.file);
            drivers.lock().expect("no panic").push((rival, driver));
            // A rival that finds nothing, or something illegal, has tried all the same.
            let cost = answer.routes.ok().and_then(|routes| exam.judge(&routes).ok());
            Ok((cost, None, false))
        }
    }
}

fn rows(sets: &[Set], books: &[Mutex<Book>]) -> Vec<Row> {
    let mut rows = Vec::new();
    for (set, book) in sets.iter().zip(books) {
        let book = book.lock().expect("no panic");
        let known: Vec<f64> = book.references.iter().filter_map(|reference| reference.cost).collect();
        let proved = book.references.iter().filter(|reference| reference.optimal).count();
        let name = format!("{}: {} of {} known, {proved} proved", set.name, known.len(), set.count);
        let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
        rows.push(Row::plain(name, mean, "mean cost"));
    }
    rows
}
