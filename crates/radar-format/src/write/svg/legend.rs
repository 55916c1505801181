//! What the colours mean, route by route.

use radar_problem::Problem;

use super::super::{Answer, RouteSchedule};
use super::canvas::{Anchor, Canvas};
use super::figure;
use super::palette::{colour, dashes};

pub(super) const WIDTH: f64 = 320.0;
const ROW: f64 = 34.0;

/// Draws one entry per route down from `top`, as many as fit above `bottom`.
pub(super) fn draw(
    canvas: &mut Canvas,
    problem: &Problem,
    answer: &Answer,
    left: f64,
    top: f64,
    bottom: f64,
) {
    let used: Vec<(usize, &RouteSchedule)> =
        answer.schedule.iter().enumerate().filter(|(_, route)| !route.stops.is_empty()).collect();
    let room = ((bottom - top) / ROW).floor().max(1.0) as usize;
    let shown = if used.len() > room { room - 1 } else { used.len() };
    for (row, &(index, route)) in used.iter().take(shown).enumerate() {
        let y = top + ROW * row as f64;
        let style =
            format!(r#"stroke="{}" stroke-width="4" stroke-dasharray="{}""#, colour(index), dashes(index));
        canvas.line((left, y + 9.0), (left + 28.0, y + 9.0), &style);
        let [name, figures] = entry(problem, index, route);
        canvas.text((left + 38.0, y + 8.0), 13.0, Anchor::Start, r#"font-weight="bold""#, &name);
        canvas.text((left + 38.0, y + 23.0), 11.0, Anchor::Start, r##"fill="#555555""##, &figures);
    }
    if shown < used.len() {
        let rest = format!("and {} more", used.len() - shown);
        let y = top + ROW * shown as f64 + 14.0;
        canvas.text((left + 38.0, y), 12.0, Anchor::Start, r##"fill="#555555""##, &rest);
    }
}

/// The name of a route and its figures.
pub(super) fn entry(problem: &Problem, index: usize, route: &RouteSchedule) -> [String; 2] {
    let stops = route.stops.iter().filter(|stop| stop.node != 0).count();
    let plural = if stops == 1 { "stop" } else { "stops" };
    let mut figures = vec![figure(route.distance, problem.units.distance.as_deref())];
    if problem.duration.is_some() || problem.windows.is_some() {
        figures.push(figure(route.duration, problem.units.duration.as_deref()));
    }
    let held = problem.capacity.map(|capacity| format!("/{}", figure(capacity, None))).unwrap_or_default();
    if route.delivered > 0.0 || problem.demand.is_some() {
        figures.push(format!("load {}{held}", figure(route.delivered, None)));
    }
    if route.picked_up > 0.0 {
        figures.push(format!("pickup {}{held}", figure(route.picked_up, None)));
    }
    let name = match problem.kind {
        radar_problem::Kind::Atsp => "Tour".to_owned(),
        radar_problem::Kind::Vrp => format!("Route {}", index + 1),
    };
    [format!("{name} · {stops} {plural}"), figures.join(" · ")]
}
