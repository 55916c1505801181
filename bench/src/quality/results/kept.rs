//! What the other benches have kept, read back.

use std::path::Path;

use serde_json::Value;

use super::worth::Worth;
use crate::quality::{networks, worth};

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
    sets: Value,
}

/// How a network did on one set.
pub struct Figures<'a> {
    pub network: &'a str,
    pub set: &'a str,
    result: &'a Value,
}

impl Figures<'_> {
    pub fn number(&self, key: &str) -> f64 {
        self.result[key].as_f64().unwrap_or(f64::NAN)
    }

    /// The gap and its standard error, in per cent.
    pub fn gap(&self) -> String {
        format!("{:.2} ± {:.2} %", 100.0 * self.number("gap"), 100.0 * self.number("error"))
    }

    /// CPU milliseconds of one instance.
    pub fn milliseconds(&self) -> f64 {
        1000.0 * self.number("cpu_seconds") / self.number("instances")
    }

    /// Somebody who looked for references: on how many instances, their mean cost, the network's.
    pub fn beside(&self, who: &str) -> Option<(u64, f64, f64)> {
        let other = &self.result["others"][who];
        Some((other["instances"].as_u64()?, other["cost"].as_f64()?, other["network"].as_f64()?))
    }
}

impl Kept {
    pub fn read() -> Result<Self, String> {
        let network = |name: String, file: Value| Network {
            name,
            card: file["card"].clone(),
            isa: file["isa"].as_str().unwrap_or_default().to_owned(),
            sets: file["sets"].clone(),
        };
        Ok(Self {
            networks: files(networks::FOLDER)?.into_iter().map(|(name, file)| network(name, file)).collect(),
            worth: files(worth::FOLDER)?.into_iter().map(|(name, file)| Worth::new(name, &file)).collect(),
        })
    }

    /// All figures of all networks.
    pub fn figures(&self) -> impl Iterator<Item = Figures<'_>> {
        self.networks.iter().flat_map(|network| {
            let sets = network.sets.as_object().into_iter().flatten();
            sets.map(|(set, result)| Figures { network: &network.name, set, result })
        })
    }

    /// The figures of a set, by the network that is for it.
    pub fn of(&self, set: &str) -> Option<Figures<'_>> {
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
