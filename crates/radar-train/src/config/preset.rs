//! Runs by name, and what a configuration is layered upon.

use serde_json::{Map, Value};

use super::given::parse;
use super::{Config, spelling};
use crate::error::TrainError;

const PRESETS: &[(&str, &str)] = &[
    ("paper-atsp", include_str!("../../presets/paper-atsp.toml")),
    ("paper-acvrp", include_str!("../../presets/paper-acvrp.toml")),
    ("multi", include_str!("../../presets/multi.toml")),
    ("quick", include_str!("../../presets/quick.toml")),
    ("imitate-atsp", include_str!("../../presets/imitate-atsp.toml")),
];

/// The names of all presets.
pub fn names() -> Vec<&'static str> {
    PRESETS.iter().map(|(name, _)| *name).collect()
}

/// The text of a preset, comments and all.
pub fn named(name: &str) -> Result<&'static str, TrainError> {
    let found = PRESETS.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text).ok_or_else(|| {
        let near = spelling::nearest(name, &names()).map(|near| format!("did you mean `{near}`? "));
        let action = format!("{}give one of {}", near.unwrap_or_default(), names().join(", "));
        TrainError::config(format!("`preset` is \"{name}\", which there is not"), action)
    })
}

impl Config {
    /// The run of that name.
    pub fn preset(name: &str) -> Result<Self, TrainError> {
        Self::from_toml(named(name)?, &[])
    }
}

/// The configuration over its preset.
pub(super) fn based(mut value: Value) -> Result<Value, TrainError> {
    let preset = value.as_object_mut().and_then(|map| map.remove("preset"));
    let mut whole = match &preset {
        None => Value::Object(Map::new()),
        Some(Value::String(name)) => parse(named(name)?)?,
        Some(other) => {
            let action = format!("give one of {}", names().join(", "));
            return Err(TrainError::config(format!("`preset` is {other}"), action));
        }
    };
    lay(&mut whole, value);
    Ok(whole)
}

/// Single keys in one table. They are said together: none of them replaces another, unless it is the same.
pub(super) fn singles(texts: &[String]) -> Result<Value, TrainError> {
    let mut all = Value::Object(Map::new());
    for text in texts {
        join(&mut all, single(text)?);
    }
    Ok(all)
}

/// Tables go into tables; anything else replaces what was there.
fn join(under: &mut Value, over: Value) {
    match (under, over) {
        (Value::Object(under), Value::Object(over)) => {
            for (key, value) in over {
                join(under.entry(key).or_insert(Value::Null), value);
            }
        }
        (under, over) => *under = over,
    }
}

/// Lays one table over another: the same, but what is said replaces its rivals, and a budget is said as a whole.
pub(super) fn lay(under: &mut Value, over: Value) {
    match (under, over) {
        (Value::Object(under), Value::Object(over)) => {
            replace_rivals(under, &over);
            for (key, value) in over {
                match key.as_str() {
                    "budget" => drop(under.insert(key, value)),
                    _ => lay(under.entry(key).or_insert(Value::Null), value),
                }
            }
        }
        (under, over) => *under = over,
    }
}

/// Keys of which the last one said counts: what they say can be said in two ways.
const RIVALS: &[(&str, &[&str])] = &[
    ("nodes", &["curriculum"]),
    ("curriculum", &["nodes"]),
    ("mixture", &["distribution", "variant", "preset", "parameters"]),
    ("distribution", &["mixture", "variant", "preset", "parameters"]),
    // Another kind has other keys; what all kinds share stays.
    ("kind", &["alpha", "extra", "leaders", "rest", "search_steps", "astray", "drops", "factor", "momentum"]),
];

fn replace_rivals(under: &mut Map<String, Value>, over: &Map<String, Value>) {
    for (key, rivals) in RIVALS.iter().filter(|(key, _)| over.contains_key(*key)) {
        // The same kind again changes nothing about its other keys.
        if under.get(*key) != over.get(*key) {
            rivals.iter().for_each(|rival| drop(under.remove(*rival)));
        }
    }
    // Another network is another network altogether.
    if over.contains_key("preset") {
        radar_net::Config::KEYS.iter().for_each(|key| drop(under.remove(*key)));
    }
}

/// `optimiser.lr=1e-3` as a table in a table. What is no TOML value is a text.
fn single(text: &str) -> Result<Value, TrainError> {
    let shown: String = text.chars().take(80).collect();
    let wrong = || TrainError::config(format!("`{shown}` is no KEY=VALUE"), "for instance optimiser.lr=1e-3");
    let (path, written) = text.split_once('=').ok_or_else(wrong)?;
    let keys: Vec<&str> = path.trim().split('.').collect();
    const DEEPEST: usize = 8;
    if keys.len() > DEEPEST || keys.iter().any(|key| key.is_empty()) {
        return Err(wrong());
    }
    let parsed = parse(&format!("value = {written}")).ok();
    let parsed = parsed.and_then(|mut table| table.get_mut("value").map(Value::take));
    let value = parsed.unwrap_or_else(|| Value::String(written.trim().to_owned()));
    Ok(keys
        .into_iter()
        .rev()
        .fold(value, |inner, key| Value::Object([(key.to_owned(), inner)].into_iter().collect())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn single_keys_are_tables_in_tables() {
        assert_eq!(single("optimiser.lr=1e-3"), Ok(json!({ "optimiser": { "lr": 1e-3 } })));
        assert_eq!(single("data.nodes=[20, 50]"), Ok(json!({ "data": { "nodes": [20, 50] } })));
        assert_eq!(single("loss.kind=leader"), Ok(json!({ "loss": { "kind": "leader" } })));
        assert!(single("nonsense").is_err() && single(".=1").is_err());
        assert!(single(&format!("{}=1", vec!["a"; 60_000].join("."))).is_err());
    }

    fn layers(text: &str, set: &[&str]) -> Value {
        let set: Vec<String> = set.iter().map(|&text| text.to_owned()).collect();
        let mut value = based(parse(text).expect("TOML")).expect("it fits");
        lay(&mut value, singles(&set).expect("keys"));
        value
    }

    #[test]
    fn what_is_said_last_replaces_its_rivals() {
        let curriculum = "[data]\ncurriculum = [{nodes = 5}]";
        assert_eq!(layers(curriculum, &["data.nodes=7"]), json!({ "data": { "nodes": 7 } }));
        let preference = "[loss]\nkind = \"preference\"\nalpha = 0.1";
        assert_eq!(layers(preference, &["loss.kind=reinforce"]), json!({ "loss": { "kind": "reinforce" } }));
        assert_eq!(layers(preference, &["loss.kind=preference"])["loss"]["alpha"], 0.1);
    }

    #[test]
    fn what_is_said_together_stays_together() {
        let steps = "[budget]\nsteps = 5";
        assert_eq!(layers(steps, &["budget.time=2h"])["budget"], json!({ "time": "2h" }));
        let both = json!({ "steps": 3, "time": "1s" });
        assert_eq!(layers(steps, &["budget.steps=3", "budget.time=1s"])["budget"], both);
        assert_eq!(layers(steps, &["budget.time=1s", "budget.steps=3"])["budget"], both);
        let over = layers("preset = \"quick\"\n[budget]\nsteps = 3", &["seed=2", "seed=4"]);
        assert_eq!((&over["budget"], &over["seed"]), (&json!({ "steps": 3 }), &json!(4)));
        for set in [["loss.alpha=0.3", "loss.kind=preference"], ["loss.kind=preference", "loss.alpha=0.3"]] {
            assert_eq!(
                layers("[loss]\nkind = \"leader\"\nextra = 2\nleaders = 3\nrest = 0.5", &set)["loss"],
                json!({ "kind": "preference", "alpha": 0.3 })
            );
        }
    }
}
