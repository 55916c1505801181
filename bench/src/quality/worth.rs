//! `bench/run worth --model FILE`: what a network is worth to the search, at several budgets: its plan as a start, how sure it is of
//! arcs, both; against the search alone, and from a classical construction. Every way has the same instances and seeds.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use radar::{Budget, Clock, Guide, Lanes, Method, Model, Options, Silent, Solution, Solver};
use radar_problem::Problem;
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::book::Book;
use super::networks::{in_lines, load, mean, suits};
use super::references;
use super::set::{Group, Set};
use crate::Row;
use crate::timing::ThreadClock;

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
            Self::Seconds(_) => (5, 1),
            Self::Usual => (10, 3),
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
    let (card, mut rows) = (card.to_string(), Vec::new());
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
                let runs = measure(&model, set, way, length)?;
                let gap = |run: &Run| book.gap(run.instance, run.cost);
                let gaps: Vec<f64> = runs.iter().filter_map(gap).collect();
                rows.push(Row::plain(
                    format!("{}, {}, {}: mean gap of {}", set.name, length.name(), way.name(), gaps.len()),
                    100.0 * mean(&gaps).0,
                    "%",
                ));
                let of = |number: fn(&Run) -> f64| runs.iter().map(number).collect::<Vec<f64>>();
                let instances: Vec<usize> = runs.iter().map(|run| run.instance).collect();
                results.push(json!({
                    "set": name.0, "budget": name.1, "way": name.2, "instances": instances,
                    "costs": of(|run| run.cost), "seconds": of(|run| run.seconds),
                }));
                let text = format!("{{\n\"card\": {card},\n\"results\": [\n{}\n]\n}}\n", in_lines(&results));
                std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
    }
    Ok(rows)
}

/// What a way came to on an instance, and the CPU time that it took.
struct Run {
    instance: usize,
    cost: f64,
    seconds: f64,
}

/// What a way came to, in the order of instances and seeds; a run on each core at a time.
fn measure(model: &Arc<Model>, set: &Set, way: Way, length: Length) -> Result<Vec<Run>, String> {
    let (instances, seeds) = length.runs();
    let runs = (0..instances.min(set.count)).flat_map(|index| (0..seeds).map(move |seed| (index, seed)));
    let one = |(instance, seed): (usize, u64)| {
        let (solution, seconds) = solve(model, &set.problem(instance), way, length.budget(), 1000 + seed)?;
        Ok(Run { instance, cost: solution.cost, seconds })
    };
    let runs: Vec<(usize, u64)> = runs.collect();
    let done = Lanes { threads: 1, ..Lanes::new(runs.len(), usize::MAX) }
        .each(runs, one)
        .map_err(|error| error.to_string())?;
    done.into_iter().collect()
}

/// Solves on the thread that calls, and says how long that took; whatever goes before the search counts.
fn solve(
    model: &Arc<Model>,
    problem: &Problem,
    way: Way,
    budget: Budget,
    seed: u64,
) -> Result<(Solution, f64), String> {
    let name = problem.name.clone().unwrap_or_default();
    let clock = ThreadClock::start();
    let mut options = Options { seed, budget, method: Method::Search, ..Options::default() };
    let solve = || match way {
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
    };
    let solved = solve().map_err(|error| format!("{name}: {error}"))?;
    Ok((solved, clock.now().as_secs_f64()))
}
