//! Files that declare what is wanted and bring their own stops.

use radar_problem::{Kind, Problem};

use super::{Given, Loaded, Note, stops};
use crate::FormatError;

/// What was read, after the caller's wishes: another kind than the declared one is refused, and a
/// stops CSV adds to the stops that are there.
pub(super) fn loaded(
    format: &'static str,
    mut problem: Problem,
    mut notes: Vec<Note>,
    given: &Given,
) -> Result<Loaded, FormatError> {
    if given.kind.is_some_and(|kind| kind != problem.kind) {
        let declared = match problem.kind {
            Kind::Atsp => "a tour (atsp)",
            Kind::Vrp => "routes (vrp)",
        };
        return Err(FormatError::new(
            "kind-contradicted",
            format!("the file declares {declared}"),
            "leave out --kind, or change the file",
        ));
    }
    if let Some(csv) = &given.stops {
        notes.extend(stops::apply(&mut problem, csv)?);
    }
    Ok(Loaded { format, problems: vec![problem], notes })
}
