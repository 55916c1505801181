//! The units of a table that comes with its points but does not name them.
//!
//! Roads are between one and a few times as long as the straight line, and driven at the speed of a
//! car: the units of people are so far apart that this settles which are meant.

use radar_problem::{Problem, Table};

use super::{Note, note_once};
use crate::read::slip;

const EARTH_KM: f64 = 6371.0;

/// No road is longer than this; engines write such a number where there is no way.
const LONGEST_KM: f64 = 1e5;

/// Names the units of `problem` if its points reveal them, and takes what is marked as unreachable for that.
pub(super) fn infer(problem: &mut Problem, notes: &mut Vec<Note>) {
    let Some(kilometres) = kilometres(problem) else { return };
    let name = if kilometres == 1.0 { "km" } else { "m" };
    problem.units.distance = Some(name.to_owned());
    let time = hours(problem, kilometres);
    problem.units.duration = time.map(str::to_owned);
    let text = format!(
        "the units were told from the points and the speed: distances in {name}, durations in {}",
        time.unwrap_or("an unknown unit")
    );
    note_once(notes, Note::new("units-inferred", text));

    problem.distance = slip::mend(std::mem::take(&mut problem.distance), kilometres, notes);
    let gone: Vec<bool> = problem
        .distance
        .iter()
        .map(|length| length * kilometres > LONGEST_KM && length.is_finite())
        .collect();
    let count = gone.iter().filter(|&&gone| gone).count();
    if count == 0 {
        return;
    }
    problem.distance = opened(std::mem::take(&mut problem.distance), &gone);
    problem.duration = problem.duration.take().map(|duration| opened(duration, &gone));
    let text = format!("{count} pairs longer than {LONGEST_KM} km were read as unreachable");
    note_once(notes, Note::new("sentinel", text));
}

/// The table with no way where `gone` says so.
fn opened(table: Table, gone: &[bool]) -> Table {
    let mut gone = gone.iter();
    table.map(|value| if gone.next() == Some(&true) { f64::INFINITY } else { value })
}

/// How many kilometres a unit of distance is, if the points tell.
fn kilometres(problem: &Problem) -> Option<f64> {
    let points = problem.points.as_ref()?;
    let geographical = points.iter().all(|&[lat, lon]| lat.abs() <= 90.0 && lon.abs() <= 180.0);
    if !geographical || !problem.distance.is_square() || points.len() != problem.nodes() {
        return None;
    }
    let mut ratios = sampled(problem, |from, to| {
        let straight = great_circle(points[from], points[to]);
        (straight > 0.05).then(|| problem.distance.at(from, to) / straight)
    });
    match median(&mut ratios)? {
        ratio if (0.8..=5.0).contains(&ratio) => Some(1.0),
        ratio if (800.0..=5000.0).contains(&ratio) => Some(0.001),
        _ => None,
    }
}

/// The unit of the durations, if a car's speed tells.
fn hours(problem: &Problem, kilometres: f64) -> Option<&'static str> {
    let duration =
        problem.duration.as_ref().filter(|table| table.is_square() && table.rows() == problem.nodes())?;
    let mut speeds = sampled(problem, |from, to| {
        let time = duration.at(from, to);
        (time > 0.0).then(|| problem.distance.at(from, to) * kilometres / time)
    });
    // From walking pace to a motorway, in km per unit of time.
    let per_hour = median(&mut speeds)?;
    [("h", 1.0), ("min", 60.0), ("s", 3600.0)]
        .into_iter()
        .find(|(_, units)| (4.5..=150.0).contains(&(per_hour * units)))
        .map(|(name, _)| name)
}

/// Values of some thousand pairs, evenly taken.
fn sampled(problem: &Problem, value: impl Fn(usize, usize) -> Option<f64>) -> Vec<f64> {
    let nodes = problem.nodes();
    let stride = (nodes * nodes / 5000).max(1);
    let pairs = (0..nodes * nodes).step_by(stride).map(|at| (at / nodes, at % nodes));
    pairs.filter(|(from, to)| from != to).filter_map(|(from, to)| value(from, to)).collect()
}

fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

fn great_circle([lat, lon]: [f64; 2], [other_lat, other_lon]: [f64; 2]) -> f64 {
    let half = |from: f64, to: f64| ((to - from).to_radians() / 2.0).sin().powi(2);
    let across = lat.to_radians().cos() * other_lat.to_radians().cos() * half(lon, other_lon);
    2.0 * EARTH_KM * (half(lat, other_lat) + across).sqrt().min(1.0).asin()
}
