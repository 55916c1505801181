//! Who runs what, and how long that takes.

use radar_problem::Variant;

use super::arguments::Arguments;
use super::cell::{Cell, Place};
use super::solver::Solver;

/// CPU seconds a solve may take.
pub const BUDGETS: [f64; 4] = [0.02, 0.1, 1.0, 10.0];

/// The budget of a solver that keeps none: the longest that is of interest.
pub const LONGEST: f64 = BUDGETS[3];

const INSTANCES: usize = 5;
const INSTANCES_AT_LONGEST: usize = 3;
const INSTANCES_IN_FULL: usize = 20;

/// One cell under one budget by one solver.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    pub cell: Cell,
    pub solver: Solver,
    pub budget: f64,
    pub instances: usize,
}

impl Task {
    /// About how many seconds it takes.
    pub fn estimate(&self) -> f64 {
        // Starting, reading and what comes after the deadline.
        let around = if self.cell.stops >= 500 { 0.25 } else { 0.02 };
        let each = match (self.solver, self.cell.place, self.cell.stops) {
            (Solver::Lkh, Place::Tsplib, _) => 0.5,
            (Solver::Lkh, _, stops) => 0.16 * (stops as f64 / 100.0).powi(2),
            // Proved long before.
            (Solver::Radar, Place::Tmat, _) if self.cell.variant == Variant::Atsp => self.budget.min(0.1),
            _ => self.budget,
        };
        (each + around) * self.instances as f64
    }
}

/// All tasks of the cells, cell by cell.
pub fn tasks(cells: &[Cell], arguments: &Arguments) -> Vec<Task> {
    let mut tasks = Vec::new();
    for &cell in cells {
        let takers = arguments.solvers.iter().filter(|solver| solver.takes(cell.variant));
        for &solver in takers {
            let wanted = budgets(&cell, solver, arguments.full);
            let wanted =
                wanted.iter().filter(|&budget| !solver.keeps_time() || arguments.budgets.contains(budget));
            tasks.extend(wanted.map(|&budget| {
                let instances = instances(solver, budget, arguments);
                Task { cell, solver, budget, instances }
            }));
        }
    }
    tasks
}

/// The budgets that the tables need. With features PyVRP is the bar, at a budget longer than ours; the others are
/// shown at one second. OR-Tools and VROOM gain little by ten seconds and are left out there, for time's sake.
fn budgets(cell: &Cell, solver: Solver, full: bool) -> &'static [f64] {
    match solver {
        Solver::Lkh => &BUDGETS[3..],
        Solver::Radar => &BUDGETS,
        _ if full => &BUDGETS,
        Solver::PyVrp | Solver::Hgs if !cell.has_features() => &BUDGETS,
        Solver::OrTools | Solver::Vroom if !cell.has_features() => &BUDGETS[..3],
        Solver::PyVrp => &BUDGETS[1..],
        Solver::OrTools | Solver::Vroom | Solver::Hgs => &BUDGETS[2..3],
    }
}

fn instances(solver: Solver, budget: f64, arguments: &Arguments) -> usize {
    match arguments.instances {
        Some(count) => count,
        None if arguments.full => INSTANCES_IN_FULL,
        None if budget == LONGEST && solver.keeps_time() => INSTANCES_AT_LONGEST,
        None => INSTANCES,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_set_keeps_its_time() {
        let arguments = Arguments::parse(&[]).expect("nothing to refuse");
        let total: f64 = tasks(&super::super::cell::every(), &arguments).iter().map(Task::estimate).sum();
        assert!(total < 100.0 * 60.0, "{total} s");
    }
}
