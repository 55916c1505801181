//! A table of a configuration, read key by key: whatever is wrong is named with key, value and what is valid.

use std::ops::RangeInclusive;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::spelling;
use crate::error::TrainError;

/// A table from which keys are taken; what is left in the end is refused.
pub(crate) struct Section {
    path: String,
    map: Map<String, Value>,
    known: Vec<&'static str>,
}

impl Section {
    /// The table at `path`; "" is the whole file.
    pub fn new(path: impl Into<String>, value: Value) -> Result<Self, TrainError> {
        let path = path.into();
        match value {
            Value::Object(map) => Ok(Self { path, map, known: Vec::new() }),
            other => Err(refusal(&path, &other, "a table")),
        }
    }

    /// The full name of a key.
    pub fn name(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Takes a key, whatever it holds.
    pub fn take(&mut self, key: &'static str) -> Option<Value> {
        self.known.push(key);
        self.map.remove(key)
    }

    /// Takes a key and reads it; `valid` says what it may be.
    pub fn read<T>(
        &mut self,
        key: &'static str,
        valid: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>, TrainError> {
        let Some(value) = self.take(key) else { return Ok(None) };
        read(&value).map(Some).ok_or_else(|| refusal(&self.name(key), &value, valid))
    }

    /// A whole number.
    pub fn whole(
        &mut self,
        key: &'static str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, TrainError> {
        let valid = format!("a whole number from {} to {}", range.start(), range.end());
        self.read(key, &valid, |value| whole(value).filter(|number| range.contains(number)))
    }

    /// A number.
    pub fn number(
        &mut self,
        key: &'static str,
        range: RangeInclusive<f64>,
    ) -> Result<Option<f64>, TrainError> {
        let valid = format!("a number from {} to {}", range.start(), range.end());
        self.read(key, &valid, |value| value.as_f64().filter(|number| range.contains(number)))
    }

    /// One of some names, in the form of its value.
    pub fn choice<T: Copy>(
        &mut self,
        key: &'static str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, TrainError> {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let Some(value) = self.take(key) else { return Ok(None) };
        let given = value.as_str().unwrap_or_default();
        let found = choices.iter().find(|(name, _)| *name == given);
        found.map(|(_, choice)| Some(*choice)).ok_or_else(|| {
            let near = spelling::nearest(given, &names).map(|near| format!("did you mean `{near}`? "));
            let action = format!("{}give one of {}", near.unwrap_or_default(), names.join(", "));
            TrainError::config(format!("`{}` is {value}", self.name(key)), action)
        })
    }

    /// Yes or no.
    pub fn flag(&mut self, key: &'static str) -> Result<Option<bool>, TrainError> {
        self.read(key, "true or false", Value::as_bool)
    }

    /// A text.
    pub fn text(&mut self, key: &'static str) -> Result<Option<String>, TrainError> {
        self.read(key, "a text that is not empty, on one line", |value| {
            value
                .as_str()
                .filter(|text| !text.is_empty() && !text.contains(char::is_control))
                .map(str::to_owned)
        })
    }

    /// What another method reads, or a word for nothing.
    pub fn or_word<T>(
        &mut self,
        word: &str,
        key: &'static str,
        read: impl FnOnce(&mut Self, &'static str) -> Result<Option<T>, TrainError>,
    ) -> Result<Option<T>, TrainError> {
        if self.map.get(key).is_some_and(|value| value == word) {
            self.take(key);
            return Ok(None);
        }
        read(self, key).map_err(|error| {
            let action = format!("{}, or \"{word}\"", error.action);
            TrainError { action, ..error }
        })
    }

    /// A text or a list of texts.
    pub fn texts(&mut self, key: &'static str) -> Result<Option<Vec<String>>, TrainError> {
        self.read(key, "a text, or a list of texts", |value| match value {
            Value::Array(list) => list.iter().map(|text| text.as_str().map(str::to_owned)).collect(),
            other => other.as_str().map(|text| vec![text.to_owned()]),
        })
    }

    /// A table inside; an empty one if it is not given.
    pub fn section(&mut self, key: &'static str) -> Result<Section, TrainError> {
        let value = self.take(key).unwrap_or_else(|| Value::Object(Map::new()));
        Section::new(self.name(key), value)
    }

    /// A list of tables inside; `None` if it is not given.
    pub fn sections(&mut self, key: &'static str) -> Result<Option<Vec<Section>>, TrainError> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let name = self.name(key);
        let Value::Array(list) = value else { return Err(refusal(&name, &value, "a list of tables")) };
        if list.is_empty() {
            return Err(refusal(&name, &Value::Array(list), "at least one table"));
        }
        let tables = list.into_iter().enumerate();
        tables
            .map(|(at, value)| Section::new(format!("{name}[{at}]"), value))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// A seed. TOML's whole numbers end half-way to the greatest: texts hold the others.
    pub fn seed(&mut self, key: &'static str) -> Result<Option<u64>, TrainError> {
        let valid = format!("a whole number from 0 to {}, in quotes if above {}", u64::MAX, i64::MAX);
        self.read(key, &valid, |value| match value {
            Value::String(text) => text.parse().ok(),
            other => whole(other),
        })
    }

    /// Refuses a key beside others that say the same in another way.
    pub fn refuse_both(&self, key: &str, others: &[&str]) -> Result<(), TrainError> {
        match others.iter().find(|&&other| self.map.contains_key(other)) {
            Some(other) if self.map.contains_key(key) => Err(TrainError::config(
                format!("`{}` and `{}` are two ways to say one thing", self.name(key), self.name(other)),
                "give one of them",
            )),
            _ => Ok(()),
        }
    }

    /// Refuses what nobody has taken.
    pub fn finish(self) -> Result<(), TrainError> {
        let Some(stranger) = self.map.keys().next() else { return Ok(()) };
        let near = spelling::nearest(stranger, &self.known);
        let near = near.map(|near| format!("did you mean `{}`? ", self.name(near)));
        let near = elsewhere(&self.name(stranger)).or(near);
        let place = if self.path.is_empty() { "the configuration" } else { self.path.as_str() };
        let shown: String = self.name(stranger).chars().take(80).collect();
        Err(TrainError::config(
            format!("`{shown}` is no key here"),
            format!("{}{place} has {}", near.unwrap_or_default(), self.known.join(", ")),
        ))
    }
}

/// Where a key belongs that is in the wrong place.
fn elsewhere(name: &str) -> Option<String> {
    const OF_KINDS: [(&str, &str); 9] = [
        ("loss.alpha", "preference"),
        ("loss.extra", "leader"),
        ("loss.leaders", "leader"),
        ("loss.rest", "leader"),
        ("loss.search_steps", "imitation"),
        ("loss.astray", "imitation"),
        ("schedule.drops", "step"),
        ("schedule.factor", "step"),
        ("optimiser.momentum", "muon"),
    ];
    if let Some((key, kind)) = OF_KINDS.iter().find(|(key, _)| *key == name) {
        let table = key.split('.').next().unwrap_or_default();
        return Some(format!("it goes with `{table}.kind` = \"{kind}\"; "));
    }
    // A key without its table.
    let tables = serde_json::to_value(super::Config::default()).ok()?;
    let holds = |table: &Value| table.as_object().is_some_and(|table| table.contains_key(name));
    let of_kinds = OF_KINDS.iter().map(|(key, _)| *key).find(|key| key.split('.').nth(1) == Some(name));
    let found = tables
        .as_object()?
        .iter()
        .find(|(_, table)| holds(table))
        .map(|(table, _)| format!("{table}.{name}"));
    let found = found.or_else(|| of_kinds.map(str::to_owned))?;
    Some(format!("did you mean `{found}`? "))
}

/// A number without a fraction, however it is written (1e6 is whole).
pub(crate) fn whole(value: &Value) -> Option<u64> {
    const EXACT: f64 = 9e15;
    let float = || value.as_f64().filter(|float| float.fract() == 0.0 && (0.0..=EXACT).contains(float));
    value.as_u64().or_else(|| float().map(|float| float as u64))
}

/// Writes a seed so that TOML can hold it.
pub(crate) fn write_seed<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    match i64::try_from(*seed) {
        Ok(seed) => serializer.serialize_i64(seed),
        Err(_) => serializer.serialize_str(&seed.to_string()),
    }
}

/// Writes a number, or that there are all.
pub(crate) fn or_all<S: Serializer>(value: &Option<usize>, serializer: S) -> Result<S::Ok, S::Error> {
    or_word(*value, "all", serializer)
}

/// Writes a number, or that there is none.
pub(crate) fn or_none<T, S: Serializer>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error>
where
    T: Copy + Into<Value>,
{
    or_word(*value, "none", serializer)
}

/// Writes a number, or that it is the data's.
pub(crate) fn or_data<S: Serializer>(value: &Option<usize>, serializer: S) -> Result<S::Ok, S::Error> {
    or_word(*value, "data", serializer)
}

/// Writes a number, or that it is decided when the run begins.
pub(crate) fn or_auto<S: Serializer>(value: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
    or_word(*value, "auto", serializer)
}

fn or_word<S: Serializer>(
    value: Option<impl Into<Value>>,
    word: &str,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.map_or_else(|| word.to_owned().into(), Into::into).serialize(serializer)
}

/// The words for a value that is not valid.
pub(crate) fn refusal(key: &str, value: &Value, valid: &str) -> TrainError {
    let key = if key.is_empty() { "the configuration" } else { key };
    let mut shown = value.to_string();
    if shown.chars().count() > 80 {
        shown = shown.chars().take(77).chain("...".chars()).collect();
    }
    TrainError::config(format!("`{key}` is {shown}"), format!("give {valid}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn section(value: Value) -> Section {
        Section::new("data", value).expect("a table")
    }

    #[test]
    fn whole_numbers_may_be_written_with_an_exponent() {
        assert_eq!(section(json!({ "n": 1e6 })).whole("n", 1..=10_000_000), Ok(Some(1_000_000)));
        assert_eq!(section(json!({})).whole("n", 1..=2), Ok(None));
        let refused = section(json!({ "n": 2.5 })).whole("n", 1..=9).expect_err("refused").to_string();
        assert!(refused.contains("`data.n` is 2.5") && refused.contains("from 1 to 9"), "{refused}");
    }

    #[test]
    fn strangers_are_named_with_what_was_meant() {
        let mut table = section(json!({ "nods": 3 }));
        assert_eq!(table.take("nodes"), None);
        assert_eq!(table.take("variant"), None);
        let refused = table.finish().expect_err("refused").to_string();
        assert!(
            refused.contains("`data.nods`") && refused.contains("did you mean `data.nodes`?"),
            "{refused}"
        );
        assert!(refused.contains("data has nodes, variant"), "{refused}");
    }

    #[test]
    fn tables_must_be_tables() {
        assert!(Section::new("loss", json!(3)).is_err_and(|error| error.to_string().contains("`loss` is 3")));
        assert!(section(json!({ "parts": [] })).sections("parts").is_err());
        assert!(section(json!({ "parts": {} })).sections("parts").is_err());
    }
}
