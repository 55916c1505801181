//! What travel times are counted in. It is stated, by the file or by the caller, and never guessed: a table of minutes
//! taken for seconds gives plans that are wrong and look right.

use radar_problem::Problem;

use super::Given;
use crate::FormatError;

/// A unit that times of day can be converted to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeUnit {
    /// How many seconds it has.
    pub seconds: f64,
    /// What several of it are called.
    pub name: &'static str,
    /// How problems state it.
    pub short: &'static str,
}

impl TimeUnit {
    fn named(text: &str) -> Option<Self> {
        let (seconds, name, short) = match text.trim().to_lowercase().as_str() {
            "s" | "sec" | "second" | "seconds" => (1.0, "seconds", "s"),
            "min" | "minute" | "minutes" => (60.0, "minutes", "min"),
            "h" | "hour" | "hours" => (3600.0, "hours", "h"),
            "ds" => (0.1, "tenths of a second", "ds"),
            "ms" => (0.001, "milliseconds", "ms"),
            _ => return None,
        };
        Some(Self { seconds, name, short })
    }

    fn known(text: &str, whose: &str) -> Result<Self, FormatError> {
        let unknown = || {
            FormatError::new("unit-unknown", format!("{whose} unit of time is `{text}`"), "use s, min or h")
        };
        Self::named(text).ok_or_else(unknown)
    }

    /// What the times of a problem are counted in. A single matrix plays both roles, and its unit does too.
    pub fn of(problem: &Problem) -> Result<Option<Self>, FormatError> {
        let units = &problem.units;
        match units.duration.as_deref().filter(|unit| !unit.trim().is_empty()) {
            Some(stated) => Self::known(stated, "the table's").map(Some),
            None if problem.duration.is_some() => Ok(None),
            None => match units.distance.as_deref().filter(|unit| !unit.trim().is_empty()) {
                Some(stated) => Self::known(stated, "the single table's").map(Some),
                None => Ok(None),
            },
        }
    }
}

/// Adds the unit that the caller states; one that contradicts the file's is refused.
pub(super) fn state(problem: &mut Problem, given: &Given) -> Result<(), FormatError> {
    let Some(stated) = &given.unit else { return Ok(()) };
    let stated = TimeUnit::known(stated, "the stated")?;
    match TimeUnit::of(problem)? {
        Some(own) if own.seconds != stated.seconds => {
            let cause = format!("the table counts in {}, and {} are stated", own.name, stated.name);
            Err(FormatError::new("unit-contradicts", cause, "leave the unit out, or correct the file"))
        }
        Some(_) => Ok(()),
        None => {
            problem.units.duration = Some(stated.short.to_owned());
            if problem.duration.is_none() {
                problem.units.distance.get_or_insert_with(|| stated.short.to_owned());
            }
            Ok(())
        }
    }
}
