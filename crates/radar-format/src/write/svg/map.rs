//! Routes on the ground.

use radar_problem::{Kind, Problem};

use super::super::Answer;
use super::canvas::{Anchor, Canvas, px, shortened};
use super::palette::{colour, dashes};
use super::{legend, title};

const WIDE: f64 = 760.0;
const HIGH: f64 = 680.0;
const MARGIN: f64 = 44.0;
const TOP: f64 = 64.0;

/// Labels are drawn up to this many nodes; beyond, they would hide the routes.
const MOST_LABELS: usize = 60;

pub(super) fn draw(problem: &Problem, points: &[[f64; 2]], answer: &Answer) -> Vec<u8> {
    let places = project(points);
    let highest = places.iter().fold(0.0_f64, |most, place| most.max(place.1));
    let height = (highest + MARGIN + 24.0).max(360.0);
    let mut canvas = Canvas::new(WIDE + legend::WIDTH, height);
    let title = title(problem, answer);
    canvas.text((MARGIN, 34.0), 18.0, Anchor::Start, r#"font-weight="bold""#, &shortened(&title, 90));
    let radius = if points.len() <= MOST_LABELS { 5.0 } else { 3.0 };

    for (index, route) in answer.schedule.iter().enumerate() {
        let stops: Vec<usize> = route.stops.iter().map(|stop| stop.node).collect();
        let start = stops.first().filter(|&&first| first != 0).map(|_| 0);
        let back = route.returns.map(|_| 0);
        let way: Vec<(f64, f64)> =
            start.into_iter().chain(stops).chain(back).map(|node| places[node]).collect();
        let [name, figures] = legend::entry(problem, index, route);
        canvas.begin(&format!("{name} · {figures}"));
        line(&mut canvas, &way, index);
        arrows(&mut canvas, &way, index, radius);
        canvas.end();
    }
    for (index, route) in answer.schedule.iter().enumerate() {
        for (position, stop) in route.stops.iter().enumerate().filter(|(_, stop)| stop.node != 0) {
            canvas.begin(&format!("{} · stop {} of route {}", stop.id, position + 1, index + 1));
            marker(&mut canvas, hands_over(problem, stop.node), places[stop.node], radius, colour(index));
            canvas.end();
        }
    }
    for stop in &answer.unserved {
        let Some(&(x, y)) = places.get(stop.node) else { continue };
        canvas.begin(&format!("{} · not served", stop.id));
        cross(&mut canvas, (x, y), radius);
        canvas.end();
    }
    depot(&mut canvas, problem, places.first().copied());
    if points.len() <= MOST_LABELS {
        labels(&mut canvas, problem, &places);
    }
    legend::draw(&mut canvas, problem, answer, WIDE + 10.0, TOP, height - 60.0);
    key(&mut canvas, problem, answer, height);
    canvas.finish(&title)
}

/// Places on the page: north up, east to the right, one scale for both.
fn project(points: &[[f64; 2]]) -> Vec<(f64, f64)> {
    let geographical = points.iter().all(|&[lat, lon]| lat.abs() <= 90.0 && lon.abs() <= 180.0);
    let bounds = |axis: usize| {
        let along = points.iter().map(move |point| point[axis]).filter(|value| value.is_finite());
        along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    };
    let ((south, north), (west, east)) = (bounds(0), bounds(1));
    // A degree of longitude shrinks towards the poles.
    let shrink = if geographical { ((south + north) / 2.0).to_radians().cos().max(0.05) } else { 1.0 };
    let (wide, high) = ((east - west) * shrink, north - south);
    let fit = |extent: f64, room: f64| if extent > 0.0 { room / extent } else { f64::INFINITY };
    let scale = fit(wide, WIDE - 2.0 * MARGIN).min(fit(high, HIGH - TOP - MARGIN));
    let scale = if scale.is_finite() { scale } else { 0.0 };
    let indent = (WIDE - 2.0 * MARGIN - wide.max(0.0) * scale) / 2.0;
    (points.iter())
        .map(|&[lat, lon]| {
            (MARGIN + indent + (lon - west) * shrink * scale, TOP + 16.0 + (north - lat) * scale)
        })
        .collect()
}

fn line(canvas: &mut Canvas, way: &[(f64, f64)], index: usize) {
    let corners: Vec<String> = way.iter().map(|&(x, y)| format!("{},{}", px(x), px(y))).collect();
    canvas.shape(&format!(
        r#"<polyline points="{}" fill="none" stroke="{}" stroke-width="2" stroke-opacity="0.85" stroke-linejoin="round" stroke-dasharray="{}"/>"#,
        corners.join(" "),
        colour(index),
        dashes(index)
    ));
}

/// A tip at the middle of every leg that is long enough to carry one.
fn arrows(canvas: &mut Canvas, way: &[(f64, f64)], index: usize, radius: f64) {
    let size = radius.min(4.5) + 1.0;
    for leg in way.windows(2) {
        let [(x, y), (to_x, to_y)] = [leg[0], leg[1]];
        let length = (to_x - x).hypot(to_y - y);
        if length < 4.0 * size {
            continue;
        }
        let (along_x, along_y) = ((to_x - x) / length, (to_y - y) / length);
        let (middle_x, middle_y) = ((x + to_x) / 2.0, (y + to_y) / 2.0);
        let corner = |ahead: f64, aside: f64| {
            let (x, y) = (along_x * ahead - along_y * aside, along_y * ahead + along_x * aside);
            format!("{},{}", px(middle_x + x * size), px(middle_y + y * size))
        };
        let corners = [corner(1.0, 0.0), corner(-0.8, 0.75), corner(-0.8, -0.75)].join(" ");
        canvas.shape(&format!(r#"<polygon points="{corners}" fill="{}"/>"#, colour(index)));
    }
}

/// A disc for who receives, a triangle for who hands over.
fn marker(canvas: &mut Canvas, hands_over: bool, place: (f64, f64), radius: f64, colour: &str) {
    let style = format!(r##"fill="{colour}" stroke="#ffffff" stroke-width="1.2""##);
    if hands_over {
        let (x, y) = place;
        let corners = [(0.0, -1.3), (1.2, 0.9), (-1.2, 0.9)]
            .map(|(right, down)| format!("{},{}", px(x + right * radius), px(y + down * radius)));
        canvas.shape(&format!(r#"<polygon points="{}" {style}/>"#, corners.join(" ")));
    } else {
        canvas.circle(place, radius, &style);
    }
}

fn cross(canvas: &mut Canvas, (x, y): (f64, f64), radius: f64) {
    let style = r##"stroke="#333333" stroke-width="2""##;
    canvas.line((x - radius, y - radius), (x + radius, y + radius), style);
    canvas.line((x - radius, y + radius), (x + radius, y - radius), style);
}

fn hands_over(problem: &Problem, node: usize) -> bool {
    problem.backhaul.as_ref().and_then(|list| list.get(node)).is_some_and(|&amount| amount > 0.0)
}

fn depot(canvas: &mut Canvas, problem: &Problem, place: Option<(f64, f64)>) {
    let Some((x, y)) = place else { return };
    canvas.begin(&format!("{} · {}", problem.id(0), home(problem)));
    let style = r##"fill="#111111" stroke="#ffffff" stroke-width="2""##;
    canvas.rect((x - 8.0, y - 8.0), (16.0, 16.0), style);
    canvas.end();
}

fn home(problem: &Problem) -> &'static str {
    if problem.kind == Kind::Atsp { "start" } else { "depot" }
}

/// Writes every id beside its node, on the first side where it covers no other.
fn labels(canvas: &mut Canvas, problem: &Problem, places: &[(f64, f64)]) {
    // A white rim keeps letters legible on top of lines.
    let style = r##"stroke="#ffffff" stroke-width="3" paint-order="stroke" fill="#222222""##;
    let mut taken: Vec<(f64, f64, f64)> = Vec::new();
    for (node, &(x, y)) in places.iter().enumerate() {
        let words = shortened(&problem.id(node), 18);
        let (long, aside) = (6.4 * words.chars().count() as f64, if node == 0 { 12.0 } else { 8.0 });
        let sides = [
            (x + aside, y - 5.0),
            (x - aside - long, y - 5.0),
            (x + aside, y + 12.0),
            (x - aside - long, y + 12.0),
        ];
        let covers = |&(left, base): &(f64, f64)| {
            taken.iter().any(|&(other, line, length)| {
                (base - line).abs() < 11.0 && left < other + length && other < left + long
            })
        };
        let place = sides.into_iter().find(|side| !covers(side)).unwrap_or(sides[0]);
        taken.push((place.0, place.1, long));
        canvas.text(place, 11.0, Anchor::Start, style, &words);
    }
}

/// What the marks mean.
fn key(canvas: &mut Canvas, problem: &Problem, answer: &Answer, height: f64) {
    let (left, y) = (WIDE + 10.0, height - 30.0);
    let grey = "#777777";
    canvas.rect((left, y - 10.0), (12.0, 12.0), r##"fill="#111111""##);
    canvas.text((left + 18.0, y), 11.0, Anchor::Start, "", home(problem));
    marker(canvas, false, (left + 66.0, y - 4.0), 5.0, grey);
    canvas.text((left + 76.0, y), 11.0, Anchor::Start, "", "stop");
    if (0..problem.nodes()).any(|node| hands_over(problem, node)) {
        marker(canvas, true, (left + 116.0, y - 4.0), 5.0, grey);
        canvas.text((left + 126.0, y), 11.0, Anchor::Start, "", "pickup");
    }
    if !answer.unserved.is_empty() {
        cross(canvas, (left + 184.0, y - 4.0), 4.5);
        canvas.text((left + 194.0, y), 11.0, Anchor::Start, "", "not served");
    }
}
