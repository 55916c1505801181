//! The bars: what our solver must reach in each cell.

use radar_problem::{Features, Variant};

use super::board::{Board, mean};
use super::cell::{Cell, Place};
use super::plan::BUDGETS;
use super::solver::Solver;
use crate::Row;

/// Differences below these points are not established by so few instances.
const TOUR_TOLERANCE: f64 = 0.1;
const ROUTES_TOLERANCE: f64 = 0.3;

/// What a budget must give.
#[derive(Clone, Copy)]
enum Floor {
    /// A mean gap in percent to the best known.
    Gap(f64),
    /// Every instance proved.
    Proof,
    /// Every instance has a plan.
    Plan,
    /// Not above LKH at ten seconds.
    Lkh,
}

use Floor::{Gap, Lkh, Plan, Proof};

/// Floors of tours and of capacity alone at 0.02, 0.1, 1 and 10 seconds, by place and size.
const FLOORS: [(Place, bool, usize, [Floor; 4]); 13] = [
    (Place::Tmat, true, 100, [Gap(0.0), Proof, Proof, Proof]),
    (Place::Tmat, true, 200, [Gap(0.0), Proof, Proof, Proof]),
    (Place::Tmat, true, 500, [Gap(0.07), Proof, Proof, Proof]),
    (Place::Tmat, true, 1000, [Gap(0.1), Proof, Proof, Proof]),
    (Place::Roads, true, 100, [Gap(0.05), Gap(0.002), Gap(0.0), Gap(0.0)]),
    (Place::Roads, true, 200, [Gap(0.3), Gap(0.14), Gap(0.03), Gap(0.0)]),
    (Place::Roads, true, 500, [Gap(0.7), Gap(0.24), Gap(0.07), Lkh]),
    (Place::Tmat, false, 100, [Gap(2.1), Gap(0.9), Gap(0.4), Gap(0.05)]),
    (Place::Tmat, false, 200, [Gap(2.4), Gap(1.5), Gap(0.5), Gap(0.1)]),
    (Place::Tmat, false, 500, [Gap(6.0), Gap(2.1), Gap(0.9), Gap(0.05)]),
    (Place::Tmat, false, 1000, [Plan, Gap(2.2), Gap(0.9), Gap(0.1)]),
    (Place::Roads, false, 100, [Gap(0.9), Gap(0.2), Gap(0.07), Gap(0.0)]),
    (Place::Roads, false, 200, [Gap(2.0), Gap(1.0), Gap(0.3), Gap(0.0)]),
];

/// Ours at the first budget is held against PyVRP at the second.
const AGAINST: [(f64, f64); 4] = [(0.02, 0.1), (0.1, 1.0), (1.0, 10.0), (10.0, 10.0)];

/// A row per cell and budget for which there are results.
pub fn rows(board: &Board<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    for cell in board.cells {
        let floors = FLOORS.iter().find(|&&(place, tour, stops, _)| {
            let variant = if tour { Variant::Atsp } else { Variant::Vrp(Features::NONE) };
            (place, variant, stops) == (cell.place, cell.variant, cell.stops)
        });
        for (budget, &floor) in BUDGETS.into_iter().zip(floors.iter().flat_map(|(.., floors)| floors)) {
            rows.extend(row(board, cell, budget, floor));
        }
    }
    let mut ends = Vec::new();
    for cell in board.cells.iter().filter(|cell| cell.is_variant()) {
        for (ours, theirs) in AGAINST {
            let Some(excess) = board.excess(cell, (Solver::Radar, ours), (Solver::PyVrp, theirs)) else {
                continue;
            };
            let name = format!("{cell}, {ours} s: above PyVRP at {theirs} s");
            rows.push(Row::at_most(name, excess, "%", ROUTES_TOLERANCE));
            if ours == BUDGETS[3] {
                ends.push(excess);
            }
        }
    }
    if let Some(total) = mean(ends.into_iter()) {
        rows.push(Row::at_most("the variants in total, 10 s: above PyVRP at 10 s", total, "%", 0.0));
    }
    rows
}

fn row(board: &Board<'_>, cell: &Cell, budget: f64, floor: Floor) -> Option<Row> {
    let tolerance = if cell.variant == Variant::Atsp { TOUR_TOLERANCE } else { ROUTES_TOLERANCE };
    let score = board.score(cell, Solver::Radar, budget)?;
    let name = |what: &str| format!("{cell}, {budget} s: {what}");
    Some(match floor {
        Gap(floor) => Row::at_most(
            name(&format!("gap, floor {floor} + {tolerance}")),
            score.strict_gap(),
            "%",
            (1e6 * (floor + tolerance)).round() / 1e6,
        ),
        Proof => Row::at_most(name("without a proof"), (score.run - score.proved) as f64, "instances", 0.0),
        Plan => Row::at_most(name("without a plan"), (score.run - score.counted) as f64, "instances", 0.0),
        Lkh => {
            let excess = board.excess(cell, (Solver::Radar, budget), (Solver::Lkh, budget))?;
            Row::at_most(name("above LKH"), excess, "%", tolerance)
        }
    })
}
