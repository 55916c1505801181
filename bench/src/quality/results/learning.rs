//! How the shipped networks learned: one curve each, over all runs that led to it.

use std::path::{Path, PathBuf};

use super::kept::Kept;
use crate::curves::{self, BY_HOURS, Curve};

/// A folder a network, in it a folder a run (metrics and configuration), in the order of their names.
const FOLDER: &str = "quality/learning";

/// Draws docs/learning.svg with its data; whether there was anything to draw.
pub fn draw(kept: &Kept) -> Result<bool, String> {
    let mut chains = Vec::new();
    for network in folders(Path::new(FOLDER)) {
        let name = network.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let card = kept.networks.iter().find(|known| known.name == name).map(|known| &known.card);
        let spent = |key: &str| card.and_then(|card| card[key].as_f64()).unwrap_or(0.0);
        let spent = (spent("instances"), 3600.0 * spent("cpu_hours"));
        chains.push(Curve::chain(name, &folders(&network), spent)?);
    }
    if chains.is_empty() {
        return Ok(false);
    }
    curves::draw("docs/learning", &chains, &BY_HOURS)?;
    Ok(true)
}

/// The folders of a folder, by their names.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}
