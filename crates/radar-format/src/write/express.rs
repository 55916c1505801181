//! What a format can and cannot say.

use radar_problem::{Kind, Problem};

use crate::FormatError;

/// Refuses a problem that has anything which is not in `can`, with the name of it.
pub(super) fn refuse_others(format: &str, problem: &Problem, can: &[&str]) -> Result<(), FormatError> {
    let lost: Vec<&str> = present(problem).into_iter().filter(|key| !can.contains(key)).collect();
    match lost.is_empty() {
        true => Ok(()),
        false => Err(cannot(format, &lost.join(", "))),
    }
}

/// Refuses a problem of another kind.
pub(super) fn only(format: &str, problem: &Problem, kind: Kind, instead: &str) -> Result<(), FormatError> {
    match problem.kind == kind {
        true => Ok(()),
        false => Err(FormatError {
            action: format!("write it as {instead}"),
            ..cannot(format, &format!("the kind {}", crate::kind_name(problem.kind)))
        }),
    }
}

/// The error that `what` has no place in `format`.
pub(super) fn cannot(format: &str, what: &str) -> FormatError {
    let cause = format!("{format} cannot express {what}");
    FormatError::new("cannot-express", cause, "write it as json or npz, which can express everything")
}

/// The keys of what a problem has besides its distances and what describes it for people.
fn present(problem: &Problem) -> Vec<&'static str> {
    // Taken apart in full, so that a new field cannot be forgotten here.
    let Problem {
        name: _,
        kind: _,
        distance: _,
        duration,
        demand,
        backhaul,
        capacity,
        windows,
        service,
        limit,
        max_duration,
        open,
        vehicles,
        priority,
        points,
        ids,
        units: _,
    } = problem;
    let keys = [
        ("duration", duration.is_some()),
        ("demand", demand.is_some()),
        ("backhaul", backhaul.is_some()),
        ("capacity", capacity.is_some()),
        ("windows", windows.is_some()),
        ("service", service.is_some()),
        ("limit", limit.is_some()),
        ("max_duration", max_duration.is_some()),
        ("open", *open),
        ("vehicles", vehicles.is_some()),
        ("priority", priority.is_some()),
        ("points", points.is_some()),
        ("ids", ids.is_some()),
    ];
    keys.into_iter().filter(|(_, present)| *present).map(|(key, _)| key).collect()
}

/// Refuses values that would not read back: what is no number, and infinity where it means nothing.
pub(super) fn sound(problem: &Problem) -> Result<(), FormatError> {
    let tables = [("distance", Some(&problem.distance)), ("duration", problem.duration.as_ref())];
    for (key, table) in tables {
        let mut values = table.iter().flat_map(|table| table.iter());
        values.try_for_each(|value| number(key, value, true))?;
    }
    let lists = [
        ("demand", &problem.demand),
        ("backhaul", &problem.backhaul),
        ("service", &problem.service),
        ("priority", &problem.priority),
    ];
    for (key, list) in lists {
        list.iter().flatten().try_for_each(|&value| number(key, value, false))?;
    }
    for &[open, close] in problem.windows.iter().flatten() {
        number("windows", open, false)?;
        number("windows", close, true)?;
    }
    for value in problem.points.iter().flatten().flatten() {
        number("points", *value, false)?;
    }
    let scalars =
        [("capacity", problem.capacity), ("limit", problem.limit), ("max_duration", problem.max_duration)];
    scalars.into_iter().try_for_each(|(key, value)| value.map_or(Ok(()), |value| number(key, value, false)))
}

fn number(key: &str, value: f64, endless: bool) -> Result<(), FormatError> {
    if value.is_finite() || endless && value == f64::INFINITY {
        return Ok(());
    }
    let cause = format!("{key} holds {value}");
    Err(FormatError::new("cannot-express", cause, "correct the problem: it does not pass validation"))
}

/// Refuses what formats with one entry per node cannot lay out: ragged tables and short lists.
pub(super) fn shapely(problem: &Problem) -> Result<(), FormatError> {
    let nodes = problem.nodes();
    let wrong = |cause: String| {
        Err(FormatError::new("cannot-express", cause, "correct the problem: it does not pass validation"))
    };
    if !problem.distance.is_square() {
        return wrong("the distance matrix is not square".to_owned());
    }
    if problem.duration.as_ref().is_some_and(|table| !table.is_square() || table.rows() != nodes) {
        return wrong("the duration matrix is not as large as the distance matrix".to_owned());
    }
    for (key, length) in problem.list_lengths() {
        if length != nodes {
            return wrong(format!("{key} has {length} entries for {nodes} nodes"));
        }
    }
    Ok(())
}
