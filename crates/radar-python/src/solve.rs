//! Solving one problem, and many.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use radar::{Clock, Event, Freeze, Lanes, Options, Progress, Routes, Solver, SystemClock, Warning};
use radar_wire::{Failure, Wishes};

use crate::attend::{Attended, Ended, Line, attend, goes_on, sound};
use crate::failure::{bad_option, no_threads, raised, unbegun};
use crate::model::Model;
use crate::pool;
use crate::problem::Problem;
use crate::solution::Solution;

/// Tells the caller of everything, where it wants to hear it.
struct Watch<'a> {
    line: Line<'a, Event>,
    tells: bool,
}

impl Progress for Watch<'_> {
    fn event(&self, event: &Event) {
        if self.tells {
            self.line.tell(event.clone());
        }
    }

    fn cancelled(&self) -> bool {
        self.line.stopped()
    }
}

/// Hears of the wish to stop, and tells nothing.
struct Heed<'a>(&'a Line<'a, usize>);

impl Progress for Heed<'_> {
    fn event(&self, _: &Event) {}

    fn cancelled(&self) -> bool {
        self.0.stopped()
    }
}

/// Beginnings of routes that stay: a plan, and how many stops of each route.
type Frozen = (Vec<Vec<usize>>, Vec<usize>);

#[pyfunction]
pub fn solve(
    py: Python<'_>,
    problem: Py<Problem>,
    wishes: &str,
    warm: Option<Vec<Vec<usize>>>,
    freeze: Option<Frozen>,
    model: Option<Py<Model>>,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Solution> {
    let freeze = freeze.map(|(routes, lengths)| Freeze { routes: Routes(routes), lengths });
    let options = options(wishes, model.as_ref()).map_err(|failure| raised(py, &failure))?;
    let options = Options { warm: warm.map(Routes), freeze, ..options };
    let tells = on_progress.is_some();
    let work = |line: Line<'_, Event>| {
        let solver = Solver::new(options);
        let watch = Watch { line, tells };
        let solve = || {
            let clock = SystemClock::start();
            let report = problem.get().report().clone();
            solver.solve_report(report, clock.now(), &watch, &clock)
        };
        pool::lent()?.install(solve).map_err(Failure::from)
    };
    let hear = |py: Python<'_>, event: Event| match &on_progress {
        Some(heard) => goes_on(&heard.bind(py).call1((told(py, &event)?,))?),
        None => Ok(true),
    };
    let Attended { result: mut solution, ended } = attend(py, work, hear)?;
    let (code, text) = match ended {
        None | Some(Ended::ByClosing) => return Ok(Solution::new(problem, solution)),
        Some(Ended::Interrupted) => ("ctrl-c", "Ctrl-C ended the work: this is the best until then"),
        Some(Ended::ByCaller) => {
            ("stopped-by-caller", "the caller ended the work: this is the best until then")
        }
    };
    solution.warnings.push(Warning::new(code, text));
    Ok(Solution::new(problem, solution))
}

#[pyfunction]
pub fn solve_many(
    py: Python<'_>,
    problems: Vec<Py<Problem>>,
    wishes: &str,
    model: Option<Py<Model>>,
    workers: Option<usize>,
    on_done: Option<Py<PyAny>>,
) -> PyResult<Py<PyList>> {
    let options = options(wishes, model.as_ref()).map_err(|failure| raised(py, &failure))?;
    let all: Vec<&Problem> = problems.iter().map(Py::get).collect();
    let work = |line: Line<'_, usize>| side_by_side(&all, &options, workers, &line);
    let mut done = 0;
    let hear = |py: Python<'_>, at: usize| {
        done += 1;
        match &on_done {
            Some(heard) => goes_on(&heard.bind(py).call1((at, done))?),
            None => Ok(true),
        }
    };
    let Attended { result: solved, ended } = attend(py, work, hear)?;
    let list = PyList::empty(py);
    for (problem, solved) in problems.iter().zip(solved) {
        match solved {
            None => list.append(unbegun(py, ended).value(py))?,
            Some(Err(failure)) => list.append(raised(py, &failure).value(py))?,
            Some(Ok(solution)) => list.append(Solution::new(problem.clone_ref(py), solution))?,
        }
    }
    Ok(list.unbind())
}

/// What came of a problem; nothing where it was not begun.
type Outcome = Option<Result<radar::Solution, Failure>>;

/// Solves on so many lanes; one per core unless said.
fn side_by_side(
    problems: &[&Problem],
    options: &Options,
    workers: Option<usize>,
    line: &Line<'_, usize>,
) -> Result<Vec<Outcome>, Failure> {
    let cores = pool::lent()?.current_num_threads();
    let count = workers.unwrap_or(cores).clamp(1, problems.len().max(1));
    let lanes = Lanes { count, threads: (cores / count).max(1) };
    let solver = Solver::new(options.clone());
    let one = |(at, problem): (usize, &&Problem)| {
        if line.stopped() {
            return None;
        }
        let solved = sound(|| {
            let clock = SystemClock::start();
            let report = problem.report().clone();
            Ok(solver.solve_report(report, clock.now(), &Heed(line), &clock)?)
        });
        line.tell(at);
        Some(solved)
    };
    lanes.each(problems.iter().enumerate().collect(), one).map_err(|error| no_threads(&error))
}

/// The options of the library.
fn options(wishes: &str, model: Option<&Py<Model>>) -> Result<Options, Failure> {
    let wishes: Wishes = serde_json::from_str(wishes).map_err(|error| bad_option(error.to_string()))?;
    let options = wishes.options().map_err(bad_option)?;
    Ok(Options { model: model.map(|model| Arc::clone(model.get().network())), ..options })
}

/// An event with its name and what it says.
fn told<'py>(py: Python<'py>, event: &Event) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    match event {
        Event::Started { variant, stops } => {
            told.set_item("event", "started")?;
            told.set_item("variant", variant)?;
            told.set_item("stops", stops)?;
        }
        Event::Incumbent { cost, routes, unserved, method, plan, elapsed } => {
            told.set_item("event", "incumbent")?;
            told.set_item("cost", cost)?;
            told.set_item("routes", routes)?;
            told.set_item("unserved", unserved)?;
            told.set_item("method", method)?;
            told.set_item("plan", &plan.0)?;
            told.set_item("elapsed", elapsed.as_secs_f64())?;
        }
        Event::Bound { bound, elapsed } => {
            told.set_item("event", "bound")?;
            told.set_item("bound", bound)?;
            told.set_item("elapsed", elapsed.as_secs_f64())?;
        }
        // Events that later versions add are named when they come.
        _ => told.set_item("event", "other")?,
    }
    Ok(told)
}
