//! The results as a file of rows and as tables to read.

use std::fmt::Write;

use radar_problem::{Features, Variant};
use radar_sample::feature::Preset;

use super::board::{Board, Score};
use super::cell::{Cell, Place};
use super::plan::BUDGETS;
use super::solver::Solver;

const HEAD: &str =
    "cell,place,variant,stops,preset,instance,digest,solver,version,budget,cost,best,gap,seconds,optimal,why";

/// Every run, a line each.
pub fn csv(board: &Board<'_>) -> String {
    let mut text = format!("{HEAD}\n");
    for cell in board.cells {
        let preset = if cell.preset == Preset::Tight { "tight" } else { "usual" };
        for (solver, budget) in
            Solver::ALL.into_iter().flat_map(|solver| BUDGETS.map(|budget| (solver, budget)))
        {
            let record = board.record(cell, solver, budget).filter(|record| record.budget == budget);
            for outcome in record.iter().flat_map(|record| &record.outcomes) {
                let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
                let cost = outcome.cost.as_ref().ok().copied();
                let gap = cost.and_then(|cost| board.gap(outcome, cost));
                let best = board.best.cost(&format!("{} #{}", outcome.name, outcome.digest));
                let fields = [
                    cell.to_string(),
                    cell.place.to_string(),
                    cell.variant.to_string(),
                    cell.stops.to_string(),
                    preset.to_owned(),
                    outcome.name.clone(),
                    outcome.digest.clone(),
                    solver.name().to_owned(),
                    record.map_or(String::new(), |record| record.version.clone()),
                    budget.to_string(),
                    number(cost),
                    number(best),
                    number(gap),
                    number(outcome.seconds),
                    outcome.optimal.to_string(),
                    outcome.cost.as_ref().err().cloned().unwrap_or_default(),
                ];
                let _ = writeln!(text, "{}", fields.map(quoted).join(","));
            }
        }
    }
    text
}

fn quoted(field: String) -> String {
    match field.contains([',', '"', '\n']) {
        true => format!("\"{}\"", field.replace('"', "\"\"").replace('\n', " ")),
        false => field,
    }
}

/// All tables.
pub fn markdown(board: &Board<'_>) -> String {
    let mut text = "# Rivals in one run\n\n\
        Mean gap in % to the best plan known of each instance; one core, CPU seconds, building the model \
        included. `–`: no legal plan in time. (3/5): the mean of those three of five instances that have one. \
        `*`: all are proved. Bold: the least of the column.\n\n"
        .to_owned();
    versions(board, &mut text);
    let capacity = Variant::Vrp(Features::NONE);
    for (title, variant) in [("ATSP", Variant::Atsp), ("ACVRP", capacity)] {
        let cells: Vec<&Cell> = board.cells.iter().filter(|cell| cell.variant == variant).collect();
        by_size(board, title, &cells, &mut text);
    }
    for (place, preset, title) in [
        (Place::Tmat, Preset::Paper, "The 16 variants, tmat, n=100, usual"),
        (Place::Tmat, Preset::Tight, "The variants that tighten, tmat, n=100, tight"),
        (Place::Roads, Preset::Paper, "The 16 variants, roads, n=100, usual"),
        (Place::Roads, Preset::Tight, "The variants that tighten, roads, n=100, tight"),
    ] {
        let is_here = |cell: &&Cell| cell.is_variant() && (cell.place, cell.preset) == (place, preset);
        by_variant(board, title, &board.cells.iter().filter(is_here).collect::<Vec<_>>(), &mut text);
    }
    text
}

/// Which releases were run.
fn versions(board: &Board<'_>, text: &mut String) {
    let of = |solver: Solver| {
        let all =
            board.cells.iter().flat_map(|cell| BUDGETS.map(|budget| board.record(cell, solver, budget)));
        all.flatten().next().map(|record| record.version.clone())
    };
    let known: Vec<String> = Solver::ALL.into_iter().filter_map(of).collect();
    let _ = writeln!(text, "{}.\n", known.join(", "));
}

/// A row per size and solver, a column per budget.
fn by_size(board: &Board<'_>, title: &str, cells: &[&Cell], text: &mut String) {
    let mut body = String::new();
    for cell in cells {
        let row = |solver: Solver| BUDGETS.map(|budget| board.score(cell, solver, budget));
        let rows: Vec<(Solver, [Option<Score>; 4])> = Solver::ALL
            .into_iter()
            .map(|solver| (solver, row(solver)))
            .filter(|(_, row)| row.iter().any(Option::is_some))
            .collect();
        for (solver, row) in &rows {
            let fields = [0, 1, 2, 3].map(|at| {
                let column = rows.iter().filter_map(|(_, row)| row[at]);
                field(row[at], least(column))
            });
            let _ = writeln!(body, "| {cell} | {} | {} |", solver.name(), fields.join(" | "));
        }
    }
    if !body.is_empty() {
        let budgets = BUDGETS.map(|budget| format!("{budget} s")).join(" | ");
        let _ = writeln!(text, "## {title}\n\n| | | {budgets} |\n|---|---|---:|---:|---:|---:|\n{body}");
    }
}

/// A row per variant, a column per solver and budget that was run.
fn by_variant(board: &Board<'_>, title: &str, cells: &[&Cell], text: &mut String) {
    let pairs = Solver::ALL.into_iter().flat_map(|solver| BUDGETS.map(|budget| (solver, budget)));
    let was_run = |cell: &&Cell, solver, budget| board.score(cell, solver, budget).is_some();
    let was_tried = |cell: &&&Cell| pairs.clone().any(|(solver, budget)| was_run(cell, solver, budget));
    let cells: Vec<&Cell> = cells.iter().filter(was_tried).copied().collect();
    // Capacity alone has more columns than the rest, which would stand empty.
    let featured: Vec<&Cell> = cells.iter().copied().filter(|cell| cell.has_features()).collect();
    let columns: Vec<(Solver, f64)> = pairs
        .clone()
        .filter(|&(solver, budget)| featured.iter().any(|cell| was_run(cell, solver, budget)))
        .collect();
    if columns.is_empty() {
        return;
    }
    let head: Vec<String> =
        columns.iter().map(|(solver, budget)| format!("{} {budget} s", solver.name())).collect();
    let _ = writeln!(text, "## {title}\n\n| | {} |\n|---|{}", head.join(" | "), "---:|".repeat(head.len()));
    for cell in cells {
        let scores: Vec<Option<Score>> =
            columns.iter().map(|&(solver, budget)| board.score(cell, solver, budget)).collect();
        let fields: Vec<String> = (columns.iter().zip(&scores))
            .map(|((_, budget), score)| {
                let peers = columns.iter().zip(&scores).filter(|((_, other), _)| other == budget);
                field(*score, least(peers.filter_map(|(_, score)| *score)))
            })
            .collect();
        let _ = writeln!(text, "| {} | {} |", cell.variant, fields.join(" | "));
    }
    text.push('\n');
}

/// The least complete gap, as it is printed.
fn least(scores: impl Iterator<Item = Score>) -> String {
    printed(scores.map(|score| score.strict_gap()).fold(f64::INFINITY, f64::min))
}

fn field(score: Option<Score>, least: String) -> String {
    let Some(score) = score else { return String::new() };
    let Some(gap) = score.gap else { return "–".to_owned() };
    let gap = printed(gap);
    match score.counted == score.run {
        false => format!("{gap} ({}/{})", score.counted, score.run),
        true => {
            let proved = if score.proved == score.run { "*" } else { "" };
            if gap == least { format!("**{gap}**{proved}") } else { format!("{gap}{proved}") }
        }
    }
}

/// Two digits that mean something.
fn printed(gap: f64) -> String {
    match gap {
        // The same arcs summed in another order.
        gap if gap < 1e-9 => "0".to_owned(),
        gap if gap < 0.0995 => format!("{gap:.3}"),
        gap if gap < 9.95 => format!("{gap:.2}"),
        gap => format!("{gap:.1}"),
    }
}
