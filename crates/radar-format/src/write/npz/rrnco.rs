//! RRNCO's layouts: sets of instances with the names of its environments, and one city with its points.

use radar_problem::Problem;

use super::{Out, of_one_size};
use crate::FormatError;
use crate::write::express::{cannot, refuse_others};

const SET: &str = "npz-rrnco";
const CITY: &str = "npz-city";

/// A set of instances. Points go out as that layout has them, scaled to the unit square; what an instance
/// lacks is stated as what never binds.
pub(in crate::write) fn set(problems: &[Problem]) -> Result<Vec<u8>, FormatError> {
    let nodes = of_one_size(SET, problems)?;
    let can = ["duration", "demand", "backhaul", "capacity", "windows", "service", "limit", "open", "points"];
    problems.iter().try_for_each(|problem| refuse_others(SET, problem, &can))?;
    let any = |has: fn(&Problem) -> bool| problems.iter().any(has);
    let complete = |has: fn(&Problem) -> bool| problems.iter().all(has);
    if any(|problem| problem.duration.is_some()) && !complete(|problem| problem.duration.is_some()) {
        return Err(cannot(SET, "durations of some instances and not of others"));
    }
    if any(|problem| problem.points.is_some()) && !complete(|problem| problem.points.is_some()) {
        return Err(cannot(SET, "points of some instances and not of others"));
    }
    if any(|problem| problem.capacity.is_some()) && !complete(|problem| problem.capacity.is_some()) {
        return Err(cannot(SET, "capacities of some instances and not of others"));
    }
    let stops = nodes.saturating_sub(1);
    let amounts = |list: &Option<Vec<f64>>| match list {
        Some(list) => list[1..].to_vec(),
        None => vec![0.0; stops],
    };
    let mut out = Out::new(problems, true);
    out.tables("distance_matrix", |problem| Some(&problem.distance))?;
    out.tables("duration_matrix", |problem| problem.duration.as_ref())?;
    out.numbers("locs", &[nodes, 2], |problem| problem.points.as_deref().map(unit_square))?;
    if any(|problem| problem.demand.is_some() || problem.backhaul.is_some()) {
        out.numbers("demand_linehaul", &[stops], |problem| Some(amounts(&problem.demand)))?;
        out.numbers("demand_backhaul", &[stops], |problem| Some(amounts(&problem.backhaul)))?;
    }
    out.numbers("vehicle_capacity", &[], |problem| problem.capacity.map(|value| vec![value]))?;
    if any(|problem| problem.windows.is_some()) {
        let endless = || [0.0, f64::INFINITY].repeat(nodes);
        let windows = |problem: &Problem| problem.windows.as_ref().map_or_else(endless, |list| list.concat());
        out.numbers("time_windows", &[nodes, 2], |problem| Some(windows(problem)))?;
    }
    if any(|problem| problem.service.is_some()) {
        let none = || vec![0.0; nodes];
        out.numbers("service_time", &[nodes], |problem| Some(problem.service.clone().unwrap_or_else(none)))?;
    }
    if any(|problem| problem.limit.is_some()) {
        out.numbers("distance_limit", &[], |problem| Some(vec![problem.limit.unwrap_or(f64::INFINITY)]))?;
    }
    out.truths("open_route", |problem| problem.open)?;
    out.finish()
}

/// One city: points, distances in km and durations in minutes.
pub(in crate::write) fn city(problem: &Problem) -> Result<Vec<u8>, FormatError> {
    of_one_size(CITY, std::slice::from_ref(problem))?;
    refuse_others(CITY, problem, &["duration", "points"])?;
    let (Some(duration), Some(points)) = (&problem.duration, &problem.points) else {
        return Err(cannot(CITY, "a problem without durations or without points"));
    };
    let per_km = factor(problem.units.distance.as_deref(), &[("km", 1.0), ("m", 1000.0)])?;
    let per_minute =
        factor(problem.units.duration.as_deref(), &[("min", 1.0), ("s", 60.0), ("h", 1.0 / 60.0)])?;
    let city = Problem {
        duration: Some(duration.clone().map(|time| time / per_minute)),
        points: Some(points.clone()),
        ..Problem::new(problem.kind, problem.distance.clone().map(|length| length / per_km))
    };
    let nodes = city.nodes();
    let mut out = Out::new(std::slice::from_ref(&city), false);
    out.numbers("points", &[nodes, 2], |problem| problem.points.as_ref().map(|list| list.concat()))?;
    out.tables("distance", |problem| Some(&problem.distance))?;
    out.tables("duration", |problem| problem.duration.as_ref())?;
    out.finish()
}

/// How many of a unit make one of the layout's.
fn factor(unit: Option<&str>, known: &[(&str, f64)]) -> Result<f64, FormatError> {
    let found = known.iter().find(|(name, _)| Some(*name) == unit).map(|(_, factor)| *factor);
    found.ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let cause = format!("a unit other than {}", names.join(", "));
        cannot(CITY, &cause)
    })
}

/// Points scaled to the unit square, axis by axis.
fn unit_square(points: &[[f64; 2]]) -> Vec<f64> {
    let range = |axis: usize| {
        let values = points.iter().map(|point| point[axis]);
        let low = values.clone().fold(f64::INFINITY, f64::min);
        (low, (values.fold(f64::NEG_INFINITY, f64::max) - low).max(f64::MIN_POSITIVE))
    };
    let ranges = [range(0), range(1)];
    points
        .iter()
        .flat_map(|point| [0, 1].map(|axis| (point[axis] - ranges[axis].0) / ranges[axis].1))
        .collect()
}
