//! What the other benches have kept, read back.

use std::path::Path;

use serde_json::Value;

use super::worth::Worth;
use crate::quality::book::Book;
use crate::quality::networks::mean;
use crate::quality::set::slug;
use crate::quality::{networks, references, worth};

/// All networks, and what each is worth to a search.
pub struct Kept {
    pub networks: Vec<Network>,
    pub worth: Vec<Worth>,
}

/// A network and how it did, set by set.
pub struct Network {
    pub name: String,
    pub card: Value,
    pub isa: String,
    sets: Vec<Figures>,
}

/// How a network did on one set.
pub struct Figures {
    pub network: String,
    pub set: String,
    costs: Vec<f64>,
    book: Book,
    /// What it took for all of them.
    cpu_seconds: f64,
    pub gigabytes: f64,
}

impl Figures {
    fn new(network: &str, set: &str, result: &Value) -> Result<Self, String> {
        let number = |key: &str| result[key].as_f64().ok_or(format!("{network}, {set}: no `{key}`"));
        let costs = numbers(&result["costs"]);
        if costs.is_empty() {
            return Err(format!("{network}, {set}: no `costs`"));
        }
        Ok(Self {
            network: network.to_owned(),
            set: set.to_owned(),
            book: Book::open(Path::new(references::FOLDER), &slug(set), costs.len())?,
            costs,
            cpu_seconds: number("cpu_seconds")?,
            gigabytes: number("gigabytes")?,
        })
    }

    pub fn instances(&self) -> usize {
        self.costs.len()
    }

    /// How many of them have a reference that is proved to be the best.
    pub fn proved(&self) -> usize {
        self.book.references.iter().take(self.instances()).filter(|reference| reference.optimal).count()
    }

    /// The mean cost.
    pub fn cost(&self) -> f64 {
        mean(&self.costs).0
    }

    /// The mean gap to the references, and its standard error.
    pub fn gap(&self) -> (f64, f64) {
        let gaps = self.costs.iter().enumerate().filter_map(|(index, &cost)| self.book.gap(index, cost));
        mean(&gaps.collect::<Vec<f64>>())
    }

    /// CPU milliseconds of one instance.
    pub fn milliseconds(&self) -> f64 {
        1000.0 * self.cpu_seconds / self.instances() as f64
    }

    /// Somebody who looked for references: on how many instances, their mean cost, the network's there.
    pub fn beside(&self, who: &str) -> Option<(usize, f64, f64)> {
        let both = self.costs.iter().zip(&self.book.references);
        let (ours, theirs): (Vec<f64>, Vec<f64>) =
            both.filter_map(|(&ours, known)| Some((ours, known.by(who)?))).unzip();
        (!ours.is_empty()).then(|| (ours.len(), mean(&theirs).0, mean(&ours).0))
    }
}

/// The numbers of a list.
pub fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

impl Kept {
    pub fn read() -> Result<Self, String> {
        let network = |(name, file): (String, Value)| {
            let sets = file["sets"].as_object().into_iter().flatten();
            let sets: Result<Vec<Figures>, String> =
                sets.map(|(set, result)| Figures::new(&name, set, result)).collect();
            let isa = file["isa"].as_str().unwrap_or_default().to_owned();
            Ok(Network { card: file["card"].clone(), isa, sets: sets?, name })
        };
        let networks: Result<Vec<Network>, String> =
            files(networks::FOLDER)?.into_iter().map(network).collect();
        let worth: Result<Vec<Worth>, String> =
            files(worth::FOLDER)?.into_iter().map(|(name, file)| Worth::new(name, &file)).collect();
        Ok(Self { networks: networks?, worth: worth? })
    }

    /// All figures of all networks.
    pub fn figures(&self) -> impl Iterator<Item = &Figures> {
        self.networks.iter().flat_map(|network| &network.sets)
    }

    /// The figures of a set, by the network that is for it.
    pub fn of(&self, set: &str) -> Option<&Figures> {
        self.figures().find(|figures| figures.set == set)
    }
}

/// The files of a folder by their names; none where there is no folder.
fn files(folder: &str) -> Result<Vec<(String, Value)>, String> {
    let mut files = Vec::new();
    let Ok(entries) = Path::new(folder).read_dir() else { return Ok(files) };
    for entry in entries.flatten() {
        let path = entry.path();
        let broken = |why: String| format!("{}: {why}", path.display());
        let text = std::fs::read_to_string(&path).map_err(|error| broken(error.to_string()))?;
        let value = serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
        files.push((path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), value));
    }
    files.sort_by(|one, two| one.0.cmp(&two.0));
    Ok(files)
}
