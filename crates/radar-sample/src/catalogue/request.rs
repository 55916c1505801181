//! A name and parameters as somebody typed them.

use std::sync::Arc;

use super::{ALL, Entry};
use crate::atlas::Atlas;
use crate::distribution::Wanted;
use crate::feature::{Preset, Recipe};

/// Why there is no such distribution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadRequest {
    /// No distribution has this name.
    Name(String),
    /// The distribution has no such parameter.
    Parameter {
        /// The distribution.
        name: &'static str,
        /// The parameter it does not have.
        parameter: String,
    },
    /// A parameter has a value that means nothing.
    Value {
        /// The parameter.
        parameter: &'static str,
        /// Its value.
        value: String,
        /// What is expected.
        expected: &'static str,
    },
    /// No instance has that many stops.
    Size {
        /// The stops asked for.
        stops: usize,
        /// The most there can be.
        most: usize,
    },
    /// A road matrix is needed and none is given.
    NoRoads,
    /// Clusters need points, and the road matrix has none.
    NoPoints,
}

impl BadRequest {
    pub(crate) fn value(parameter: &'static str, value: impl Into<String>, expected: &'static str) -> Self {
        Self::Value { parameter, value: value.into(), expected }
    }
}

impl std::fmt::Display for BadRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Name(name) => {
                // Flow shops are no routing problem: the command draws them by itself.
                let names: Vec<&str> = ALL.iter().map(|entry| entry.name).collect();
                let names = names.join(", ");
                write!(f, "`{name}` is no distribution of problems: choose one of {names}")?;
                f.write_str(" (flow-shop is of the command `radar generate` alone)")
            }
            Self::Parameter { name, parameter } => write!(f, "`{name}` has no parameter `{parameter}`"),
            Self::Value { parameter, value, expected } => {
                write!(f, "{parameter} is `{value}`, expected {expected}")
            }
            Self::Size { stops, most } => write!(f, "{stops} stops are not possible: give 1 to {most}"),
            Self::NoRoads => f.write_str("this distribution needs a road matrix"),
            Self::NoPoints => f.write_str("clusters need points, and the road matrix has none"),
        }
    }
}

impl std::error::Error for BadRequest {}

/// The values asked for, with defaults for the rest.
pub(super) struct Request<'a> {
    entry: &'static Entry,
    given: &'a [(&'a str, &'a str)],
    roads: Option<Arc<Atlas>>,
}

impl<'a> Request<'a> {
    pub(super) fn new(
        name: &str,
        given: &'a [(&'a str, &'a str)],
        roads: Option<Arc<Atlas>>,
    ) -> Result<Self, BadRequest> {
        let entry = ALL.iter().find(|entry| entry.name == name);
        let entry = entry.ok_or_else(|| BadRequest::Name(name.to_owned()))?;
        let is_known = |key: &str| entry.parameters.iter().any(|parameter| parameter.name == key);
        match given.iter().find(|(key, _)| !is_known(key)) {
            Some((key, _)) => Err(BadRequest::Parameter { name: entry.name, parameter: (*key).to_owned() }),
            None => Ok(Self { entry, given, roads }),
        }
    }

    pub(super) fn entry(&self) -> &'static Entry {
        self.entry
    }

    pub(super) fn roads(&self) -> Result<Arc<Atlas>, BadRequest> {
        self.roads.clone().ok_or(BadRequest::NoRoads)
    }

    /// The last value given for `key`, its default, or nothing if the distribution has no such thing.
    pub(super) fn get(&self, key: &str) -> &'a str {
        let given = self.given.iter().rev().find(|(name, _)| *name == key).map(|(_, value)| *value);
        let default = || self.entry.parameters.iter().find(|parameter| parameter.name == key);
        given.or_else(|| default().map(|parameter| parameter.default)).unwrap_or_default()
    }

    pub(super) fn choice<T: Copy>(
        &self,
        key: &'static str,
        choices: &[(&str, T)],
        expected: &'static str,
    ) -> Result<T, BadRequest> {
        let value = self.get(key);
        let found = choices.iter().find(|(name, _)| *name == value);
        found.map(|(_, choice)| *choice).ok_or_else(|| BadRequest::value(key, value, expected))
    }

    pub(super) fn stops(&self) -> Result<usize, BadRequest> {
        let wrong = |_| BadRequest::value("n", self.get("n"), "a whole number");
        self.get("n").parse().map_err(wrong)
    }

    pub(super) fn wanted(&self) -> Result<Wanted, BadRequest> {
        match self.get("variant") {
            "mix" => Ok(Wanted::Mix),
            name => match name.parse() {
                Ok(variant) => Ok(Wanted::One(variant)),
                Err(_) => Err(BadRequest::value("variant", name, "ATSP, ACVRP, A[O]VRP[B][L][TW] or mix")),
            },
        }
    }

    pub(super) fn number(&self, key: &'static str, expected: &'static str) -> Result<f64, BadRequest> {
        let value = self.get(key);
        value.parse().map_err(|_| BadRequest::value(key, value, expected))
    }

    /// The laws of the preset asked for.
    pub(super) fn recipe(&self) -> Result<Recipe, BadRequest> {
        let presets = [("paper", Preset::Paper), ("tight", Preset::Tight), ("day", Preset::Day)];
        let preset = self.choice("preset", &presets, "paper, tight or day")?;
        Ok(Recipe { preset, ..Recipe::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_offered_that_is_refused() {
        let said = BadRequest::Name("flow-shop".to_owned()).to_string();
        let offered = said.split_once("choose one of ").and_then(|(_, after)| after.split_once(" ("));
        let names: Vec<&str> = offered.expect("it offers some").0.split(", ").collect();
        assert!(names.iter().all(|name| ALL.iter().any(|entry| entry.name == *name)), "{said}");
    }
}
