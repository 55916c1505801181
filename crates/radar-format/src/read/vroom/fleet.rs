//! Vehicles: all alike, from one depot.

use super::input::{Costs, Input, Vehicle};
use super::unsupported;
use crate::FormatError;

/// What all vehicles have in common.
pub(super) struct Fleet<'a> {
    pub like: &'a Vehicle,
    pub vehicles: usize,
    /// The index of the depot in the matrix.
    pub depot: usize,
    /// Whether routes end at their last stop.
    pub open: bool,
}

/// The fleet, if it is one that routes from a single depot can have.
pub(super) fn fleet(input: &Input) -> Result<Fleet<'_>, FormatError> {
    let Some(like) = input.vehicles.first() else {
        return Err(FormatError::new("no-vehicles", "`vehicles` is empty", "give at least one vehicle"));
    };
    for (other, vehicle) in input.vehicles.iter().enumerate() {
        let keys = differing(like, vehicle);
        if !keys.is_empty() {
            return Err(FormatError::new(
                "vehicles-differ",
                format!("vehicles[{other}] differs from vehicles[0] in {}", keys.join(", ")),
                "give vehicles that are alike, or split the problem",
            ));
        }
    }
    let Some(depot) = like.start_index else {
        return Err(FormatError::new(
            "missing-key",
            "vehicles[0] has no `start_index`",
            "give the row of the matrix where vehicles start; routes that start anywhere are not known",
        ));
    };
    let open = like.end_index.is_none() && like.end.is_none();
    if !open && like.end_index != Some(depot) {
        return Err(unsupported(
            "`vehicles[0].end_index` is not the start",
            "let vehicles end where they start, or give no end for open routes",
        ));
    }
    Ok(Fleet { like, vehicles: input.vehicles.len(), depot, open })
}

/// The keys in which two vehicles differ; ids and descriptions may.
fn differing(a: &Vehicle, b: &Vehicle) -> Vec<&'static str> {
    let same = [
        ("profile", a.profile == b.profile),
        ("start", a.start == b.start),
        ("start_index", a.start_index == b.start_index),
        ("end", a.end == b.end),
        ("end_index", a.end_index == b.end_index),
        ("capacity", a.capacity == b.capacity),
        ("costs", a.costs.unwrap_or(Costs::STANDARD) == b.costs.unwrap_or(Costs::STANDARD)),
        ("skills", a.skills == b.skills),
        ("type", a.kind == b.kind),
        ("time_window", a.time_window == b.time_window),
        ("breaks", a.breaks.len() == b.breaks.len()),
        ("speed_factor", a.speed_factor.unwrap_or(1.0) == b.speed_factor.unwrap_or(1.0)),
        ("max_tasks", a.max_tasks == b.max_tasks),
        ("max_travel_time", a.max_travel_time == b.max_travel_time),
        ("max_distance", a.max_distance == b.max_distance),
        ("steps", a.steps.len() == b.steps.len()),
    ];
    same.into_iter().filter(|(_, same)| !same).map(|(key, _)| key).collect()
}

/// What is asked for and cannot be kept, key by key: leaving it out would solve another problem.
pub(super) fn beyond(input: &Input) -> Result<(), FormatError> {
    let mut keys: Vec<String> = Vec::new();
    if !input.shipments.is_empty() {
        keys.push("shipments".to_owned());
    }
    for (index, vehicle) in input.vehicles.iter().enumerate() {
        let asked = [
            ("breaks", !vehicle.breaks.is_empty()),
            ("skills", !vehicle.skills.is_empty()),
            ("costs", vehicle.costs.is_some_and(|costs| costs != Costs::STANDARD)),
            ("speed_factor", vehicle.speed_factor.is_some_and(|factor| factor != 1.0)),
            ("max_tasks", vehicle.max_tasks.is_some()),
            ("steps", !vehicle.steps.is_empty()),
        ];
        keys.extend(
            asked.iter().filter(|(_, asked)| *asked).map(|(key, _)| format!("vehicles[{index}].{key}")),
        );
    }
    for (index, job) in input.jobs.iter().enumerate() {
        let asked = [
            ("skills", !job.skills.is_empty()),
            ("setup", job.setup != 0),
            ("setup_per_type", job.setup_per_type.is_some()),
            ("service_per_type", job.service_per_type.is_some()),
        ];
        keys.extend(asked.iter().filter(|(_, asked)| *asked).map(|(key, _)| format!("jobs[{index}].{key}")));
    }
    if keys.is_empty() {
        return Ok(());
    }
    const SHOWN: usize = 8;
    let more = keys.len().saturating_sub(SHOWN);
    keys.truncate(SHOWN);
    let listed = format!(
        "`{}`{}",
        keys.join("`, `"),
        if more > 0 { format!(" and {more} more") } else { String::new() }
    );
    Err(unsupported(&listed, "remove what is not needed; these constraints are not known here"))
}
