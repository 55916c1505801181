//! Costs that a network is measured against: where they come from, and whether they are of these instances.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use radar::Instance;
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::{input, output};

/// What some plan costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// In stated units.
    pub cost: f64,
    /// No plan costs less, where that is known.
    pub bound: Option<f64>,
    /// Whether it is proved that none costs less.
    pub optimal: bool,
    /// A digest of the instance it belongs to, where it was written down.
    pub instance: Option<String>,
}

impl Reference {
    /// How far a cost is above it, as a share of it.
    pub fn gap(&self, cost: f64) -> Option<f64> {
        if cost == self.cost {
            return Some(0.0);
        }
        (self.cost > 0.0).then(|| (cost - self.cost) / self.cost)
    }
}

/// References by the names of the instances.
#[derive(Clone, Debug, Default)]
pub struct References {
    /// Where they come from, in words.
    pub origin: Option<String>,
    named: BTreeMap<String, Reference>,
}

/// The file that belongs to a set.
pub fn beside(set: &Path) -> Option<PathBuf> {
    if set.as_os_str() == "-" {
        return None;
    }
    let name = set.components().next_back()?.as_os_str().to_string_lossy().into_owned();
    Some(set.with_file_name(format!("{name}.references.json")))
}

/// A digest of what an instance is, to tell a reference of another set by the same name.
pub fn digest(instance: &Instance) -> String {
    // FNV-1a over whole numbers: not against malice, only against mistakes.
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    let mut add =
        |number: i64| hash = (hash ^ number as u64).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(29);
    for row in instance.cost().rows() {
        row.values().iter().for_each(|&entry| add(entry));
    }
    for node in 0..instance.nodes() {
        [instance.demand(node), instance.backhaul(node), instance.opens(node), instance.closes(node)]
            .into_iter()
            .chain([instance.service(node)])
            .for_each(&mut add);
    }
    [instance.capacity(), instance.limit(), instance.max_duration(), i64::from(instance.is_open())]
        .into_iter()
        .chain([i64::from(instance.cost_scale().digits())])
        .for_each(&mut add);
    instance.variant().to_string().bytes().for_each(|byte| add(byte.into()));
    format!("{hash:016x}")
}

impl References {
    /// Reads a file: JSON or CSV. `names` are those of the set, for lists that give none.
    pub fn read(path: &Path, names: &[String]) -> Result<Self, Failure> {
        let content = input::bytes(path)?;
        let is_csv = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
        let read = if is_csv { Self::from_csv(&content) } else { Self::from_json(&content, names) };
        let mut references = read.map_err(|failure| failure.of(&path.display().to_string()))?;
        references.origin.get_or_insert_with(|| path.display().to_string());
        Ok(references)
    }

    fn from_json(content: &[u8], names: &[String]) -> Result<Self, Failure> {
        let value: Value = serde_json::from_slice(content).map_err(|error| wrong(error.to_string()))?;
        let origin = value.get("origin").and_then(Value::as_str).map(str::to_owned);
        let inner = value.get("references").filter(|inner| inner.is_object() || inner.is_array());
        let named = match inner.unwrap_or(&value) {
            Value::Object(all) => all
                .iter()
                .map(|(name, value)| Ok((name.clone(), of_value(name, value)?)))
                .collect::<Result<_, Failure>>()?,
            Value::Array(all) if all.len() == names.len() => names
                .iter()
                .zip(all)
                .map(|(name, value)| Ok((name.clone(), of_value(name, value)?)))
                .collect::<Result<_, Failure>>()?,
            Value::Array(all) => {
                return Err(wrong(format!(
                    "it lists {} costs, and the set has {} instances",
                    all.len(),
                    names.len()
                )));
            }
            _ => return Err(wrong("it is neither an object nor a list".to_owned())),
        };
        Ok(Self { origin, named })
    }

    fn from_csv(content: &[u8]) -> Result<Self, Failure> {
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(content);
        let headers = reader.headers().map_err(|error| wrong(error.to_string()))?.clone();
        let column = |name: &str| headers.iter().position(|header| header.eq_ignore_ascii_case(name));
        let (Some(name), Some(cost)) = (column("name"), column("cost")) else {
            return Err(wrong("the header has no columns `name` and `cost`".to_owned()));
        };
        let (bound, optimal, instance) = (column("bound"), column("optimal"), column("instance"));
        let mut named = BTreeMap::new();
        for row in reader.records() {
            let row = row.map_err(|error| wrong(error.to_string()))?;
            let cell =
                |column: Option<usize>| column.and_then(|at| row.get(at)).filter(|cell| !cell.is_empty());
            let name = cell(Some(name)).unwrap_or_default();
            let number = |cell: Option<&str>| {
                cell.map(|cell| cell.parse::<f64>().ok().and_then(serde_json::Number::from_f64))
                    .map(Value::from)
            };
            let value = json!({
                "cost": number(cell(Some(cost))),
                "bound": number(cell(bound)),
                "optimal": cell(optimal).is_some_and(|cell| ["true", "1", "yes"].contains(&cell)),
                "instance": cell(instance),
            });
            named.insert(name.to_owned(), of_value(name, &value)?);
        }
        Ok(Self { origin: None, named })
    }

    /// The reference of an instance.
    pub fn get(&self, name: &str) -> Option<&Reference> {
        self.named.get(name)
    }

    /// Adds or replaces one.
    pub fn insert(&mut self, name: String, reference: Reference) {
        self.named.insert(name, reference);
    }

    /// Writes all of them.
    pub fn write(&self, path: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
        let all: Map<String, Value> =
            self.named.iter().map(|(name, one)| (name.clone(), one.to_json())).collect();
        let mut content = serde_json::to_vec_pretty(&json!({ "origin": self.origin, "references": all }))
            .map_err(|error| wrong(error.to_string()))?;
        content.push(b'\n');
        output::file(path, &content, inputs)
    }
}

impl Reference {
    fn to_json(&self) -> Value {
        json!({ "cost": self.cost, "bound": self.bound, "optimal": self.optimal, "instance": self.instance })
    }
}

/// A number, or an object with `cost`.
fn of_value(name: &str, value: &Value) -> Result<Reference, Failure> {
    let cost = value.as_f64().or_else(|| value.get("cost")?.as_f64()).filter(|cost| *cost >= 0.0);
    let cost = cost.ok_or_else(|| wrong(format!("`{name}` has no cost of at least 0")))?;
    Ok(Reference {
        cost,
        bound: value.get("bound").and_then(Value::as_f64),
        optimal: value.get("optimal").and_then(Value::as_bool).unwrap_or(false),
        instance: value.get("instance").and_then(Value::as_str).map(str::to_owned),
    })
}

fn wrong(cause: String) -> Failure {
    let action = "give {\"NAME\": COST, ...}, a list of costs in the order of the set, or a CSV with columns name and cost";
    Failure::input("bad-references", cause, action)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<References, Failure> {
        References::from_json(text.as_bytes(), &["a".to_owned(), "b".to_owned()])
    }

    #[test]
    fn every_form_is_read() {
        let full = r#"{"origin": "x", "references": {"b": {"cost": 2, "optimal": true, "instance": "ff"}}}"#;
        let reference = read(full).expect("JSON").get("b").cloned().expect("it is there");
        assert_eq!(
            (reference.cost, reference.optimal, reference.instance.as_deref()),
            (2.0, true, Some("ff"))
        );
        for text in [r#"{"a": 1, "b": 2}"#, "[1, 2]", r#"{"references": [1, 2]}"#] {
            assert_eq!(read(text).expect("JSON").get("b").map(|one| one.cost), Some(2.0), "{text}");
        }
        let table = References::from_csv(b"name, cost, optimal\na, 1.5, true\nb, 2,\n").expect("CSV");
        assert!(table.get("a").is_some_and(|one| one.cost == 1.5 && one.optimal));
        assert!(table.get("b").is_some_and(|one| one.cost == 2.0 && !one.optimal));
    }

    #[test]
    fn what_is_wrong_is_refused() {
        for text in ["3", "[1]", r#"{"a": "1"}"#, r#"{"a": -1}"#, r#"{"a": {"bound": 1}}"#, "{"] {
            assert!(read(text).is_err(), "{text}");
        }
        for text in ["name\na\n", "name,cost\na,x\n", "name,cost\na\n", "name,cost\na,-1\n"] {
            assert!(References::from_csv(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn gaps_are_shares_of_the_reference() {
        let of = |cost: f64| Reference { cost, bound: None, optimal: false, instance: None };
        assert_eq!(of(4.0).gap(5.0), Some(0.25));
        assert_eq!((of(0.0).gap(0.0), of(0.0).gap(1.0)), (Some(0.0), None));
    }

    #[test]
    fn the_file_beside_a_set() {
        assert_eq!(beside(Path::new("x/set.npz")), Some(PathBuf::from("x/set.npz.references.json")));
        assert_eq!(beside(Path::new("x/set/")), Some(PathBuf::from("x/set.references.json")));
        assert_eq!(beside(Path::new("-")), None);
    }
}
