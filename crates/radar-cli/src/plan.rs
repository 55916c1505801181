//! A plan for people: one line per route, and totals.

use radar::{Instance, Routes, Solution};
use radar_check::Verdict;

use crate::amounts::{cost, moment, number};
use crate::table::Table;

/// How many characters of a route's visits are shown.
const VISITS: usize = 56;

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
    let mut table = Table::new(&[
        "route", "stops", "delivers", "picks up", "distance", "leaves", "ends", "waits", "visits<",
    ]);
    for (at, (route, report)) in routes.iter().zip(&verdict.routes).enumerate() {
        let ends = report.returns.or(report.stops.last().map(|stop| stop.leave)).unwrap_or(report.departure);
        let waits: i64 = report.stops.iter().map(|stop| stop.wait).sum();
        table.row(vec![
            (at + 1).to_string(),
            route.len().to_string(),
            when(loaded, number(scales.amount.undo(report.delivered), 3)),
            when(picks, number(scales.amount.undo(report.picked_up), 3)),
            cost(scales.distance.undo(report.distance)),
            when(timed, time(report.departure)),
            when(timed, time(ends)),
            when(timed, time(waits)),
            visits(instance, route),
        ]);
    }
    table.to_string()
}

fn visits(instance: &Instance, route: &[usize]) -> String {
    let mut shown = String::new();
    for (at, &node) in route.iter().enumerate() {
        let id = instance.id(node);
        if !shown.is_empty() && shown.chars().count() + id.chars().count() + 1 > VISITS {
            shown.push_str(&format!(" … {} more", route.len() - at));
            break;
        }
        if at > 0 {
            shown.push(' ');
        }
        shown.push_str(&id);
    }
    shown
}

/// What a solution comes to, in one line.
pub fn totals(solution: &Solution) -> String {
    let instance = &solution.instance;
    let unit = unit(instance);
    let routes = solution.routes.iter().filter(|route| !route.is_empty()).count();
    let stops: usize = solution.routes.iter().map(Vec::len).sum();
    let plural = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    format!("cost {}{unit}, {}, {}", cost(solution.cost), plural(routes, "route"), plural(stops, "stop"))
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
