//! What is too much, said before the work begins.

use std::time::Duration;

use axum::http::StatusCode;
use radar::{Method, Model, Options, Problem, Routes};
use radar_format::Loaded;

use crate::refusal::Refusal;
use crate::request::Source;
use crate::settings::{Limits, Settings};

/// The one problem of a file, if it is not too large.
pub fn one(loaded: Loaded, settings: &Settings) -> Result<Source, Refusal> {
    let mut problems = loaded.problems;
    let count = problems.len();
    let Some(problem) = problems.pop().filter(|_| count == 1) else {
        return Err(Refusal::unprocessable(
            "set-of-problems",
            format!("the file holds {count} problems"),
            "send one problem per request",
        ));
    };
    let most = settings.limits.nodes;
    if problem.nodes() > most {
        return Err(Refusal::unprocessable(
            "too-many-nodes",
            format!("the problem has {} nodes, and this service takes at most {most}", problem.nodes()),
            "split the problem, or ask the operator for a higher --max-nodes",
        ));
    }
    Ok(Source::Here(Box::new(problem), loaded.notes))
}

/// Refuses a budget that is too large.
pub fn budget(options: &Options, limits: &Limits, most: Duration) -> Result<(), Refusal> {
    if let Some(time) = options.budget.time.filter(|&time| time > most) {
        return Err(Refusal::unprocessable(
            "budget-too-large",
            format!(
                "{} s were asked for, and at most {} s are given here",
                time.as_secs_f64(),
                most.as_secs_f64()
            ),
            "ask for less time; a job of /v1/jobs may take longer than /v1/solve",
        ));
    }
    if let Some(steps) = options.budget.steps.filter(|&steps| steps > limits.steps) {
        return Err(Refusal::unprocessable(
            "budget-too-large",
            format!("{steps} steps were asked for, and at most {} are given here", limits.steps),
            "ask for fewer steps",
        ));
    }
    Ok(())
}

/// About how many bytes it takes to solve a problem. Every entry of a matrix is held as stated, scaled,
/// reduced, and as candidates; what a network needs comes on top.
pub fn memory(problem: &Problem, options: &Options, model: Option<&Model>) -> u64 {
    const BASE: u64 = 16 << 20;
    const PER_ENTRY: u64 = 48;
    let nodes = problem.nodes() as u64;
    let matrices = 1 + u64::from(problem.duration.is_some());
    let searches = options.searches.max(1) as u64;
    let needs = |model: &Model| model.memory(problem.nodes(), options.method, options.starts, threads());
    let network = match (options.method, model) {
        (Method::Neural | Method::Auto, Some(model)) => needs(model),
        _ => radar::companion(options, problem).map_or(0, |model| needs(&model)),
    };
    BASE + nodes * nodes * (PER_ENTRY * matrices + 8 * searches) + network
}

/// How many threads there are to work with.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Refuses what would never fit.
pub fn fits(need: u64, total: u64) -> Result<(), Refusal> {
    match need <= total {
        true => Ok(()),
        false => Err(Refusal::unprocessable(
            "too-much-memory",
            format!("this would take about {} MB, and {} MB are given here", need >> 20, total >> 20),
            "split the problem, ask for fewer starts or searches, or ask the operator for a higher --memory",
        )),
    }
}

/// Refuses a plan of more visits than anybody can mean: its verdict would be longer still.
pub fn plan(routes: Routes, nodes: usize) -> Result<Routes, Refusal> {
    let visits = routes.iter().map(|route| route.len() + 1).sum::<usize>();
    match visits <= 2 * nodes + 2 {
        true => Ok(routes),
        false => Err(Refusal::unprocessable(
            "plan-too-long",
            format!("the plan has {} routes and visits, for {nodes} nodes", visits),
            "visit every stop once, and leave out empty routes",
        )),
    }
}

/// The line is full.
pub fn queue_full(limits: &Limits, seconds: u64) -> Refusal {
    Refusal::new(
        StatusCode::TOO_MANY_REQUESTS,
        "queue-full",
        format!("{} requests are waiting, and no more may", limits.queue),
        "try again later, or ask the operator for a longer --queue",
    )
    .after(seconds)
}
