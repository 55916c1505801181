//! References by our own solver, for sets that come without.

use radar::{Budget, Event, Lanes, Method, Objective, Options, Progress, Solver};

use super::references::{Reference, References, digest};
use super::set::Set;
use crate::failure::Failure;
use crate::input::Named;
use crate::{amounts, watch};

/// Reads a budget: a time with its unit (2s), or a bare number of steps (20000).
pub fn parse_budget(text: &str) -> Result<Budget, String> {
    match text.parse::<u64>() {
        Ok(0) => Err("0 steps find nothing".to_owned()),
        Ok(steps) => Ok(Budget::steps(steps)),
        Err(_) => amounts::parse_span(text).map(Budget::time).map_err(|_| {
            format!("`{text}` is neither a time such as 2s nor a number of steps such as 20000")
        }),
    }
}

/// Where such references come from, in words.
fn origin(budget: Budget, seed: u64) -> String {
    let effort = match budget {
        Budget { time: Some(time), .. } => amounts::span(time),
        Budget { steps: Some(steps), .. } => format!("{steps} steps"),
        Budget { .. } => "the usual steps".to_owned(),
    };
    format!("radar {} search, {effort} each, seed {seed}", env!("CARGO_PKG_VERSION"))
}

/// Hears of Ctrl-C and nothing else.
struct Heed;

impl Progress for Heed {
    fn event(&self, _: &Event) {}

    fn cancelled(&self) -> bool {
        watch::interrupted()
    }
}

/// Solves what has no reference; returns how many were added.
pub fn fill(
    set: &Set,
    references: &mut References,
    budget: Budget,
    objective: Objective,
    seed: u64,
) -> Result<usize, Failure> {
    let known = |named: &Named| {
        references.get(&named.name).is_some_and(|one| {
            one.instance.as_deref().is_none_or(|wanted| {
                let instance = named.problem.clone().validate().instance;
                instance.is_some_and(|instance| digest(&instance.with_objective(objective)) == wanted)
            })
        })
    };
    let missing: Vec<&Named> = set.iter().flatten().filter(|named| !known(named)).collect();
    let bar = super::bar(missing.len(), "references");
    // What networks are measured by must not come from one.
    let method = Method::Search;
    let solver = Solver::new(Options { budget, objective, seed, method, searches: 1, ..Options::default() });
    let solve = |named: &Named| {
        let solved =
            if watch::interrupted() { None } else { solver.solve(named.problem.clone(), &Heed).ok() };
        bar.inc(1);
        // A search that was broken off is no reference of that origin.
        solved.filter(|_| !watch::interrupted()).map(|solution| Reference {
            cost: solution.cost,
            bound: solution.bound,
            optimal: solution.optimal,
            instance: Some(digest(&solution.instance)),
        })
    };
    let found = Lanes::new(missing.len(), missing.len()).each(missing.clone(), solve)?;
    bar.finish_and_clear();
    let mut added = 0;
    for (named, reference) in missing.into_iter().zip(found) {
        if let Some(reference) = reference {
            references.insert(named.name.clone(), reference);
            added += 1;
        }
    }
    let origin = origin(budget, seed);
    if added > 0 && !references.origin.as_ref().is_some_and(|known| known.contains(&origin)) {
        let before = references.origin.take().map(|before| format!("{before}; ")).unwrap_or_default();
        references.origin = Some(before + &origin);
    }
    Ok(added)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn budgets_are_times_or_steps() {
        assert_eq!(parse_budget("20000"), Ok(Budget::steps(20_000)));
        assert_eq!(parse_budget("0.5s"), Ok(Budget::time(Duration::from_millis(500))));
        assert!(parse_budget("0").is_err() && parse_budget("soon").is_err() && parse_budget("-3").is_err());
    }
}
