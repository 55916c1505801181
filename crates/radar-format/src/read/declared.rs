//! Files that declare what is wanted and bring their own stops.

use radar_problem::{Kind, Problem};

use super::{Given, Loaded, Note};
use crate::FormatError;

/// What was read, after the caller's wishes: another kind than the declared one is refused, and a
/// stops CSV adds to the stops that are there.
pub(super) fn loaded(
    format: &'static str,
    mut problem: Problem,
    mut notes: Vec<Note>,
    given: &Given,
) -> Result<Loaded, FormatError> {
    heard(problem.kind, given)?;
    notes.extend(given.complete(&mut problem)?);
    Ok(Loaded { format, problems: vec![problem], notes })
}

/// Refuses a caller who wants another kind than the file declares. The caller may have said so by an
/// option that only routes have.
pub(super) fn heard(declared: Kind, given: &Given) -> Result<(), FormatError> {
    if given.kind.is_none_or(|kind| kind == declared) {
        return Ok(());
    }
    let declared = match declared {
        Kind::Atsp => "a tour (atsp)",
        Kind::Vrp => "routes (vrp)",
    };
    Err(FormatError::new(
        "kind-contradicted",
        format!("the file declares {declared}"),
        "leave out --kind and options that only routes have, or change the file",
    ))
}
