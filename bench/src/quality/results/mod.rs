//! `bench/run results`: docs/results.md and its pictures, from what the other benches have kept. Nothing in it is typed by hand
//! but the paper's figures.

mod kept;
mod learning;
mod paper;
mod route;
mod tables;
mod worth;

use std::path::Path;

use crate::Row;
use kept::Kept;

pub fn run(arguments: &[String]) -> Result<Vec<Row>, String> {
    if !arguments.is_empty() {
        return Err("bench/run results takes no options".to_owned());
    }
    let kept = Kept::read()?;
    if kept.networks.is_empty() {
        return Err("no network has been measured: bench/run networks --model FILE".to_owned());
    }
    let has_curves = learning::draw(&kept)?;
    let route = route::draw()?;
    let page = tables::page(&kept, has_curves, &route);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/results.md");
    std::fs::write(&path, page).map_err(|error| format!("{}: {error}", path.display()))?;
    let row = |figures: &kept::Figures| {
        Row::plain(format!("{}, {}: gap", figures.network, figures.set), 100.0 * figures.gap().0, "%")
    };
    Ok(kept.figures().map(row).collect())
}
