//! `bench/run worth --model FILE`: what a network is worth to the search, at several budgets: its plan as a start, how sure it is of
//! arcs, both; against the search alone, and from a classical construction. Every way has the same instances and seeds.

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

/// How long a search may take.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Length {
    /// CPU seconds, all that goes before it included.
    Seconds(f64),
    /// As many steps as it takes when nothing is said; what goes before comes on top.
    Usual,
}

impl Length {
    const ALL: [Self; 5] =
        [Self::Seconds(0.02), Self::Seconds(0.1), Self::Seconds(1.0), Self::Seconds(10.0), Self::Usual];

    fn name(self) -> String {
        match self {
            Self::Seconds(seconds) => format!("{seconds} s"),
            Self::Usual => "usual steps".to_owned(),
        }
    }

    fn budget(self) -> Budget {
        match self {
            Self::Seconds(seconds) => Budget::time(Duration::from_secs_f64(seconds)),
            Self::Usual => Budget::default(),
        }
    }

    /// How many instances and seeds: luck says most where runs are short.
    fn runs(self) -> (usize, u64) {
        match self {
            Self::Seconds(seconds) if seconds < 1.0 => (10, 3),
            Self::Seconds(seconds) if seconds < 10.0 => (10, 2),
            Self::Seconds(_) | Self::Usual => (10, 1),
        }
    }
}

/// The sets that it is measured on unless some are named: all sizes, all kinds of matrices, and of the variants those that differ
/// most.
fn is_usual(set: &Set) -> bool {
    const VARIANTS: [&str; 4] = ["AOVRP of 16", "AVRPTW of 16", "AOVRPTW of 16", "AVRPBLTW tight"];
    matches!(set.group, Group::Tours | Group::Routes | Group::Roads) || VARIANTS.contains(&set.name.as_str())
}

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
    let mut sets = arguments.sets()?;
    sets.retain(|set| suits(&model, set) && (arguments.names_sets() || is_usual(set)));
    for set in &sets {
        let book = Book::open(Path::new(references::FOLDER), &set.slug(), set.count)?;
        for length in Length::ALL {
            for way in Way::ALL {
                let name = (&json!(set.name), &json!(length.name()), &json!(way.name()));
                let is_same = |result: &Value| (&result["set"], &result["budget"], &result["way"]) == name;
                // A run that was cut short goes on.
                if results.iter().any(is_same) {
                    continue;
                }
                let (gaps, seconds) = measure(&model, set, &book, way, length)?;
                rows.push(Row::plain(
                    format!("{}, {}, {}: mean gap of {}", set.name, length.name(), way.name(), gaps.len()),
                    100.0 * mean(&gaps).0,
                    "%",
                ));
                results.push(json!({
                    "set": name.0, "budget": name.1, "way": name.2, "gaps": gaps, "cpu_seconds": seconds,
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

/// The gaps that a way came to, in the order of instances and seeds, and the CPU time that a run took.
fn measure(
    model: &Arc<Model>,
    set: &Set,
    book: &Book,
    way: Way,
    length: Length,
) -> Result<(Vec<f64>, f64), String> {
    let (instances, seeds) = length.runs();
    let (mut gaps, begun) = (Vec::new(), ProcessTime::now());
    for index in 0..instances.min(set.count) {
        let problem = set.problem(index);
        for seed in 0..seeds {
            let solution = solve(model, &problem, way, length.budget(), 1000 + seed)?;
            gaps.extend(book.gap(index, solution.cost));
        }
    }
    let seconds = begun.elapsed().as_secs_f64() / gaps.len().max(1) as f64;
    Ok((gaps, seconds))
}

/// Solves on one thread; whatever goes before the search counts.
fn solve(
    model: &Arc<Model>,
    problem: &Problem,
    way: Way,
    budget: Budget,
    seed: u64,
) -> Result<Solution, String> {
    let name = problem.name.clone().unwrap_or_default();
    let clock = CpuClock::start();
    let mut options = Options { seed, budget, method: Method::Search, ..Options::default() };
    let solved = alone(|| match way {
        Way::Alone => Solver::new(options).solve_by(problem.clone(), &Silent, &clock),
        Way::Guided(guide) => {
            options = Options { method: Method::Auto, model: Some(Arc::clone(model)), guide, ..options };
            Solver::new(options).solve_by(problem.clone(), &Silent, &clock)
        }
        Way::Classical => {
            let half = budget.time.map_or(budget, |time| Budget::time(time / 2));
            let first = Options { method: Method::Construct, budget: half, ..options.clone() };
            let first = Solver::new(first).solve_by(problem.clone(), &Silent, &clock)?;
            options.warm = Some(first.routes);
            let left = |time: Duration| time.saturating_sub(clock.now()).max(Duration::from_millis(1));
            options.budget = budget.time.map_or(budget, |time| Budget::time(left(time)));
            Solver::new(options).solve_by(problem.clone(), &Silent, &clock)
        }
    });
    solved.map_err(|error| format!("{name}: {error}"))
}
