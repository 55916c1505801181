//! Training.

use std::path::Path;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use radar_net::Checkpoint;
use radar_train::config::{self, Given};
use radar_train::ranks::Alone;
use radar_train::validation::Mark;
use radar_train::{Budget, Clock, Config, Ending, Event, Outside, Progress, Spent, Summary};
use radar_wire::Failure;

use crate::attend::{Line, apart, attend, goes_on};
use crate::failure::{of_network, of_training};
use crate::pool;

/// The clock of the machine since the call.
struct SessionClock {
    begun: Instant,
    cpu: Duration,
}

impl SessionClock {
    fn start() -> Self {
        Self { begun: Instant::now(), cpu: radar_machine::cpu_time().unwrap_or_default() }
    }
}

impl Clock for SessionClock {
    fn wall(&self) -> Duration {
        self.begun.elapsed()
    }

    fn cpu(&self) -> Duration {
        // An interpreter has a life before the call.
        let since = |now: Duration| now.saturating_sub(self.cpu);
        radar_machine::cpu_time().map_or_else(|| self.wall() * rayon::current_num_threads() as u32, since)
    }
}

#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn train<'py>(
    py: Python<'py>,
    out: &str,
    config: Option<&str>,
    set: Vec<String>,
    resume: bool,
    budget: Option<&str>,
    init: Option<&str>,
    data: Vec<String>,
    memory: Option<u64>,
    on_event: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let work = |line: Line<'_, Event>| {
        let budget = budget.map(Budget::parse).transpose().map_err(of_training)?;
        let stop = || line.stopped();
        let hear = |event: &Event| line.tell(event.clone());
        let clock = SessionClock::start();
        let memory = memory.or_else(radar_machine::free_memory);
        let run = || -> Result<Summary, Failure> {
            let outside = Outside { clock: &clock, memory, ranks: &Alone, stop: &stop, hear: &hear };
            if resume {
                return radar_train::resume(Path::new(out), budget, &outside).map_err(of_training);
            }
            let init = init.map(weights).transpose()?;
            let mut config = configuration(config.unwrap_or_default(), &set, init.as_ref(), &data)?;
            config.budget = budget.unwrap_or(config.budget);
            radar_train::start(config, Path::new(out), init.as_ref(), &outside).map_err(of_training)
        };
        pool::lent()?.install(run)
    };
    let hear = |py: Python<'_>, event: Event| match &on_event {
        Some(heard) => goes_on(&heard.bind(py).call1((told(py, &event)?,))?),
        None => Ok(true),
    };
    summed_up(py, &attend(py, work, hear)?.result)
}

#[pyfunction]
pub fn train_config(
    py: Python<'_>,
    config: &str,
    set: Vec<String>,
    init: Option<&str>,
    data: Vec<String>,
) -> PyResult<String> {
    apart(py, || {
        let init = init.map(weights).transpose()?;
        configuration(config, &set, init.as_ref(), &data)?.to_toml().map_err(of_training)
    })
}

#[pyfunction]
pub fn train_presets() -> Vec<&'static str> {
    config::names().into_iter().collect()
}

fn weights(path: &str) -> Result<Checkpoint, Failure> {
    Checkpoint::read(Path::new(path)).map_err(of_network)
}

/// The configuration of a text or a preset, with what is said over it.
fn configuration(
    text: &str,
    set: &[String],
    init: Option<&Checkpoint>,
    data: &[String],
) -> Result<Config, Failure> {
    let named = config::names().into_iter().any(|name| name == text);
    let text = if named { config::named(text).map_err(of_training)? } else { text };
    let network = init.map(|init| &init.card.config);
    let given = Given { text, roads: data, set, network };
    given.read().and_then(Config::with_whole_paths).map_err(of_training)
}

fn spend(told: &Bound<'_, PyDict>, spent: &Spent) -> PyResult<()> {
    told.set_item("steps", spent.steps)?;
    told.set_item("instances", spent.instances)?;
    told.set_item("seconds", spent.time.as_secs_f64())?;
    told.set_item("cpu_seconds", spent.cpu.as_secs_f64())
}

fn mark(told: &Bound<'_, PyDict>, mark: &Mark) -> PyResult<()> {
    told.set_item("cost", mark.cost)?;
    told.set_item("gap", mark.gap)?;
    told.set_item("unsolved", mark.unsolved)
}

/// An event with its name and what it says.
fn told<'py>(py: Python<'py>, event: &Event) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    let name = match event {
        Event::Preparing(count) => {
            told.set_item("count", count)?;
            "preparing"
        }
        Event::Prepared => "prepared",
        Event::Step(progress) => {
            let Progress { spent, share, left, per_second, score, loss, rate, mark } = progress;
            spend(&told, spent)?;
            told.set_item("share", share)?;
            told.set_item("left", left.map(|left| left.as_secs_f64()))?;
            told.set_item("per_second", per_second)?;
            told.set_item("score", score.map(|score| score.cost))?;
            told.set_item("score_name", score.map(|score| score.name))?;
            told.set_item("loss", loss)?;
            told.set_item("rate", rate)?;
            told.set_item("gap", mark.and_then(|mark| mark.gap))?;
            "step"
        }
        Event::Validated(validated) => {
            mark(&told, validated)?;
            "validated"
        }
        Event::Saved(spent) => {
            spend(&told, spent)?;
            "saved"
        }
        Event::Note(text) => {
            told.set_item("text", text)?;
            "note"
        }
    };
    told.set_item("event", name)?;
    Ok(told)
}

fn summed_up<'py>(py: Python<'py>, summary: &Summary) -> PyResult<Bound<'py, PyDict>> {
    let Summary { ending, spent, best, best_step, references: (references, proved), score } = summary;
    let told = PyDict::new(py);
    let ending = match ending {
        Ending::Done => "done",
        Ending::Stopped => "stopped",
    };
    told.set_item("ending", ending)?;
    spend(&told, spent)?;
    let best = best.map(|best| -> PyResult<Bound<'py, PyDict>> {
        let told = PyDict::new(py);
        mark(&told, &best)?;
        Ok(told)
    });
    told.set_item("best", best.transpose()?)?;
    told.set_item("best_step", best_step)?;
    told.set_item("references", references)?;
    told.set_item("proved", proved)?;
    told.set_item("score", score.map(|score| score.cost))?;
    told.set_item("score_name", score.map(|score| score.name))?;
    Ok(told)
}
