//! Results in one view: what each solver reached in each cell, as gaps to the best plans known.

use std::collections::BTreeMap;

use super::best::Best;
use super::cell::Cell;
use super::ledger::{Ledger, Record};
use super::outcome::Outcome;
use super::plan::LONGEST;
use super::solver::Solver;

/// All that is known, for a list of cells.
pub struct Board<'a> {
    pub cells: &'a [Cell],
    pub ledger: &'a Ledger,
    pub best: &'a Best,
}

/// What a solver reached in a cell under a budget.
#[derive(Clone, Copy, Debug)]
pub struct Score {
    /// The mean gap in percent over the instances with a legal plan in time; `None` when there is none.
    pub gap: Option<f64>,
    /// How many instances those are.
    pub counted: usize,
    /// How many were run.
    pub run: usize,
    /// How many plans came with a proof.
    pub proved: usize,
}

impl Score {
    /// The mean gap, infinite when any instance is left without a plan.
    pub fn strict_gap(&self) -> f64 {
        self.gap.filter(|_| self.counted == self.run).unwrap_or(f64::INFINITY)
    }
}

impl Board<'_> {
    /// The record that answers for a budget: of a solver that keeps no time, the only one there is.
    pub fn record(&self, cell: &Cell, solver: Solver, budget: f64) -> Option<&Record> {
        let budget = if solver.keeps_time() { budget } else { LONGEST };
        self.ledger.find(&cell.to_string(), solver, budget)
    }

    pub fn score(&self, cell: &Cell, solver: Solver, budget: f64) -> Option<Score> {
        let outcomes = &self.record(cell, solver, budget)?.outcomes;
        let counted: Vec<(&Outcome, f64)> = outcomes
            .iter()
            .filter_map(|outcome| Some((outcome, outcome.cost_by(solver.deadline(budget))?)))
            .collect();
        let gaps = counted.iter().filter_map(|&(outcome, cost)| self.gap(outcome, cost));
        Some(Score {
            gap: mean(gaps),
            counted: counted.len(),
            run: outcomes.len(),
            proved: counted.iter().filter(|(outcome, _)| outcome.optimal).count(),
        })
    }

    /// How far a cost is above the best known, in percent.
    pub fn gap(&self, outcome: &Outcome, cost: f64) -> Option<f64> {
        let best = self.best.cost(&format!("{} #{}", outcome.name, outcome.digest))?;
        Some(if cost <= best { 0.0 } else { 100.0 * (cost / best - 1.0) })
    }

    /// The costs of a solver in a cell by instance. A rival's late ones count too: they make the harder bar.
    fn costs(&self, cell: &Cell, solver: Solver, budget: f64) -> BTreeMap<&str, Option<f64>> {
        let outcomes = self.record(cell, solver, budget).map_or(&[][..], |record| &record.outcomes);
        let deadline = if solver == Solver::Radar { solver.deadline(budget) } else { f64::INFINITY };
        outcomes.iter().map(|outcome| (outcome.name.as_str(), outcome.cost_by(deadline))).collect()
    }

    /// The mean excess in percent of one solver over another, on the instances that both ran and the other
    /// solved. An instance that only the other solved makes it infinite.
    pub fn excess(&self, cell: &Cell, one: (Solver, f64), other: (Solver, f64)) -> Option<f64> {
        let (ours, theirs) = (self.costs(cell, one.0, one.1), self.costs(cell, other.0, other.1));
        mean(theirs.iter().filter_map(|(name, cost)| {
            let (ours, theirs) = (ours.get(name)?, (*cost)?);
            Some(ours.map_or(f64::INFINITY, |ours| 100.0 * (ours / theirs - 1.0)))
        }))
    }
}

/// The mean of some numbers, if there are any.
pub fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::super::cell::every;
    use super::*;

    #[test]
    fn scores_count_plans_in_time_and_bars_count_late_rivals() {
        let folder = std::env::temp_dir().join(format!("radar-board-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut ledger = Ledger::open(folder.join("cells.jsonl"));
        let cells = every();
        let outcome = |at: usize, cost: Result<f64, String>, seconds: f64| Outcome {
            name: at.to_string(),
            digest: "0".to_owned(),
            cost,
            seconds: Some(seconds),
            optimal: false,
        };
        let record = |solver, outcomes| Record {
            cell: cells[0].to_string(),
            solver,
            version: "1".to_owned(),
            budget: 1.0,
            outcomes,
        };
        let best =
            r#"{"0 #0":{"cost":100.0,"origin":"","routes":[]},"1 #0":{"cost":50.0,"origin":"","routes":[]}}"#;
        std::fs::write(folder.join("best.json"), best).expect("written");
        let ours = vec![outcome(0, Ok(101.0), 1.0), outcome(1, Ok(50.0), 1.03)];
        let theirs = vec![outcome(0, Ok(100.0), 9.0), outcome(1, Err(String::new()), 1.0)];
        ledger.add(record(Solver::Radar, ours)).expect("written");
        ledger.add(record(Solver::PyVrp, theirs)).expect("written");

        let again = Ledger::open(folder.join("cells.jsonl"));
        let best = Best::open(folder.join("best.json")).expect("sound");
        let board = Board { cells: &cells, ledger: &again, best: &best };
        let score = board.score(&cells[0], Solver::Radar, 1.0).expect("there");
        assert_eq!((score.counted, score.run, score.strict_gap()), (1, 2, f64::INFINITY));
        assert!((score.gap.expect("one") - 1.0).abs() < 1e-9);
        let (ours, theirs) = ((Solver::Radar, 1.0), (Solver::PyVrp, 1.0));
        assert!((board.excess(&cells[0], ours, theirs).expect("one") - 1.0).abs() < 1e-9);
        assert!(board.excess(&cells[0], theirs, ours).expect("one") < 0.0);
        assert_eq!(board.excess(&cells[1], ours, theirs), None);
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
