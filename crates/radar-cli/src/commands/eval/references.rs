//! Costs that a network is measured against: where they come from, and whether they are of these instances.

mod json;
mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use radar::{Instance, Objective};
use radar_train::folder::Folder;
use radar_train::validation::Kept;
use serde_json::{Map, Value, json};

use crate::amounts::counted;
use crate::failure::Failure;
use crate::input::{self, Input, Stated};
use crate::output;

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

/// The file that a run keeps for its validation set. What it holds must be of this set as it stands, and of what is
/// minimised.
pub fn of_run(input: &Input, objective: Objective) -> Result<Option<PathBuf>, Failure> {
    let set = &input.file;
    let path = set.with_file_name(Folder::REFERENCES);
    let is_examined =
        set.file_name().is_some_and(|name| Folder::VALIDATION.iter().any(|known| name == *known));
    if !is_examined || !path.is_file() {
        return Ok(None);
    }
    if let Some(kept) = Kept::from_bytes(&input::bytes(&path)?) {
        let refused = kept.refuse_others(&input::bytes(set)?, objective);
        refused
            .map_err(|error| Failure::input(error.code, error.cause, error.action))
            .and_then(|()| match changes(&input.stated) {
                false => Ok(()),
                true => Err(Failure::input(
                    "other-references",
                    "the references are of the set as it stands, and the command line changes it",
                    "leave out what it states of the problems, or give references of your own (--references)",
                )),
            })
            .map_err(|failure| failure.of(&path.display().to_string()))?;
    }
    Ok(Some(path))
}

/// Whether the command line says anything about problems that a file may say otherwise.
fn changes(stated: &Stated) -> bool {
    let Stated { from: _, stops, kind: _, capacity, vehicles, limit, max_duration, open, unit: _ } = stated;
    *open
        || vehicles.is_some()
        || stops.is_some()
        || [capacity, limit, max_duration].iter().any(|one| one.is_some())
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

/// Shares of a cost that are lost when numbers are written down.
const ROUNDED: f64 = 1e-6;

impl References {
    /// Reads a file: JSON or CSV. `names` are those of the set, for lists that give none.
    pub fn read(path: &Path, names: &[String]) -> Result<Self, Failure> {
        let content = input::bytes(path)?;
        let is_csv = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
        let read = if is_csv { table::read(&content) } else { json::read(&content, names) };
        let mut references = read.map_err(|failure| failure.of(&path.display().to_string()))?;
        references.origin.get_or_insert_with(|| path.display().to_string());
        Ok(references)
    }

    /// The reference of an instance.
    pub fn get(&self, name: &str) -> Option<&Reference> {
        self.named.get(name)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// Refuses references of which none is of the set: they were named by another rule, or for another set.
    pub fn refuse_strangers(&self, names: &[String]) -> Result<(), Failure> {
        let (Some(instance), None) = (names.first(), names.iter().find(|name| self.get(name).is_some()))
        else {
            return Ok(());
        };
        let instances = format!("{} (`{instance}`{})", counted(names.len(), "instance"), more(names.len()));
        let cause = match self.named.first_key_value() {
            None => format!("there is no reference, and there are {instances}"),
            Some((reference, _)) => format!(
                "{} (`{reference}`{}), and none is called like any of {instances}",
                counted(self.named.len(), "reference"),
                more(self.named.len()),
            ),
        };
        let action = "call them as the instances are called: the file's name without its ending, with #0, #1, ... in \
                      a set; or list the costs in the order of the set";
        Err(Failure::input("unmatched-references", cause, action))
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
            .map_err(|error| wrong(error.to_string(), "please report it"))?;
        content.push(b'\n');
        output::file(path, &content, inputs)
    }
}

impl Reference {
    /// Refuses what no plan costs. Numbers that were rounded apart are the same.
    fn sound(self, place: &str) -> Result<Self, Failure> {
        if self.cost.is_nan() || self.cost < 0.0 {
            return Err(wrong(format!("{place} costs {}", self.cost), "write a cost of at least 0"));
        }
        match self.bound {
            Some(bound) if bound > self.cost * (1.0 + ROUNDED) => Err(wrong(
                format!("{place} has the bound {bound}, above its cost {}", self.cost),
                "no plan costs less than a bound: see that the two are not exchanged, and of one unit",
            )),
            _ => Ok(self),
        }
    }

    fn to_json(&self) -> Value {
        json!({ "cost": self.cost, "bound": self.bound, "optimal": self.optimal, "instance": self.instance })
    }
}

/// That an example is not all there is.
fn more(count: usize) -> &'static str {
    if count > 1 { ", ..." } else { "" }
}

/// What a file of references may be.
const FORMS: &str = "give {\"NAME\": COST, ...}, a list of costs in the order of the set, or a CSV with columns name and cost";

fn wrong(cause: impl Into<String>, action: impl Into<String>) -> Failure {
    Failure::input("bad-references", cause, action)
}

fn duplicate(cause: String) -> Failure {
    Failure::input("duplicate-name", cause, "keep one of them")
}

#[cfg(test)]
mod tests {
    use super::*;

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
