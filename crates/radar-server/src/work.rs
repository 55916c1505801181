//! A problem at work: the library called from a thread of its own.

use std::sync::Arc;
use std::time::{Duration, Instant};

use radar::{Lanes, Method, Model, Options, Problem, Solution, Solver};
use radar_net::Task;

use crate::desk::Turn;
use crate::feed::Feed;
use crate::limits;
use crate::refusal::Refusal;
use crate::request::{self, Asked};
use crate::settings::Settings;

/// A problem and how it is to be solved.
#[derive(Clone, Debug)]
pub struct Work {
    /// The problem.
    pub problem: Problem,
    /// How.
    pub options: Options,
}

impl Work {
    /// What is asked for, with plans read, a network chosen and every limit kept.
    pub fn new(
        settings: &Settings,
        problem: Problem,
        asked: &Asked,
        most: Duration,
    ) -> Result<Self, Refusal> {
        let wishes = &asked.wishes;
        let wrong = |cause| Refusal::unprocessable("bad-option", cause, "see /openapi.json for the options");
        let mut options = wishes.options().map_err(wrong)?;
        limits::budget(&options, &settings.limits, most)?;
        let is_guided = options.method == Method::Auto && wishes.model.is_some();
        let is_neural = options.method == Method::Neural || is_guided;
        let unheard = [
            (
                "warm",
                asked.warm.is_some() && asked.freeze.is_some(),
                "with `freeze`, whose routes are the start",
            ),
            ("augment", wishes.augment.is_some() && !is_neural, "without a network"),
            ("model", wishes.model.is_some() && !is_neural, "by this method"),
            ("model", is_guided && asked.freeze.is_some(), "with `freeze`, which no network can keep"),
            (
                "starts",
                wishes.starts.is_some() && !is_neural && options.method != Method::Construct,
                "by a search",
            ),
        ];
        if let Some((name, _, when)) = unheard.iter().find(|(_, is_unheard, _)| *is_unheard) {
            let cause = format!("`{name}` is not heard {when}");
            return Err(Refusal::unprocessable("bad-option", cause, "leave it out"));
        }
        options.warm = asked.warm.as_deref().map(|raw| request::plan(raw, &problem)).transpose()?;
        options.freeze = asked.freeze.as_deref().map(|raw| request::freeze(raw, &problem)).transpose()?;
        options.model = model(settings, wishes.model.as_deref(), &problem, options.method)?;
        Self::fitting(problem, options, settings.limits.memory)
    }

    /// What is asked for, if there is memory for it; without the network that nobody asked for, if there is none for that.
    pub fn fitting(problem: Problem, options: Options, memory: u64) -> Result<Self, Refusal> {
        let mut work = Self { problem, options };
        if work.memory() > memory && work.options.model.is_none() && work.options.method == Method::Auto {
            work.options.method = Method::Search;
        }
        limits::fits(work.memory(), memory)?;
        Ok(work)
    }

    /// About how many bytes it takes.
    pub fn memory(&self) -> u64 {
        limits::memory(&self.problem, &self.options, self.options.model.as_deref())
    }

    /// Solves it; `turn` is held until it is done.
    pub async fn run(self, turn: Turn, feed: Arc<Feed>) -> Result<Solution, Refusal> {
        let solved = tokio::task::spawn_blocking(move || {
            // Threads of its own: one that helped another problem out would be late with this one.
            let solver = Solver::new(self.options);
            let solved = Lanes::new(1, 1).each(vec![self.problem], |problem| solver.solve(problem, &*feed));
            drop(turn);
            solved.map(|mut solved| solved.pop())
        });
        match solved.await {
            Ok(Ok(Some(Ok(solution)))) => Ok(solution),
            Ok(Ok(Some(Err(error)))) => Err(radar_wire::Failure::from(error).into()),
            Ok(Err(_)) => Err(Refusal::internal("the machine has no threads left")),
            Ok(Ok(None)) | Err(_) => Err(Refusal::internal("the solver failed on this problem")),
        }
    }
}

/// When a solve ends whatever it was promised: budgets of steps do not know the time.
pub fn until(most: Duration) -> Instant {
    Instant::now() + most + most / 10 + Duration::from_secs(1)
}

/// The network that was named; or else, where the network is to make the plan, the first that suits the problem.
pub fn model(
    settings: &Settings,
    name: Option<&str>,
    problem: &Problem,
    method: Method,
) -> Result<Option<Arc<Model>>, Refusal> {
    let suits = |model: &&Arc<Model>| match model.card().config.task {
        Task::Atsp => problem.kind == radar::Kind::Atsp,
        Task::Vrp | Task::Acvrp => problem.kind == radar::Kind::Vrp,
    };
    let networks = settings.networks();
    let found = match name {
        Some(name) => networks.iter().find(|model| model.card().name == name).cloned(),
        None if method == Method::Neural => networks.iter().find(suits).cloned(),
        None => None,
    };
    let known: Vec<&str> = networks.iter().map(|model| model.card().name.as_str()).collect();
    match (found, name, method) {
        (None, Some(name), _) => Err(Refusal::unprocessable(
            "model",
            format!("there is no network `{name}`"),
            format!(
                "take one of /v1/models: {}",
                if known.is_empty() { "there are none".to_owned() } else { known.join(", ") }
            ),
        )),
        (None, None, Method::Neural) => Err(Refusal::unprocessable(
            "model",
            "this service has no network for such a problem",
            "take another method, or ask the operator for a --model",
        )),
        (found, ..) => Ok(found),
    }
}
