//! How far plans may be from the best: mean gaps between what search finds and what is proved.
//!
//! Ten instances of tours and three of every variant, half a second of wall time each; roads if a folder of
//! matrices is given: `bench/run bounds --roads FOLDER`.

use std::time::Duration;

use radar::{Budget, Method, Options, Silent, Solver};
use radar_problem::Variant;

use crate::Row;
use crate::rivals::arguments::from_caller;
use crate::rivals::cell::{Cell, Place, every};
use crate::rivals::stock::Stock;

const BUDGET: Duration = Duration::from_millis(500);
const TOURS: usize = 10;
const PLANS: usize = 3;

/// Mean gaps in percent.
pub fn run(arguments: &[String]) -> Result<Vec<Row>, String> {
    let roads = match arguments {
        [] => None,
        [flag, folder] if flag == "--roads" => Some(from_caller(folder)),
        _ => return Err("bounds takes --roads FOLDER".to_owned()),
    };
    let stock = Stock::open(roads.as_deref(), None)?;
    let is_small = |cell: &Cell| cell.stops <= 500 && cell.place != Place::Tsplib;
    let mut rows = Vec::new();
    for cell in every().into_iter().filter(|cell| is_small(cell) && stock.has(cell)) {
        let is_tour = cell.variant == Variant::Atsp;
        if !is_tour && !cell.is_variant() {
            continue;
        }
        let problems = stock.draw(&cell, if is_tour { TOURS } else { PLANS })?;
        let mut gaps = Vec::new();
        for problem in problems {
            let options =
                Options { budget: Budget::time(BUDGET), method: Method::Search, ..Options::default() };
            let solution =
                Solver::new(options).solve(problem, &Silent).map_err(|error| format!("{cell}: {error}"))?;
            gaps.push(100.0 * solution.gap().unwrap_or(1.0));
        }
        let mean = gaps.iter().sum::<f64>() / gaps.len().max(1) as f64;
        let name = format!("{cell}: mean gap of {} in {} s", gaps.len(), BUDGET.as_secs_f64());
        rows.push(match (is_tour, cell.place) {
            (true, Place::Tmat) => Row::at_most(name, mean, "%", 0.6),
            (true, _) => Row::at_most(name, mean, "%", 2.0),
            _ => Row::plain(name, mean, "%"),
        });
    }
    Ok(rows)
}
