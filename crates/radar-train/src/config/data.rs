//! What instances are drawn from.

use std::collections::BTreeMap;
use std::fmt;

use radar_problem::{Feature, Objective, Variant};
use radar_sample::{Entry, catalogue};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::section::{Section, refusal, whole};
use super::spelling;
use crate::error::TrainError;

/// What the cost of a plan is summed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Minimise {
    /// The distance matrix.
    Distance,
    /// The duration matrix.
    Duration,
}

impl From<Minimise> for Objective {
    fn from(minimise: Minimise) -> Self {
        match minimise {
            Minimise::Distance => Self::Distance,
            Minimise::Duration => Self::Duration,
        }
    }
}

impl fmt::Display for Minimise {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::Distance => "distance",
            Self::Duration => "duration",
        })
    }
}

/// Where instances come from, and how large they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    /// What the cost of a plan is summed from.
    pub minimise: Minimise,
    /// Files or folders of road matrices, for the distribution that cuts instances out of them.
    pub roads: Vec<String>,
    /// Distributions with their weights, each instance from one of them.
    pub mixture: Vec<Part>,
    /// Sizes over the course of the run.
    pub curriculum: Vec<Stage>,
}

/// One distribution of a mixture.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its name in the catalogue.
    pub distribution: String,
    /// How often it is drawn from, against the others.
    pub weight: f64,
    /// All its parameters beside the size (`variant`, `preset`, `sigma`, ...).
    pub parameters: BTreeMap<String, String>,
}

/// Sizes until some number of instances has been seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Where it ends; the last one does not.
    pub until: Option<u64>,
    /// Stops per instance, one of these for each batch: nodes of a tour, or stops beside the depot.
    pub nodes: Vec<usize>,
}

/// Parameters that are given beside the distribution itself; all others have a table.
pub(super) const PLAIN: [&str; 2] = ["variant", "preset"];

/// The fewest stops of an instance.
pub(crate) const LEAST_NODES: usize = 2;

const NODES: &str = "a whole number from 2 to 20000, or a list of such";

impl Default for Data {
    fn default() -> Self {
        Self {
            minimise: Minimise::Distance,
            roads: Vec::new(),
            mixture: vec![Part::new("tmat")],
            curriculum: vec![Stage { until: None, nodes: vec![100] }],
        }
    }
}

impl Data {
    pub(super) fn read(mut table: Section) -> Result<Self, TrainError> {
        let usual = Self::default();
        let minimise = [("distance", Minimise::Distance), ("duration", Minimise::Duration)];
        table.refuse_both("curriculum", &["nodes"])?;
        table.refuse_both("mixture", &["distribution", "variant", "preset", "parameters"])?;
        let data = Self {
            minimise: table.choice("minimise", &minimise)?.unwrap_or(usual.minimise),
            roads: table.texts("roads")?.unwrap_or_default(),
            mixture: Self::mixture(&mut table)?,
            curriculum: match table.sections("curriculum")? {
                Some(stages) => stages.into_iter().map(Stage::read).collect::<Result<_, _>>()?,
                None => match table.read("nodes", NODES, nodes)? {
                    Some(nodes) => vec![Stage { until: None, nodes }],
                    None => usual.curriculum,
                },
            },
        };
        let path = table.name("curriculum");
        table.finish()?;
        data.check_stages(&path)?;
        data.check_roads()?;
        Ok(data)
    }

    /// The distributions of a table.
    pub(super) fn mixture(table: &mut Section) -> Result<Vec<Part>, TrainError> {
        match table.sections("mixture")? {
            Some(parts) => {
                let mut parts: Vec<Part> = parts.into_iter().map(Part::read).collect::<Result<_, _>>()?;
                if let [one] = &mut parts[..] {
                    // There is nothing to weigh it against.
                    one.weight = 1.0;
                }
                Ok(parts)
            }
            None => Ok(vec![Part::take(table)?]),
        }
    }

    fn check_stages(&self, path: &str) -> Result<(), TrainError> {
        let ends: Vec<u64> = self.curriculum.iter().map(|stage| stage.until.unwrap_or(u64::MAX)).collect();
        match ends.is_sorted_by(|a, b| a < b) && ends.last() == Some(&u64::MAX) {
            true => Ok(()),
            false => Err(TrainError::config(
                format!("the stages of `{path}` do not follow each other"),
                "give each a greater `until` than the one before, and the last one none",
            )),
        }
    }

    fn check_roads(&self) -> Result<(), TrainError> {
        let needy = self.mixture.iter().find(|part| part.entry().is_ok_and(|entry| entry.needs_roads));
        match (needy, self.roads.is_empty()) {
            (Some(part), true) => Err(TrainError::config(
                format!("`data.roads` is empty, but `{}` draws from road matrices", part.distribution),
                "give files or folders of matrices (npz), or another distribution",
            )),
            (None, false) => Err(TrainError::config(
                format!("`data.roads` is {:?}, but nothing draws from it", self.roads),
                "leave it out, or draw from the distribution `roads`",
            )),
            _ => Ok(()),
        }
    }

    /// Refuses a preset that changes nothing: only limits and windows can be tight, and only vehicles have days.
    pub(super) fn refuse_idle_presets(&self) -> Result<(), TrainError> {
        let binds = |feature| matches!(feature, Feature::Limit | Feature::Windows);
        for (at, part) in self.mixture.iter().enumerate() {
            let Some(variant) = part.variant()? else { continue };
            let features = match variant {
                Variant::Atsp => None,
                Variant::Vrp(features) => Some(features),
            };
            let preset = part.parameters.get("preset").map_or("paper", String::as_str);
            let (lacks, draw) = match preset {
                "tight" if !features.is_some_and(|features| features.iter().any(binds)) => {
                    ("neither limits nor windows", "a variant that has some (L, TW)")
                }
                "day" if features.is_none() => ("no vehicles", "routes (\"mix\", or ACVRP)"),
                _ => continue,
            };
            return Err(TrainError::config(
                format!("`{}` is {preset:?}, but there are {lacks}", self.key(at, "preset")),
                format!("leave it out, or draw {draw}"),
            ));
        }
        Ok(())
    }

    /// The key by which a parameter of one part of the mixture is given.
    pub(crate) fn key(&self, part: usize, parameter: &str) -> String {
        let place = if self.mixture.len() > 1 { format!(".mixture[{part}]") } else { String::new() };
        let table = if PLAIN.contains(&parameter) { "" } else { ".parameters" };
        format!("data{place}{table}.{parameter}")
    }

    /// The key that decides what kind of problems one part of the mixture has.
    pub(super) fn decisive_key(&self, part: usize) -> String {
        let variant = self.key(part, "variant");
        match self.mixture[part].parameters.contains_key("variant") {
            true => variant,
            false => variant.replace("variant", "distribution"),
        }
    }

    /// Every size that occurs.
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes: Vec<usize> = self.curriculum.iter().flat_map(|stage| stage.nodes.clone()).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }
}

impl Part {
    /// A distribution as it is unless more is said.
    fn new(distribution: &str) -> Self {
        let entry = catalogue::ALL.iter().find(|entry| entry.name == distribution);
        let parameters = entry.into_iter().flat_map(|entry| entry.parameters);
        let parameters = parameters.filter(|parameter| parameter.name != "n");
        let parameters = parameters.map(|known| (known.name.to_owned(), known.default.to_owned()));
        Self { distribution: distribution.to_owned(), weight: 1.0, parameters: parameters.collect() }
    }

    fn read(mut table: Section) -> Result<Self, TrainError> {
        let weight = table.number("weight", 1e-6..=1e6)?;
        let part = Self { weight: weight.unwrap_or(1.0), ..Self::take(&mut table)? };
        table.finish()?;
        Ok(part)
    }

    fn take(table: &mut Section) -> Result<Self, TrainError> {
        let names: Vec<(&str, &str)> = catalogue::ALL.iter().map(|entry| (entry.name, entry.name)).collect();
        let mut part = Self::new(table.choice("distribution", &names)?.unwrap_or("tmat"));
        for key in PLAIN {
            if let Some(value) = table.text(key)? {
                part.set(&table.name(key), key, value)?;
            }
        }
        let name = table.name("parameters");
        if let Some(value) = table.take("parameters") {
            let Value::Object(map) = &value else { return Err(refusal(&name, &value, "a table")) };
            for (key, value) in map {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                part.set(&format!("{name}.{key}"), key, text)?;
            }
        }
        part.variant().map_err(|error| {
            let cause = format!("`{}`: {}", table.name("variant"), error.cause);
            TrainError { cause, ..error }
        })?;
        Ok(part)
    }

    /// Sets a parameter that the distribution has.
    fn set(&mut self, path: &str, key: &str, value: String) -> Result<(), TrainError> {
        let known: Vec<&str> = self
            .entry()?
            .parameters
            .iter()
            .map(|parameter| parameter.name)
            .filter(|&name| name != "n")
            .collect();
        if !known.contains(&key) {
            let near = spelling::nearest(key, &known).map(|near| format!("did you mean `{near}`? "));
            let has = if known.is_empty() { "no parameters".to_owned() } else { known.join(", ") };
            return Err(TrainError::config(
                format!("`{path}` is \"{value}\", but `{}` has no such parameter", self.distribution),
                format!("{}it has {has}", near.unwrap_or_default()),
            ));
        }
        self.parameters.insert(key.to_owned(), value);
        Ok(())
    }

    /// The entry of the catalogue.
    pub(crate) fn entry(&self) -> Result<&'static Entry, TrainError> {
        catalogue::ALL.iter().find(|entry| entry.name == self.distribution).ok_or_else(|| {
            TrainError::config(
                format!("`{}` is no distribution", self.distribution),
                "see `radar generate --help`",
            )
        })
    }

    /// The same upon road matrices, as a table: its variant and what that is like stay, and so does the weight.
    pub(super) fn on_roads(&self) -> Result<Value, TrainError> {
        let roads = Self::new("roads");
        let known = roads.entry()?.parameters.iter().map(|parameter| parameter.name);
        let known: Vec<&str> = known.filter(|name| !PLAIN.contains(name)).collect();
        let kept = self.parameters.iter().filter(|(name, _)| known.contains(&name.as_str()));
        let variant = self.variant()?.map_or("mix".to_owned(), |variant| variant.to_string());
        let mut table = json!({ "distribution": "roads", "weight": self.weight, "variant": variant });
        let parameters: Value = kept.map(|(name, value)| (name.clone(), json!(value))).collect();
        if parameters.as_object().is_some_and(|map| !map.is_empty()) {
            table["parameters"] = parameters;
        }
        if let Some(preset) = self.parameters.get("preset") {
            table["preset"] = json!(preset);
        }
        Ok(table)
    }

    /// Whether an instance may have travel times beside lengths.
    pub(crate) fn has_durations(&self) -> bool {
        self.entry().is_ok_and(|entry| entry.has_durations)
    }

    /// How many matrices an instance has, at most.
    pub(crate) fn tables(&self) -> usize {
        if self.has_durations() { 2 } else { 1 }
    }

    /// The variant that is drawn; `None` for the mix of all.
    pub fn variant(&self) -> Result<Option<Variant>, TrainError> {
        let default = self.entry()?.parameters.iter().find(|parameter| parameter.name == "variant");
        let Some(default) = default else { return Ok(Some(Variant::Vrp(radar_problem::Features::NONE))) };
        match self.parameters.get("variant").map_or(default.default, String::as_str) {
            "mix" => Ok(None),
            name => name.parse().map(Some).map_err(|error: radar_problem::UnknownVariant| {
                TrainError::config(error.to_string(), "or give \"mix\" for all sixteen")
            }),
        }
    }
}

impl Stage {
    fn read(mut table: Section) -> Result<Self, TrainError> {
        let until = table.whole("until", 1..=1 << 53)?;
        let name = table.name("nodes");
        let missing = || TrainError::config(format!("`{name}` is missing"), format!("give {NODES}"));
        let nodes = table.read("nodes", NODES, nodes)?.ok_or_else(missing)?;
        table.finish()?;
        Ok(Self { until, nodes })
    }
}

/// One size or several.
fn nodes(value: &Value) -> Option<Vec<usize>> {
    const SIZES: std::ops::RangeInclusive<u64> = LEAST_NODES as u64..=20_000;
    let size = |value: &Value| whole(value).filter(|size| SIZES.contains(size)).map(|size| size as usize);
    match value {
        Value::Array(list) if !list.is_empty() => list.iter().map(size).collect(),
        other => size(other).map(|size| vec![size]),
    }
}
