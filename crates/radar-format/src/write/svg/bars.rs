//! Routes along time, for problems without points: travel as a line, waiting as a hatched box,
//! service as a solid one, windows as brackets below.

use radar_problem::{Kind, Problem};

use super::super::{Answer, RouteSchedule, Stop};
use super::canvas::{Anchor, Canvas, px, shortened};
use super::palette::colour;
use super::{figure, legend, title};

const WIDE: f64 = 1010.0;
const LEFT: f64 = 40.0;
const RIGHT: f64 = WIDE - 40.0;
const TOP: f64 = 70.0;

/// How many windows are drawn one below the other before the first line is used again.
const LANES: usize = 4;

pub(super) fn draw(problem: &Problem, answer: &Answer) -> Vec<u8> {
    let row = if problem.windows.is_some() { 106.0 } else { 84.0 };
    let used: Vec<(usize, &RouteSchedule)> =
        answer.schedule.iter().enumerate().filter(|(_, route)| !route.stops.is_empty()).collect();
    let left_out = 24.0 * f64::from(u8::from(!answer.unserved.is_empty()));
    let height = TOP + row * used.len().max(1) as f64 + 58.0 + left_out;
    let mut canvas = Canvas::new(WIDE, height);
    let title = title(problem, answer);
    canvas.text((LEFT, 34.0), 18.0, Anchor::Start, r#"font-weight="bold""#, &shortened(&title, 110));
    canvas.shape(
        r##"<defs><pattern id="wait" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="#f2f2f2"/><line x1="0" y1="0" x2="0" y2="6" stroke="#b5b5b5" stroke-width="2"/></pattern></defs>"##,
    );
    let axis = Axis::over(&used);
    axis.draw(&mut canvas, problem, TOP - 8.0, TOP + row * used.len().max(1) as f64);
    for (place, &(index, route)) in used.iter().enumerate() {
        draw_route(&mut canvas, problem, &axis, index, route, TOP + row * place as f64);
    }
    key(&mut canvas, problem, height - 18.0 - left_out);
    if !answer.unserved.is_empty() {
        let ids: Vec<&str> = answer.unserved.iter().map(|stop| stop.id.as_str()).collect();
        let words = shortened(&format!("not served: {}", ids.join(", ")), 140);
        canvas.text((LEFT, height - 16.0), 12.0, Anchor::Start, r##"fill="#a00000""##, &words);
    }
    canvas.finish(&title)
}

/// Time from left to right.
struct Axis {
    start: f64,
    end: f64,
    step: f64,
}

impl Axis {
    fn over(routes: &[(usize, &RouteSchedule)]) -> Self {
        let start = routes.iter().map(|(_, route)| route.departure).fold(f64::INFINITY, f64::min);
        let end = routes.iter().map(|(_, route)| route.end).fold(f64::NEG_INFINITY, f64::max);
        let start = if start.is_finite() { start } else { 0.0 };
        let end = if end > start { end } else { start + 1.0 };
        let rough = (end - start) / 8.0;
        let power = 10.0_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|nice| nice * power).find(|&step| step >= rough);
        Self { start, end, step: step.unwrap_or(rough) }
    }

    fn x(&self, time: f64) -> f64 {
        let share = (time - self.start) / (self.end - self.start);
        LEFT + share.clamp(0.0, 1.0) * (RIGHT - LEFT)
    }

    fn draw(&self, canvas: &mut Canvas, problem: &Problem, top: f64, bottom: f64) {
        let first = (self.start / self.step).ceil();
        for tick in 0..20 {
            let time = (first + f64::from(tick)) * self.step;
            if time > self.end {
                break;
            }
            let x = self.x(time);
            canvas.line((x, top), (x, bottom), r##"stroke="#e4e4e4" stroke-width="1""##);
            let words = figure(time, None);
            canvas.text((x, bottom + 15.0), 11.0, Anchor::Middle, r##"fill="#666666""##, &words);
        }
        let unit = problem.units.duration.as_ref().or(problem
            .units
            .distance
            .as_ref()
            .filter(|_| problem.duration.is_none()));
        let words = unit.map_or("time".to_owned(), |unit| format!("time ({unit})"));
        canvas.text((RIGHT, bottom + 31.0), 11.0, Anchor::End, r##"fill="#666666""##, &words);
    }
}

fn draw_route(
    canvas: &mut Canvas,
    problem: &Problem,
    axis: &Axis,
    index: usize,
    route: &RouteSchedule,
    top: f64,
) {
    let colour = colour(index);
    let [name, figures] = legend::entry(problem, index, route);
    canvas.text(
        (LEFT, top + 13.0),
        13.0,
        Anchor::Start,
        &format!(r#"font-weight="bold" fill="{colour}""#),
        &name,
    );
    let aside = LEFT + 8.0 * name.chars().count() as f64 + 14.0;
    canvas.text((aside, top + 13.0), 11.0, Anchor::Start, r##"fill="#555555""##, &figures);
    let y = top + 48.0;
    let travel = format!(r#"stroke="{colour}" stroke-width="2.5""#);
    canvas.line((axis.x(route.departure), y), (axis.x(route.end), y), &travel);
    let mut free = f64::NEG_INFINITY;
    for (position, stop) in route.stops.iter().enumerate() {
        canvas.begin(&format!(
            "{} · arrives {} · starts {}",
            stop.id,
            figure(stop.arrival, None),
            figure(stop.start, None)
        ));
        window(canvas, problem, axis, stop, colour, y + 16.0 + 7.0 * (position % LANES) as f64);
        visit(canvas, axis, stop, colour, y);
        // A label is drawn where the one before leaves room.
        let (x, words) = (axis.x(stop.start), shortened(&stop.id, 14));
        let half = 3.2 * words.chars().count() as f64 + 2.0;
        if x - half > free {
            canvas.text((x, y - 12.0), 11.0, Anchor::Middle, "", &words);
            free = x + half;
        }
        canvas.end();
    }
    let home = r##"fill="#111111" stroke="#ffffff" stroke-width="1.5""##;
    for time in [Some(route.departure), route.returns].into_iter().flatten() {
        canvas.rect((axis.x(time) - 6.0, y - 6.0), (12.0, 12.0), home);
    }
}

fn visit(canvas: &mut Canvas, axis: &Axis, stop: &Stop, colour: &str, y: f64) {
    let (arrival, start, leave) = (axis.x(stop.arrival), axis.x(stop.start), axis.x(stop.leave));
    if stop.wait > 0.0 {
        let style = r##"fill="url(#wait)" stroke="#b5b5b5" stroke-width="1""##;
        canvas.rect((arrival, y - 6.0), (start - arrival, 12.0), style);
    }
    if stop.leave > stop.start {
        let style = format!(r#"fill="{colour}" fill-opacity="0.85""#);
        canvas.rect((start, y - 6.0), ((leave - start).max(2.0), 12.0), &style);
    }
    let rim = format!(r##"fill="#ffffff" stroke="{colour}" stroke-width="2""##);
    canvas.circle((start, y), 3.6, &rim);
}

fn window(canvas: &mut Canvas, problem: &Problem, axis: &Axis, stop: &Stop, colour: &str, y: f64) {
    let Some(&[open, close]) = problem.windows.as_ref().and_then(|windows| windows.get(stop.node)) else {
        return;
    };
    if stop.node == 0 || open <= axis.start && close >= axis.end {
        return;
    }
    let (from, to) = (axis.x(open), axis.x(close));
    let style = format!(r#"fill="none" stroke="{colour}" stroke-opacity="0.55" stroke-width="1.5""#);
    // A bracket is open on the side where the window goes on beyond the picture.
    let mut path = format!("M{} {}", px(from), px(y));
    if open >= axis.start {
        path = format!("M{} {}V{}", px(from), px(y - 3.0), px(y));
    }
    path.push_str(&format!("H{}", px(to.max(from + 1.0))));
    if close <= axis.end {
        path.push_str(&format!("V{}", px(y - 3.0)));
    }
    canvas.shape(&format!(r#"<path d="{path}" {style}/>"#));
    canvas.circle((axis.x(stop.start), y), 1.8, &format!(r#"fill="{colour}""#));
}

/// What the marks mean.
fn key(canvas: &mut Canvas, problem: &Problem, y: f64) {
    let grey = r##"stroke="#777777" stroke-width="2.5""##;
    canvas.rect((LEFT, y - 10.0), (11.0, 11.0), r##"fill="#111111""##);
    let home = if problem.kind == Kind::Atsp { "start" } else { "depot" };
    canvas.text((LEFT + 18.0, y), 11.0, Anchor::Start, "", home);
    canvas.line((LEFT + 70.0, y - 4.0), (LEFT + 96.0, y - 4.0), grey);
    canvas.text((LEFT + 102.0, y), 11.0, Anchor::Start, "", "travel");
    if problem.service.is_some() || problem.windows.is_some() {
        canvas.rect((LEFT + 154.0, y - 10.0), (22.0, 11.0), r##"fill="url(#wait)" stroke="#b5b5b5""##);
        canvas.text((LEFT + 182.0, y), 11.0, Anchor::Start, "", "waiting");
        canvas.rect((LEFT + 240.0, y - 10.0), (22.0, 11.0), r##"fill="#777777""##);
        canvas.text((LEFT + 268.0, y), 11.0, Anchor::Start, "", "service");
    }
    if problem.windows.is_some() {
        let style = r##"fill="none" stroke="#777777" stroke-width="1.5""##;
        canvas.shape(&format!(
            r#"<path d="M{} {}V{}H{}V{}" {style}/>"#,
            px(LEFT + 326.0),
            px(y - 8.0),
            px(y - 3.0),
            px(LEFT + 350.0),
            px(y - 8.0)
        ));
        canvas.text((LEFT + 358.0, y), 11.0, Anchor::Start, "", "window, with the start of service");
    }
}
