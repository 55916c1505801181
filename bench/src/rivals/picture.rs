//! Quality over time: the mean gap against the budget, a panel per kind of instance, a line per solver.

use std::fmt::Write;

use radar_problem::{Features, Variant};
use radar_sample::feature::Preset;

use super::board::{Board, mean};
use super::cell::{Cell, Place};
use super::plan::BUDGETS;
use super::solver::Solver;

const COLUMNS: usize = 4;
const PANEL: (f64, f64) = (270.0, 215.0);
const LEFT: f64 = 42.0;
const TOP: f64 = 34.0;
const PLOT: (f64, f64) = (210.0, 140.0);
const HEAD: f64 = 74.0;
const TICKS: [f64; 8] = [0.0, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0];
const TITLE: &str = "Gap to the best plan known, in %, against CPU seconds on one core";

const NOTE: &str = "no point: an instance without a legal plan in time";

/// A title and the cells whose scores are averaged.
struct Panel<'a> {
    title: String,
    cells: Vec<&'a Cell>,
}

/// The whole picture as SVG.
pub fn svg(board: &Board<'_>) -> String {
    let panels: Vec<Panel<'_>> =
        panels(board).into_iter().filter(|panel| !lines(board, panel).is_empty()).collect();
    let rows = panels.len().div_ceil(COLUMNS);
    let (width, height) = (COLUMNS as f64 * PANEL.0 + 16.0, HEAD + rows as f64 * PANEL.1 + 8.0);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" \
         font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"11\" fill=\"#222222\">\n\
         <title>{TITLE}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"16\" y=\"28\" font-size=\"17\" font-weight=\"bold\">{TITLE}</text>\n"
    );
    legend(&mut text);
    let _ = writeln!(text, "<text x=\"{}\" y=\"56\" text-anchor=\"end\">{NOTE}</text>", width - 20.0);
    for (at, panel) in panels.iter().enumerate() {
        let corner = (16.0 + (at % COLUMNS) as f64 * PANEL.0, HEAD + (at / COLUMNS) as f64 * PANEL.1);
        let _ = writeln!(text, "<g transform=\"translate({} {})\">", corner.0, corner.1);
        draw(board, panel, &mut text);
        text.push_str("</g>\n");
    }
    text.push_str("</svg>\n");
    text
}

/// A panel per size of tours and of capacity alone, and one per place and preset for the variants together.
fn panels<'a>(board: &Board<'a>) -> Vec<Panel<'a>> {
    let capacity = Variant::Vrp(Features::NONE);
    let alone = board.cells.iter().filter(|cell| [Variant::Atsp, capacity].contains(&cell.variant));
    let mut panels: Vec<Panel<'a>> =
        alone.map(|cell| Panel { title: cell.to_string(), cells: vec![cell] }).collect();
    for place in [Place::Tmat, Place::Roads] {
        for (preset, word) in [(Preset::Paper, "usual"), (Preset::Tight, "tight")] {
            let is_here = |cell: &&Cell| cell.is_variant() && (cell.place, cell.preset) == (place, preset);
            let cells: Vec<&Cell> = board.cells.iter().filter(is_here).collect();
            panels.push(Panel { title: format!("{place}, {} variants, {word}", cells.len()), cells });
        }
    }
    panels
}

/// The points of every solver that has any. A mean over some of a panel's cells would not compare, so that a
/// solver counts under a budget only with a plan for every instance of every cell.
fn lines(board: &Board<'_>, panel: &Panel<'_>) -> Vec<(Solver, Vec<(f64, f64)>)> {
    let point = |solver: Solver, budget: f64| {
        let gaps =
            panel.cells.iter().map(|cell| board.score(cell, solver, budget).map(|score| score.strict_gap()));
        let gaps: Option<Vec<f64>> = gaps.collect();
        mean(gaps?.into_iter()).filter(|gap| gap.is_finite()).map(|gap| (budget, gap))
    };
    let line =
        |solver| (solver, BUDGETS.iter().filter_map(|&budget| point(solver, budget)).collect::<Vec<_>>());
    // Ours last, on top.
    Solver::ALL.into_iter().rev().map(line).filter(|(_, points)| !points.is_empty()).collect()
}

fn across(budget: f64) -> f64 {
    let (first, last) = (BUDGETS[0].ln(), BUDGETS[3].ln());
    LEFT + PLOT.0 * (budget.ln() - first) / (last - first)
}

/// Logarithmic where gaps are large, linear where they end at 0.
fn down(gap: f64) -> f64 {
    let height = |gap: f64| (1.0 + gap / 0.1).ln();
    TOP + PLOT.1 * (1.0 - height(gap.min(TICKS[7])) / height(TICKS[7]))
}

fn draw(board: &Board<'_>, panel: &Panel<'_>, text: &mut String) {
    let (right, bottom) = (LEFT + PLOT.0, TOP + PLOT.1);
    let _ = writeln!(
        text,
        "<text x=\"{LEFT}\" y=\"{}\" font-weight=\"bold\" font-size=\"12\">{}</text>",
        TOP - 12.0,
        panel.title
    );
    for tick in TICKS {
        let y = down(tick);
        let _ = writeln!(
            text,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#dddddd\"/>"
        );
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>",
            LEFT - 6.0,
            y + 4.0
        );
    }
    for budget in BUDGETS {
        let x = across(budget);
        let _ = writeln!(
            text,
            "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"#eeeeee\"/>"
        );
        let _ = writeln!(
            text,
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{budget} s</text>",
            bottom + 16.0
        );
    }
    for (solver, points) in lines(board, panel) {
        let (name, colour) = (solver.name(), solver.colour());
        let width = if solver == Solver::Radar { 3 } else { 2 };
        let path: Vec<String> =
            points.iter().map(|&(budget, gap)| format!("{:.1},{:.1}", across(budget), down(gap))).collect();
        let _ = writeln!(text, "<g fill=\"{colour}\"><title>{name}</title>");
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>",
            path.join(" ")
        );
        for (budget, gap) in points {
            let _ = writeln!(
                text,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\"><title>{name}, {budget} s: {gap:.3} %</title></circle>",
                across(budget),
                down(gap)
            );
        }
        text.push_str("</g>\n");
    }
}

fn legend(text: &mut String) {
    for (at, solver) in Solver::ALL.into_iter().enumerate() {
        let (x, colour) = (16.0 + LEFT + 100.0 * at as f64, solver.colour());
        let width = if solver == Solver::Radar { 3 } else { 2 };
        let _ = writeln!(
            text,
            "<line x1=\"{x}\" y1=\"52\" x2=\"{}\" y2=\"52\" stroke=\"{colour}\" stroke-width=\"{width}\"/>",
            x + 24.0
        );
        let _ = writeln!(text, "<circle cx=\"{}\" cy=\"52\" r=\"3.5\" fill=\"{colour}\"/>", x + 12.0);
        let _ = writeln!(text, "<text x=\"{}\" y=\"56\" font-size=\"12\">{}</text>", x + 30.0, solver.name());
    }
}
