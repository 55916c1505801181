//! Our own layout: the keys of the wire form as arrays, with a leading axis for a set.
//!
//! An instance of a set that lacks something has NaN there (texts: empty; vehicles: -1).

use radar_problem::{Kind, Problem, Table, Units};

use super::{Arrays, FormatError, Given, Note, Set, paired, units};
use crate::read::declared;
use crate::read::json::{KEYS, VERSION};
use crate::read::shown::shown;

pub(super) fn problems(
    arrays: &Arrays,
    given: &Given,
    notes: &mut Vec<Note>,
) -> Result<Vec<Problem>, FormatError> {
    let known: Vec<&str> = KEYS.iter().copied().chain(["name"]).collect();
    let set = arrays.set("distance")?;
    arrays.refuse_others(&known)?;
    if let Some(version) = arrays.get("version") {
        let values: Vec<f64> = version.numbers("version")?.iter().collect();
        if values != [VERSION as f64] {
            let cause = format!("the archive has version {values:?}, this program reads version {VERSION}");
            return Err(FormatError::new("version-unknown", cause, "use a newer program"));
        }
    }
    set.each(|instance| {
        let mut problem = problem(&set, instance)?;
        if arrays.get("kind").is_some() {
            declared::heard(problem.kind, given)?;
        }
        if arrays.get("units").is_none() {
            units::infer(&mut problem, notes);
        }
        Ok(problem)
    })
}

fn problem(set: &Set, instance: usize) -> Result<Problem, FormatError> {
    let nodes = set.nodes;
    let text = |name: &str| -> Result<Option<String>, FormatError> {
        let texts = set.texts(name, &[], instance)?;
        Ok(texts.and_then(|texts| texts.first()).filter(|text| !text.is_empty()).cloned())
    };
    let kind = match text("kind")?.as_deref() {
        // Settled by the caller once stops are known.
        None if set.arrays.get("kind").is_none() => Kind::Atsp,
        Some("atsp") => Kind::Atsp,
        Some("vrp") => Kind::Vrp,
        other => {
            let cause = format!("the kind of instance {instance} is `{}`", shown(other.unwrap_or(""), 40));
            return Err(FormatError::new("unknown-kind", cause, "store atsp or vrp"));
        }
    };
    let vehicles = match set.number("vehicles", instance)? {
        None | Some(-1.0) => None,
        Some(count) if count.fract() == 0.0 && (0.0..1e15).contains(&count) => Some(count as usize),
        Some(count) => {
            let cause = format!("vehicles of instance {instance} is {count}");
            return Err(FormatError::new("wrong-type", cause, "store a whole number, or -1 for no limit"));
        }
    };
    let ids = set.texts("ids", &[nodes], instance)?.filter(|ids| ids.iter().any(|id| !id.is_empty()));
    let named = |texts: &[String], at: usize| texts.get(at).filter(|unit| !unit.is_empty()).cloned();
    let units = set
        .texts("units", &[2], instance)?
        .map_or_else(Units::default, |texts| Units { distance: named(texts, 0), duration: named(texts, 1) });
    Ok(Problem {
        name: text("name")?,
        kind,
        distance: set.table("distance", instance)?.unwrap_or_else(Table::default),
        duration: set.table("duration", instance)?,
        demand: set.list("demand", &[nodes], instance)?,
        backhaul: set.list("backhaul", &[nodes], instance)?,
        capacity: set.number("capacity", instance)?,
        windows: set.list("windows", &[nodes, 2], instance)?.map(paired),
        service: set.list("service", &[nodes], instance)?,
        limit: set.number("limit", instance)?,
        max_duration: set.number("max_duration", instance)?,
        open: set.number("open", instance)?.is_some_and(|open| open != 0.0),
        vehicles,
        priority: set.list("priority", &[nodes], instance)?,
        points: set.list("points", &[nodes, 2], instance)?.map(paired),
        ids: ids.map(<[String]>::to_vec),
        units,
    })
}
