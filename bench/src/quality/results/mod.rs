//! `bench/run results`: docs/results.md and its picture, from what the other benches have kept. Nothing in it is typed by hand
//! but the paper's figures.

mod kept;
mod paper;
mod tables;

use std::path::{Path, PathBuf};

use crate::{Row, curves};
use kept::Kept;

/// Metrics and configurations of the runs that the shipped networks come from, a folder each.
const LEARNING: &str = "quality/learning";

pub fn run(arguments: &[String]) -> Result<Vec<Row>, String> {
    if !arguments.is_empty() {
        return Err("bench/run results takes no options".to_owned());
    }
    let kept = Kept::read()?;
    if kept.networks.is_empty() {
        return Err("no network has been measured: bench/run networks --model FILE".to_owned());
    }
    let runs = runs();
    if !runs.is_empty() {
        curves::draw("docs/learning", &runs)?;
    }
    let page = tables::page(&kept, !runs.is_empty());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/results.md");
    std::fs::write(&path, page).map_err(|error| format!("{}: {error}", path.display()))?;
    let row = |figures: kept::Figures<'_>| {
        Row::plain(format!("{}, {}: gap", figures.network, figures.set), 100.0 * figures.number("gap"), "%")
    };
    Ok(kept.figures().map(row).collect())
}

/// The runs that were kept, by their names.
fn runs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(LEARNING);
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut runs: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    runs.sort();
    runs
}
