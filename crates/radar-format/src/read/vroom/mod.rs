//! VROOM problems with their matrices.
//!
//! Node 0 is the depot, then come the jobs in their order. VROOM minimises `costs` where they are
//! given, else durations: that is the distance here, and durations are the durations. `distances`
//! are read by VROOM for its report alone.

mod fleet;
mod input;

use radar_problem::{Kind, Problem, Table, Units};

use self::fleet::Fleet;
use self::input::{Input, Job, Tables};
use super::engine::{Rows, parsed, top_keys};
use super::shown::shown;
use super::{Given, Loaded, Note, Reader, bounded, declared};
use crate::FormatError;

pub(super) static READER: Reader = Reader { name: "vroom", recognises, read };

/// The profile of vehicles that name none.
const CAR: &str = "car";

fn recognises(_name: Option<&str>, bytes: &[u8]) -> bool {
    let keys = top_keys(bytes);
    let has = |key: &[u8]| keys.contains(&key);
    has(b"vehicles") && (has(b"jobs") || has(b"shipments") || has(b"matrices") || has(b"matrix"))
}

fn read(bytes: &[u8], given: &Given) -> Result<Loaded, FormatError> {
    let mut input: Input = parsed(bytes)?;
    let tables = tables(&mut input)?;
    fleet::beyond(&input)?;
    let fleet = fleet::fleet(&input)?;
    let mut notes = Vec::new();
    let mut problem = costs(&input, &fleet, tables, given.room(), &mut notes)?;
    problem.vehicles = Some(fleet.vehicles);
    problem.open = fleet.open;
    amounts(&input.jobs, &fleet, &mut problem, &mut notes)?;
    times(&input.jobs, &fleet, &mut problem)?;
    if input.jobs.iter().any(|job| job.priority > 0) {
        // VROOM serves the greatest sum of priorities first, and among equals the most jobs.
        let each = input.jobs.len() as f64 + 1.0;
        problem.priority = Some(per_node(1.0, &input.jobs, |job| f64::from(job.priority) * each + 1.0));
    }
    let ids = input.jobs.iter().map(|job| job.id.to_string());
    problem.ids = Some(std::iter::once("depot".to_owned()).chain(ids).collect());
    let places = std::iter::once(fleet.like.start).chain(input.jobs.iter().map(|job| job.location));
    problem.points = places.map(|place| place.map(|[lon, lat]| [lat, lon])).collect();
    declared::loaded(READER.name, problem, notes, given)
}

/// The tables of the vehicles' profile, all of whole numbers.
fn tables(input: &mut Input) -> Result<(String, Tables), FormatError> {
    let profile = input.vehicles.first().and_then(|vehicle| vehicle.profile.clone());
    let profile = profile.unwrap_or_else(|| CAR.to_owned());
    let named = shown(&profile, 40);
    let (place, tables) = match (input.matrix.take(), input.matrices.take()) {
        (Some(matrix), None) => {
            ("matrix".to_owned(), Tables { durations: Some(matrix), ..Tables::default() })
        }
        (None, Some(mut matrices)) => match matrices.remove(&profile) {
            Some(tables) => (format!("matrices.{named}"), tables),
            None => {
                return Err(FormatError::new(
                    "missing-key",
                    format!("`matrices` has no profile `{named}`"),
                    "give the matrices of the profile that the vehicles have",
                ));
            }
        },
        (Some(_), Some(_)) => {
            return Err(FormatError::new(
                "duplicate-key",
                "there is a `matrix` and there are `matrices`",
                "keep `matrices`",
            ));
        }
        (None, None) => {
            return Err(FormatError::new(
                "table-missing",
                "there are no `matrices`: VROOM would ask a routing engine",
                "ask the engine for its table and add it as `matrices`",
            ));
        }
    };
    for (key, rows) in
        [("durations", &tables.durations), ("distances", &tables.distances), ("costs", &tables.costs)]
    {
        let odd = |value: &f64| value.is_finite() && (value.fract() != 0.0 || *value < 0.0);
        if let Some(value) = rows.iter().flat_map(|rows| &rows.values).find(|value| odd(value)) {
            return Err(FormatError::new(
                "not-whole",
                format!("{place}.{key} holds {value}"),
                "VROOM's matrices are of whole numbers, at least 0: use a smaller unit",
            ));
        }
    }
    Ok((place, tables))
}

/// The matrices of depot and jobs, and the bound on their sums.
fn costs(
    input: &Input,
    fleet: &Fleet<'_>,
    (place, tables): (String, Tables),
    most: usize,
    notes: &mut Vec<Note>,
) -> Result<Problem, FormatError> {
    let Some(durations) = tables.durations else {
        return Err(FormatError::new("missing-key", format!("`{place}` has no `durations`"), "add them"));
    };
    let nodes = nodes(input, fleet, durations.lengths.len(), most)?;
    let of_nodes = |rows: Rows, key: &str| -> Result<Table, FormatError> {
        let table = rows.square(&format!("{place}.{key}"))?;
        match table.rows() > nodes.iter().copied().max().unwrap_or(0) {
            true => Ok(stops(&table, &nodes)),
            false => Err(FormatError::new(
                "not-square",
                format!("{place}.{key} has {} rows, {place}.durations has more", table.rows()),
                "give matrices of one size",
            )),
        }
    };
    let durations = of_nodes(durations, "durations")?;
    let costs = tables.costs.map(|rows| of_nodes(rows, "costs")).transpose()?;
    let distances = tables.distances.map(|rows| of_nodes(rows, "distances")).transpose()?;
    let objective = costs.as_ref().unwrap_or(&durations);
    let limit = match (fleet.like.max_travel_time, fleet.like.max_distance) {
        (None, None) => None,
        (Some(time), None) if *objective == durations => Some(time),
        (None, Some(length)) if distances.as_ref() == Some(objective) => Some(length),
        _ => {
            return Err(unsupported(
                "`max_travel_time` or `max_distance` bounds another matrix than the one that is minimised",
                "a limit is kept on the minimised matrix alone: costs, else durations",
            ));
        }
    };
    if distances.is_some_and(|distances| distances != *objective) {
        notes.push(Note::new(
            "distances-unused",
            format!("{place}.distances are no part of VROOM's objective and are not used"),
        ));
    }
    let second = Some("s".to_owned());
    Ok(match costs {
        Some(costs) => Problem {
            duration: Some(durations),
            limit: limit.map(|limit| limit as f64),
            units: Units { distance: None, duration: second },
            ..Problem::new(Kind::Vrp, costs)
        },
        None => Problem {
            limit: limit.map(|limit| limit as f64),
            units: Units { distance: second.clone(), duration: second },
            ..Problem::new(Kind::Vrp, durations)
        },
    })
}

/// The matrix index of depot and jobs.
fn nodes(input: &Input, fleet: &Fleet<'_>, rows: usize, most: usize) -> Result<Vec<usize>, FormatError> {
    let count = input.jobs.len() + 1;
    bounded(most, count, count)?;
    let mut nodes = vec![fleet.depot];
    for (index, job) in input.jobs.iter().enumerate() {
        nodes.push(job.location_index.ok_or_else(|| {
            FormatError::new(
                "missing-key",
                format!("jobs[{index}] has no `location_index`"),
                "say which row of the matrix the job stands for",
            )
        })?);
    }
    match nodes.iter().position(|&node| node >= rows) {
        None => Ok(nodes),
        Some(node) => {
            let place = match node.checked_sub(1) {
                None => "vehicles[0].start_index".to_owned(),
                Some(job) => format!("jobs[{job}].location_index"),
            };
            Err(FormatError::new(
                "bad-index",
                format!("{place} is {}, but the matrix has {rows} rows", nodes[node]),
                "indices count from 0",
            ))
        }
    }
}

/// The table of `nodes`. Jobs at one location have no way between them: the diagonal is no cost.
fn stops(table: &Table, nodes: &[usize]) -> Table {
    let mut at = 0;
    table.subset(nodes).map(|value| {
        let (from, to) = (at / nodes.len(), at % nodes.len());
        at += 1;
        if nodes[from] == nodes[to] { 0.0 } else { value }
    })
}

fn per_node(depot: f64, jobs: &[Job], of: impl Fn(&Job) -> f64) -> Vec<f64> {
    std::iter::once(depot).chain(jobs.iter().map(of)).collect()
}

fn amounts(
    jobs: &[Job],
    fleet: &Fleet<'_>,
    problem: &mut Problem,
    notes: &mut Vec<Note>,
) -> Result<(), FormatError> {
    problem.capacity =
        fleet.like.capacity.as_deref().map(|list| one(list, "vehicles[0].capacity")).transpose()?;
    let (mut demand, mut backhaul) = (vec![0.0], vec![0.0]);
    for (index, job) in jobs.iter().enumerate() {
        let amount = |list: &Option<Vec<u64>>, key: &str| match list {
            Some(list) => one(list, &format!("jobs[{index}].{key}")),
            None => Ok(0.0),
        };
        demand.push(amount(&job.delivery, "delivery")? + amount(&job.amount, "amount")?);
        backhaul.push(amount(&job.pickup, "pickup")?);
    }
    let stated = |pick: fn(&Job) -> bool| jobs.iter().any(pick);
    problem.demand = stated(|job| job.delivery.is_some() || job.amount.is_some()).then_some(demand);
    if backhaul.iter().any(|&amount| amount > 0.0) {
        notes.push(Note::new(
            "pickups-last",
            "VROOM mixes pickups and deliveries on a route; here pickups come after all deliveries",
        ));
        problem.backhaul = Some(backhaul);
    }
    Ok(())
}

/// The one amount of a list; an empty list is no amount.
fn one(list: &[u64], place: &str) -> Result<f64, FormatError> {
    match list {
        [] => Ok(0.0),
        [amount] => Ok(*amount as f64),
        _ => Err(FormatError::new(
            "several-amounts",
            format!("{place} has {} dimensions", list.len()),
            "give one dimension: amounts of several kinds are not known here",
        )),
    }
}

fn times(jobs: &[Job], fleet: &Fleet<'_>, problem: &mut Problem) -> Result<(), FormatError> {
    if let Some(index) = jobs.iter().position(|job| job.time_windows.len() > 1) {
        return Err(FormatError::new(
            "several-windows",
            format!("jobs[{index}].time_windows has {} windows", jobs[index].time_windows.len()),
            "give one window per job",
        ));
    }
    let window = |window: Option<&[u64; 2]>| match window {
        Some(&[open, close]) => [open as f64, close as f64],
        None => [0.0, f64::INFINITY],
    };
    let shift = fleet.like.time_window;
    if shift.is_some() || jobs.iter().any(|job| !job.time_windows.is_empty()) {
        let windows = jobs.iter().map(|job| window(job.time_windows.first()));
        problem.windows = Some(std::iter::once(window(shift.as_ref())).chain(windows).collect());
    }
    // An open route never comes back to the depot, but must still be done by the end of the shift.
    if let Some([open, close]) = shift.filter(|_| fleet.open) {
        problem.max_duration = Some(close.saturating_sub(open) as f64);
    }
    if jobs.iter().any(|job| job.service > 0) {
        problem.service = Some(per_node(0.0, jobs, |job| job.service as f64));
    }
    Ok(())
}

fn unsupported(what: &str, action: &str) -> FormatError {
    FormatError::new("unsupported", format!("this is not supported: {what}"), action)
}
