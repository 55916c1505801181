//! How data are written down: plainly where there is one distribution and one stage, so that single keys can be laid
//! over it.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::data::{Data, PLAIN, Part, Stage};

impl Serialize for Data {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut table = Written(vec![("minimise", json!(self.minimise)), ("roads", json!(self.roads))]);
        match &self.mixture[..] {
            [one] => table.0.extend(one.keys()),
            several => table.0.push(("mixture", several.iter().map(Part::written).collect())),
        }
        match &self.curriculum[..] {
            [Stage { until: None, nodes }] => table.0.push(("nodes", written(nodes))),
            several => table.0.push(("curriculum", several.iter().map(Stage::written).collect())),
        }
        table.serialize(serializer)
    }
}

/// Keys in their order, tables behind everything else, as TOML has them.
struct Written(Vec<(&'static str, Value)>);

impl Serialize for Written {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        let is_table = |value: &Value| match value {
            Value::Array(list) => list.iter().any(Value::is_object),
            other => other.is_object(),
        };
        let (tables, plain): (Vec<_>, Vec<_>) = self.0.iter().partition(|(_, value)| is_table(value));
        for (key, value) in plain.into_iter().chain(tables) {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl Part {
    /// Its keys, the weight aside.
    fn keys(&self) -> Vec<(&'static str, Value)> {
        let plain = PLAIN.into_iter().filter_map(|key| Some((key, json!(self.parameters.get(key)?))));
        let mut keys = vec![("distribution", json!(self.distribution))];
        keys.extend(plain);
        let rest = self.parameters.iter().filter(|(key, _)| !PLAIN.contains(&key.as_str()));
        let rest: Map<String, Value> = rest.map(|(key, value)| (key.clone(), json!(value))).collect();
        if !rest.is_empty() {
            keys.push(("parameters", Value::Object(rest)));
        }
        keys
    }

    fn written(&self) -> Value {
        let keys = self.keys().into_iter().chain([("weight", json!(self.weight))]);
        keys.map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>().into()
    }
}

impl Stage {
    fn written(&self) -> Value {
        let mut stage = json!({ "nodes": written(&self.nodes) });
        if let Some(until) = self.until {
            stage["until"] = json!(until);
        }
        stage
    }
}

/// One size or several.
fn written(nodes: &[usize]) -> Value {
    match nodes {
        [one] => json!(one),
        several => json!(several),
    }
}
