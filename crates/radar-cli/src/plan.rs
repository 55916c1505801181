//! A plan for people: one line per route, and totals.

use std::io::IsTerminal;

use radar::{Instance, Routes, Solution};
use radar_check::Verdict;

use crate::amounts::{cost, counted, moment, number};
use crate::table::Table;

/// Characters of a line of visits, and how many lines of a route are shown on a terminal.
const WIDTH: usize = 64;
const LINES: usize = 8;

/// The routes as a table.
pub fn table(instance: &Instance, routes: &Routes, verdict: &Verdict) -> String {
    let scales = instance.scales();
    let units = &instance.input().units;
    let timed = instance.input().duration.is_some()
        || instance.input().windows.is_some()
        || instance.input().max_duration.is_some();
    let time = |scaled: i64| moment(scales.duration.undo(scaled), units.duration.as_deref());
    let when = |is: bool, text: String| if is { text } else { String::new() };
    let loaded = instance.input().capacity.is_some();
    let picks = instance.features().has(radar::Feature::Backhaul);
    // A single table of travel times plays both roles.
    let length =
        if matches!(units.distance.as_deref(), Some("s" | "min" | "h")) { "duration" } else { "distance" };
    let mut table = Table::new(&[
        "route", "stops", "delivers", "picks up", length, "leaves", "or by", "ends", "waits", "visits<",
    ]);
    for (at, (route, report)) in routes.iter().zip(&verdict.routes).enumerate() {
        let ends = report.returns.or(report.stops.last().map(|stop| stop.leave)).unwrap_or(report.departure);
        let waits: i64 = report.stops.iter().map(|stop| stop.wait).sum();
        let mut visits = visits(instance, route).into_iter();
        table.row(vec![
            (at + 1).to_string(),
            route.len().to_string(),
            when(loaded, number(scales.amount.undo(report.delivered), 3)),
            when(picks, number(scales.amount.undo(report.picked_up), 3)),
            cost(scales.distance.undo(report.distance)),
            when(timed, time(report.departure)),
            report.latest_departure.filter(|_| timed).map(time).unwrap_or_default(),
            when(timed, time(ends)),
            when(timed, time(waits)),
            visits.next().unwrap_or_default(),
        ]);
        table.continued(visits);
    }
    table.to_string()
}

/// The stops of a route in lines; a terminal gets no more of them than are readable.
fn visits(instance: &Instance, route: &[usize]) -> Vec<String> {
    let ids: Vec<String> = route.iter().map(|&node| instance.id(node)).collect();
    let between = if ids.iter().any(|id| id.contains(char::is_whitespace)) { " · " } else { " " };
    let most = if std::io::stdout().is_terminal() { LINES } else { usize::MAX };
    let mut lines: Vec<String> = Vec::new();
    for (at, id) in ids.iter().enumerate() {
        let full = lines.len() == most;
        match lines.last_mut() {
            Some(line) if line.chars().count() + between.len() + id.chars().count() <= WIDTH => {
                line.push_str(between);
                line.push_str(id);
            }
            _ if full => {
                lines.push(format!("… {} more; -o writes them all", ids.len() - at));
                break;
            }
            _ => lines.push(id.clone()),
        }
    }
    lines
}

/// What a solution comes to, in one line.
pub fn totals(solution: &Solution) -> String {
    let instance = &solution.instance;
    let unit = unit(instance);
    let routes = solution.routes.iter().filter(|route| !route.is_empty()).count();
    let stops: usize = solution.routes.iter().map(Vec::len).sum();
    let proof = match (solution.optimal, solution.bound) {
        (true, _) => "; proved optimal".to_owned(),
        (false, Some(bound)) => format!("; at least {}{unit} (gap {})", cost(bound), gap(solution)),
        (false, None) => String::new(),
    };
    let (routes, stops) = (counted(routes, "route"), counted(stops, "stop"));
    format!("cost {}{unit}, {routes}, {stops}{proof}", cost(solution.cost))
}

/// How far the plan may be from the best, in words.
pub fn gap(solution: &Solution) -> String {
    match (solution.optimal, solution.gap()) {
        (true, _) => "optimal".to_owned(),
        (false, Some(gap)) => format!("{} %", number(100.0 * gap, 2)),
        (false, None) => String::new(),
    }
}

/// The unit of the cost, with a space before it, if it has a name.
pub fn unit(instance: &Instance) -> String {
    let units = &instance.input().units;
    let unit = match (instance.objective(), &instance.input().duration) {
        (radar::Objective::Duration, Some(_)) => units.duration.as_deref(),
        _ => units.distance.as_deref(),
    };
    unit.map(|unit| format!(" {unit}")).unwrap_or_default()
}
