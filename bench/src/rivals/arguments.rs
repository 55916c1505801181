//! What follows the name of the bench on the command line.

use std::path::PathBuf;

use super::plan::BUDGETS;
use super::solver::Solver;

pub const USAGE: &str =
    "bench/run rivals [--roads FOLDER] [--tsplib FOLDER] [--full] [--only CELLS...] [--solvers NAMES...]
                 [--budgets SECONDS...] [--instances N] [--again SOLVERS...] [--fresh] [--estimate] [--out FOLDER]
  --roads      folder of npz road matrices (500 points or more, with durations)
  --tsplib     folder of .atsp files
  --full       20 instances a cell, every rival at every budget: many hours
  --only       cells with one of these in their names, such as \"tmat ATSP\", 100 or AVRPTW
  --solvers    radar, PyVRP, OR-Tools, VROOM, LKH, HGS
  --budgets    some of 0.02 0.1 1 10
  --instances  how many a cell, instead of 5 (3 at 10 s)
  --again      run these solvers anew even where there is a result
  --fresh      forget all results (never the best plans)
  --estimate   only say how long it takes, and write the tables anew
  --out        where results are kept, bench/results/rivals unless given";

/// What is to be run.
pub struct Arguments {
    pub roads: Option<PathBuf>,
    pub tsplib: Option<PathBuf>,
    pub out: PathBuf,
    pub full: bool,
    pub fresh: bool,
    pub estimate: bool,
    pub only: Vec<String>,
    pub solvers: Vec<Solver>,
    pub budgets: Vec<f64>,
    pub instances: Option<usize>,
    pub again: Vec<Solver>,
}

impl Arguments {
    pub fn parse(given: &[String]) -> Result<Self, String> {
        let mut parsed = Self {
            roads: None,
            tsplib: None,
            out: PathBuf::from("results/rivals"),
            full: false,
            fresh: false,
            estimate: false,
            only: Vec::new(),
            solvers: Solver::ALL.to_vec(),
            budgets: BUDGETS.to_vec(),
            instances: None,
            again: Vec::new(),
        };
        for (option, values) in options(given)? {
            match (option, values) {
                ("--help", []) => return Err(USAGE.to_owned()),
                ("--full", []) => parsed.full = true,
                ("--fresh", []) => parsed.fresh = true,
                ("--estimate", []) => parsed.estimate = true,
                ("--roads", [folder]) => parsed.roads = Some(from_caller(folder)),
                ("--tsplib", [folder]) => parsed.tsplib = Some(from_caller(folder)),
                ("--out", [folder]) => parsed.out = from_caller(folder),
                ("--only", [_, ..]) => parsed.only.extend_from_slice(values),
                ("--solvers", [_, ..]) => parsed.solvers = solvers(values)?,
                ("--again", [_, ..]) => parsed.again = solvers(values)?,
                ("--budgets", [_, ..]) => parsed.budgets = budgets(values)?,
                ("--instances", [count]) => {
                    let count = count.parse().ok().filter(|&count| count > 0);
                    parsed.instances = Some(count.ok_or("--instances takes a whole number above 0")?);
                }
                _ => return Err(format!("`{option}` is not understood here\n{USAGE}")),
            }
        }
        Ok(parsed)
    }
}

/// Each option with the values that follow it.
pub(crate) fn options(given: &[String]) -> Result<Vec<(&str, &[String])>, String> {
    let is_option = |word: &String| word.starts_with("--");
    let mut options = Vec::new();
    let mut rest = given;
    while let [option, values @ ..] = rest {
        if !is_option(option) {
            return Err(format!("`{option}` is not understood here\n{USAGE}"));
        }
        let count = values.iter().position(is_option).unwrap_or(values.len());
        options.push((option.as_str(), &values[..count]));
        rest = &values[count..];
    }
    Ok(options)
}

fn solvers(names: &[String]) -> Result<Vec<Solver>, String> {
    names.iter().map(|name| Solver::named(name).ok_or(format!("`{name}` is no solver\n{USAGE}"))).collect()
}

fn budgets(values: &[String]) -> Result<Vec<f64>, String> {
    let known = |value: &String| value.parse().ok().filter(|budget| BUDGETS.contains(budget));
    values.iter().map(|value| known(value).ok_or(format!("`{value}` is no budget\n{USAGE}"))).collect()
}

/// A path as its writer meant it: `bench/run` has changed to the bench's folder since.
pub(crate) fn from_caller(path: &str) -> PathBuf {
    std::env::var_os("OLDPWD").map(PathBuf::from).unwrap_or_default().join(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str) -> Result<Arguments, String> {
        Arguments::parse(&words.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_take_what_follows_them() {
        let parsed = parse("--only ATSP tight --budgets 0.1 10 --full --again radar pyvrp").expect("sound");
        assert_eq!(parsed.only, ["ATSP", "tight"]);
        assert_eq!(parsed.budgets, [0.1, 10.0]);
        assert_eq!(parsed.again, [Solver::Radar, Solver::PyVrp]);
        assert!(parsed.full && !parsed.fresh);
    }

    #[test]
    fn nonsense_is_refused() {
        for words in ["ATSP", "--only", "--full 3", "--budgets 0.3", "--solvers Concorde", "--instances 0"] {
            assert!(parse(words).is_err(), "{words}");
        }
    }
}
