//! The best plan ever seen of every instance, by anybody: what gaps are measured against.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::exam::Exam;

/// A plan, its cost and whose it is.
struct Reference {
    cost: f64,
    origin: String,
    routes: Vec<Vec<usize>>,
}

/// References by the key of the instance; they are only ever lowered.
pub struct Best {
    path: PathBuf,
    references: BTreeMap<String, Reference>,
}

impl Best {
    /// Opens the file, or begins one. One that is there and cannot be read is an error: it would be overwritten.
    pub fn open(path: PathBuf) -> Result<Self, String> {
        let mut references = BTreeMap::new();
        if path.exists() {
            let broken = |why: String| format!("{}: {why}", path.display());
            let text = std::fs::read_to_string(&path).map_err(|error| broken(error.to_string()))?;
            let table: Value = serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
            for (key, value) in table.as_object().into_iter().flatten() {
                let reference = read(value).ok_or_else(|| broken(format!("`{key}` is no reference")))?;
                references.insert(key.clone(), reference);
            }
        }
        Ok(Self { path, references })
    }

    /// The least cost known.
    pub fn cost(&self, key: &str) -> Option<f64> {
        self.references.get(key).map(|reference| reference.cost)
    }

    /// Takes a plan that the checker passed, if it is cheaper than what is known.
    pub fn offer(&mut self, exam: &Exam, cost: f64, origin: &str, routes: &[Vec<usize>]) {
        if self.cost(&exam.key()).is_none_or(|known| cost < known) {
            let reference = Reference { cost, origin: origin.to_owned(), routes: routes.to_vec() };
            self.references.insert(exam.key(), reference);
        }
    }

    /// Writes the file in one step, so that an interrupted run leaves the old one.
    pub fn save(&self) -> std::io::Result<()> {
        let entries = self.references.iter().map(|(key, reference)| {
            let Reference { cost, origin, routes } = reference;
            let value = json!({ "cost": cost, "origin": origin, "routes": routes });
            format!("{}: {value}", Value::String(key.clone()))
        });
        let text = format!("{{\n{}\n}}\n", entries.collect::<Vec<_>>().join(",\n"));
        let aside = self.path.with_extension("json.new");
        std::fs::write(&aside, text)?;
        std::fs::rename(&aside, &self.path)
    }
}

fn read(value: &Value) -> Option<Reference> {
    let routes = serde_json::from_value(value["routes"].clone()).ok()?;
    Some(Reference { cost: value["cost"].as_f64()?, origin: value["origin"].as_str()?.to_owned(), routes })
}
