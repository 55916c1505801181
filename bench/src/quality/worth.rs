//! `bench/run worth --model FILE`: what a network is worth to the search, at several budgets: its plan as a start, how sure it is of
//! arcs, both; against the search alone, and from a classical construction.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ProcessTime;
use radar::{Budget, Clock, Guide, Method, Model, Options, Silent, Solution, Solver};
use radar_problem::Problem;
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::book::Book;
use super::networks::{load, mean, suits};
use super::references;
use super::set::{Group, Set};
use crate::Row;
use crate::timing::{CpuClock, alone};

/// Where results are kept, a file a network.
pub const FOLDER: &str = "quality/worth";

const BUDGETS: [f64; 4] = [0.02, 0.1, 1.0, 10.0];

/// What a search begins with.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Alone,
    Classical,
    Guided(Guide),
}

impl Way {
    const ALL: [Self; 5] = [
        Self::Alone,
        Self::Classical,
        Self::Guided(Guide::Start),
        Self::Guided(Guide::Arcs),
        Self::Guided(Guide::Both),
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Alone => "search alone",
            Self::Classical => "from a construction",
            Self::Guided(Guide::Start) => "from the network's plan",
            Self::Guided(Guide::Arcs) => "with the network's arcs",
            Self::Guided(Guide::Both) => "with both",
        }
    }
}

pub fn run(arguments: &[String]) -> Result<Vec<Row>, String> {
    let arguments = Arguments::parse(arguments)?;
    let model = Arc::new(load(&arguments)?);
    std::fs::create_dir_all(FOLDER).map_err(|error| format!("{FOLDER}: {error}"))?;
    let name = model.card().name.clone();
    let path = Path::new(FOLDER).join(format!("{name}.json"));
    // What was measured of other sets stays, if it was the same network.
    let card = serde_json::to_value(model.card()).map_err(|error| error.to_string())?;
    let kept = std::fs::read(&path).ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    let kept = kept.filter(|kept| kept["card"] == card);
    let mut results = kept.and_then(|kept| kept["results"].as_array().cloned()).unwrap_or_default();
    let mut rows = Vec::new();
    for set in arguments.sets()?.iter().filter(|set| suits(&model, set)) {
        let book = Book::open(Path::new(references::FOLDER), &set.slug(), set.count)?;
        for budget in BUDGETS {
            for way in Way::ALL {
                let Measured { mean, error, count, seconds } = measure(&model, set, &book, way, budget)?;
                rows.push(Row::plain(
                    format!("{}, {budget} s, {}: mean gap of {count}", set.name, way.name()),
                    100.0 * mean,
                    "%",
                ));
                let is_same = |result: &Value| {
                    (&result["set"], &result["budget"], &result["way"])
                        == (&json!(set.name), &json!(budget), &json!(way.name()))
                };
                results.retain(|result| !is_same(result));
                results.push(json!({
                    "set": set.name, "budget": budget, "way": way.name(), "gap": mean, "error": error, "runs": count,
                    "cpu_seconds": seconds,
                }));
                let text = serde_json::to_string_pretty(&json!({ "card": card, "results": results }));
                let text = text.map_err(|error| error.to_string())?;
                std::fs::write(&path, format!("{text}\n"))
                    .map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
    }
    Ok(rows)
}

/// How many instances and seeds: luck says most where runs are short.
fn runs(set: &Set, budget: f64) -> (usize, u64) {
    match (set.group, budget < 1.0) {
        (Group::Tours | Group::Routes, true) => (10, 3),
        (_, true) => (5, 3),
        (Group::Tours | Group::Routes, false) => (5, 1),
        (_, false) => (3, 1),
    }
}

/// What a way came to: the mean gap and its standard error, over how many runs, and the CPU time that a run took.
struct Measured {
    mean: f64,
    error: f64,
    count: usize,
    seconds: f64,
}

fn measure(model: &Arc<Model>, set: &Set, book: &Book, way: Way, budget: f64) -> Result<Measured, String> {
    let (instances, seeds) = runs(set, budget);
    let (mut gaps, begun) = (Vec::new(), ProcessTime::now());
    for index in 0..instances.min(set.count) {
        let problem = set.problem(index);
        for seed in 0..seeds {
            let solution = solve(model, &problem, way, budget, 1000 + seed)?;
            gaps.extend(book.gap(index, solution.cost));
        }
    }
    let (mean, error) = mean(&gaps);
    let count = gaps.len();
    Ok(Measured { mean, error, count, seconds: begun.elapsed().as_secs_f64() / count.max(1) as f64 })
}

/// Solves on one thread; whatever goes before the search counts.
fn solve(
    model: &Arc<Model>,
    problem: &Problem,
    way: Way,
    budget: f64,
    seed: u64,
) -> Result<Solution, String> {
    let name = problem.name.clone().unwrap_or_default();
    let clock = CpuClock::start();
    let budget = Budget::time(Duration::from_secs_f64(budget));
    let mut options = Options { seed, budget, method: Method::Search, ..Options::default() };
    let solved = alone(|| match way {
        Way::Alone => Solver::new(options).solve_by(problem.clone(), &Silent, &clock),
        Way::Guided(guide) => {
            options = Options { method: Method::Auto, model: Some(Arc::clone(model)), guide, ..options };
            Solver::new(options).solve_by(problem.clone(), &Silent, &clock)
        }
        Way::Classical => {
            let half = Budget::time(budget.time.unwrap_or_default() / 2);
            let first = Options { method: Method::Construct, budget: half, ..options.clone() };
            let first = Solver::new(first).solve_by(problem.clone(), &Silent, &clock)?;
            options.warm = Some(first.routes);
            let left = budget.time.unwrap_or_default().saturating_sub(clock.now());
            options.budget = Budget::time(left.max(Duration::from_millis(1)));
            Solver::new(options).solve_by(problem.clone(), &Silent, &clock)
        }
    });
    solved.map_err(|error| format!("{name}: {error}"))
}
