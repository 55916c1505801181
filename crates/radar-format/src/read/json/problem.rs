//! The keys of a problem.

use radar_problem::{Kind, Problem, Table, Units};

use super::scan::{Endless, Scan};
use crate::FormatError;
use crate::read::{MOST_VALUES, rows_of};

/// The version of the wire form that is read and written.
pub(crate) const VERSION: usize = 1;

/// Every key, in the order they are written.
pub(crate) const KEYS: &[&str] = &[
    "version",
    "kind",
    "distance",
    "duration",
    "demand",
    "backhaul",
    "capacity",
    "windows",
    "service",
    "limit",
    "max_duration",
    "open",
    "vehicles",
    "priority",
    "points",
    "ids",
    "units",
];

pub(super) fn problem(scan: &mut Scan) -> Result<Problem, FormatError> {
    let (mut version, mut kind, mut distance) = (None, None, None);
    let mut problem = Problem::atsp(Table::default());
    scan.object("key of a problem", KEYS, |scan, key| {
        match key {
            "version" => version = Some(scan.count()?),
            "kind" => kind = Some(self::kind(scan)?),
            "distance" => distance = Some(table(scan)?),
            // An encoder writes null for what it does not have.
            _ if scan.null() => {}
            "duration" => problem.duration = Some(table(scan)?),
            "demand" => problem.demand = Some(numbers(scan)?),
            "backhaul" => problem.backhaul = Some(numbers(scan)?),
            "capacity" => problem.capacity = Some(scan.number(Endless::Refused)?),
            "windows" => problem.windows = Some(pairs(scan, Endless::Allowed)?),
            "service" => problem.service = Some(numbers(scan)?),
            "limit" => problem.limit = Some(scan.number(Endless::Refused)?),
            "max_duration" => problem.max_duration = Some(scan.number(Endless::Refused)?),
            "open" => problem.open = scan.truth()?,
            "vehicles" => problem.vehicles = Some(scan.count()?),
            "priority" => problem.priority = Some(numbers(scan)?),
            "points" => problem.points = Some(pairs(scan, Endless::Refused)?),
            "ids" => problem.ids = Some(strings(scan)?),
            _ => problem.units = units(scan)?,
        }
        Ok(())
    })?;
    match version {
        Some(VERSION) => {}
        Some(other) => {
            let cause = format!("the file has version {other}, this program reads version {VERSION}");
            return Err(FormatError::new("version-unknown", cause, "use a newer program"));
        }
        None => return Err(missing("version", "say \"version\": 1")),
    }
    problem.kind = kind.ok_or_else(|| missing("kind", "say \"kind\": \"atsp\" or \"kind\": \"vrp\""))?;
    problem.distance = distance.ok_or_else(|| missing("distance", "give a square matrix, row = from"))?;
    Ok(problem)
}

fn missing(key: &str, action: &str) -> FormatError {
    FormatError::new("missing-key", format!("the key `{key}` is missing"), action)
}

fn kind(scan: &mut Scan) -> Result<Kind, FormatError> {
    match scan.string()?.as_str() {
        "atsp" => Ok(Kind::Atsp),
        "vrp" => Ok(Kind::Vrp),
        other => Err(FormatError::new(
            "unknown-kind",
            format!("the kind is `{}`", other.chars().take(40).collect::<String>()),
            "say atsp (one tour) or vrp (routes)",
        )),
    }
}

/// Reads rows of any lengths into one flat list.
fn table(scan: &mut Scan) -> Result<Table, FormatError> {
    let mut values: Vec<f64> = Vec::new();
    let mut lengths: Vec<usize> = Vec::new();
    scan.list(|scan| {
        let length = scan.list(|scan| {
            values.push(scan.number(Endless::Allowed)?);
            match values.len() > MOST_VALUES {
                true => Err(FormatError::new(
                    "too-large",
                    format!("a matrix has more than {MOST_VALUES} values"),
                    "split the problem",
                )),
                false => Ok(()),
            }
        })?;
        lengths.push(length);
        if lengths.len() == 1 {
            // A square matrix needs exactly this much, and a value takes two bytes of the file.
            let rest = length.saturating_mul(length.saturating_sub(1));
            values.reserve_exact(rest.min(scan.remaining() / 2).min(MOST_VALUES));
        }
        Ok(())
    })?;
    Ok(rows_of(&lengths, values))
}

fn numbers(scan: &mut Scan) -> Result<Vec<f64>, FormatError> {
    let mut list = Vec::new();
    scan.list(|scan| {
        list.push(scan.number(Endless::Refused)?);
        Ok(())
    })?;
    Ok(list)
}

fn strings(scan: &mut Scan) -> Result<Vec<String>, FormatError> {
    let mut list = Vec::new();
    scan.list(|scan| {
        list.push(scan.string()?);
        Ok(())
    })?;
    Ok(list)
}

/// Pairs of numbers, of which the second may be endless.
fn pairs(scan: &mut Scan, second: Endless) -> Result<Vec<[f64; 2]>, FormatError> {
    let mut list = Vec::new();
    scan.list(|scan| {
        let mut pair = [0.0; 2];
        let mut filled = 0;
        let place = scan.place();
        scan.list(|scan| {
            let value = scan.number(if filled == 0 { Endless::Refused } else { second })?;
            if let Some(slot) = pair.get_mut(filled) {
                *slot = value;
            }
            filled += 1;
            Ok(())
        })?;
        if filled != 2 {
            let cause = format!("{place} has {filled} values");
            return Err(FormatError::new("wrong-type", cause, "give two"));
        }
        list.push(pair);
        Ok(())
    })?;
    Ok(list)
}

fn units(scan: &mut Scan) -> Result<Units, FormatError> {
    let mut units = Units::default();
    scan.object("key of units", &["distance", "duration"], |scan, key| {
        let slot = if key == "distance" { &mut units.distance } else { &mut units.duration };
        *slot = if scan.null() { None } else { Some(scan.string()?) };
        Ok(())
    })?;
    Ok(units)
}
