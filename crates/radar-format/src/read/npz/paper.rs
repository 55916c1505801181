//! The paper's test sets: `dist` (B, N, N) and, for routes, `demand` (B, N) with the depot first.

use radar_problem::{Problem, Table};

use super::{Arrays, FormatError, Given, Note, note_once};

/// What the paper's vehicles hold, by the number of stops.
const CAPACITIES: &[(usize, f64)] =
    &[(20, 30.0), (50, 40.0), (100, 50.0), (200, 80.0), (500, 100.0), (1000, 250.0)];

/// What the paper's vehicles hold with so many stops, if it has that size.
pub(crate) fn capacity(stops: usize) -> Option<f64> {
    CAPACITIES.iter().find(|(size, _)| *size == stops).map(|&(_, capacity)| capacity)
}

pub(super) fn problems(
    arrays: &Arrays,
    given: &Given,
    notes: &mut Vec<Note>,
) -> Result<Vec<Problem>, FormatError> {
    arrays.refuse_others(&["dist", "demand"])?;
    let set = arrays.set("dist")?;
    let stops = set.nodes.saturating_sub(1);
    let capacity = capacity(stops);
    set.each(|instance| {
        let mut problem = Problem::atsp(set.table("dist", instance)?.unwrap_or_else(Table::default));
        let Some(mut demand) = set.list("demand", &[set.nodes], instance)? else { return Ok(problem) };
        if let Some(depot) = demand.first_mut() {
            *depot = 0.0;
        }
        problem.demand = Some(demand);
        problem.capacity = given.capacity.or(capacity);
        let note = match capacity {
            Some(capacity) => Note::new(
                "capacity-assumed",
                format!("the set does not state a capacity; {capacity} is the paper's for {stops} stops"),
            ),
            None => Note::new(
                "capacity-not-stated",
                format!("the set does not state a capacity, and the paper has none for {stops} stops"),
            ),
        };
        note_once(notes, note);
        Ok(problem)
    })
}
