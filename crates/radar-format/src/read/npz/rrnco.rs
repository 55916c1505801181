//! RRNCO's instance sets: `distance_matrix` (B, N, N) with the names of its environments. Lists of
//! amounts leave the depot out; points are scaled to a unit square and therefore not kept.

use radar_problem::{Problem, Table};

use super::{Arrays, FormatError, Given, Note, Set, note_once, paired};

const KNOWN: &[&str] = &[
    "distance_matrix",
    "duration_matrix",
    "locs",
    "depot",
    "demand",
    "capacity",
    "demand_linehaul",
    "demand_backhaul",
    "backhaul_class",
    "vehicle_capacity",
    "capacity_original",
    "speed",
    "open_route",
    "time_windows",
    "service_time",
    "distance_limit",
];

pub(super) fn problems(
    arrays: &Arrays,
    _given: &Given,
    notes: &mut Vec<Note>,
) -> Result<Vec<Problem>, FormatError> {
    arrays.refuse_others(KNOWN)?;
    let set = arrays.set("distance_matrix")?;
    set.each(|instance| {
        let class = set.number("backhaul_class", instance)?;
        if class.is_some_and(|class| class != 1.0) {
            let cause = format!("instance {instance} mixes deliveries and pickups on a route");
            return Err(FormatError::new("unsupported", cause, "use the classic backhaul class 1"));
        }
        let speed = set.number("speed", instance)?;
        if speed.is_some_and(|speed| speed != 1.0) {
            let cause = format!("instance {instance} has a speed other than 1");
            return Err(FormatError::new("unsupported", cause, "divide the durations by the speed"));
        }
        if arrays.get("locs").is_some() {
            let text = "the points are scaled to a unit square and were not kept";
            note_once(notes, Note::new("points-dropped", text));
        }
        problem(&set, instance)
    })
}

fn problem(set: &Set, instance: usize) -> Result<Problem, FormatError> {
    let table = |name: &str| set.table(name, instance);
    let demand = match amounts(set, "demand", instance)? {
        Some(demand) => Some(demand),
        None => amounts(set, "demand_linehaul", instance)?,
    };
    let capacity = match set.number("capacity", instance)? {
        Some(capacity) => Some(capacity),
        None => set.number("vehicle_capacity", instance)?,
    };
    // An endless limit or a window from 0 on without end is how the sets say "none".
    let limit = set.number("distance_limit", instance)?.filter(|limit| limit.is_finite());
    let windows = set.list("time_windows", &[set.nodes, 2], instance)?.map(paired);
    let binding = |windows: &Vec<[f64; 2]>| windows.iter().any(|&window| window != [0.0, f64::INFINITY]);
    Ok(Problem {
        duration: table("duration_matrix")?,
        demand,
        backhaul: amounts(set, "demand_backhaul", instance)?,
        capacity,
        windows: windows.filter(binding),
        service: set.list("service_time", &[set.nodes], instance)?,
        limit,
        open: set.number("open_route", instance)?.is_some_and(|open| open != 0.0),
        ..Problem::atsp(table("distance_matrix")?.unwrap_or_else(Table::default))
    })
}

/// A list of amounts with the depot's 0 put in front, unless the list has it already.
fn amounts(set: &Set, name: &str, instance: usize) -> Result<Option<Vec<f64>>, FormatError> {
    let stops = set.nodes.saturating_sub(1);
    let whole = set.arrays.get(name).is_some_and(|array| array.shape.last() == Some(&set.nodes));
    if whole {
        return set.list(name, &[set.nodes], instance);
    }
    let list = set.list(name, &[stops], instance)?;
    Ok(list.map(|list| std::iter::once(0.0).chain(list).collect()))
}
