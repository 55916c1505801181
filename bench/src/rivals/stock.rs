//! What instances are drawn from.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use radar_format::{Given, read};
use radar_kernel::random::Stream;
use radar_problem::{Kind, Problem};
use radar_sample::feature::{CapacityLaw, Recipe};
use radar_sample::{Atlas, Distribution, Pick, Roads, Source, Wanted};

use super::cell::{Cell, Place};

/// The seed of all instances.
const SEED: u64 = 2026;

/// A road matrix with fewer points is no window to draw from.
const WINDOW: usize = 500;

/// Windows of roads, and files.
#[derive(Default)]
pub struct Stock {
    windows: Vec<Arc<Atlas>>,
    files: Vec<Problem>,
}

impl Stock {
    /// Reads the folders given.
    pub fn open(roads: Option<&Path>, tsplib: Option<&Path>) -> Result<Self, String> {
        let mut stock = Self::default();
        if let Some(folder) = roads {
            let windows: Vec<Roads> = listed(folder, "npz")?
                .iter()
                .map(|path| window(path))
                .filter(|roads| roads.as_ref().map_or(true, |roads| roads.nodes() >= WINDOW))
                .collect::<Result<_, String>>()?;
            if windows.is_empty() {
                return Err(format!("{}: no npz file of at least {WINDOW} points", folder.display()));
            }
            // Files of one city follow each other by name; a seeded order spreads the first few.
            let order = Stream::new(SEED, "windows", 0).sample(windows.len(), windows.len());
            stock.windows = order.into_iter().map(|at| Arc::new(Atlas::from(windows[at].clone()))).collect();
        }
        if let Some(folder) = tsplib {
            stock.files =
                listed(folder, "atsp")?.iter().map(|path| file(path)).collect::<Result<_, String>>()?;
            // The largest first: they are the ones that tell solvers apart.
            stock.files.sort_by_key(|problem| std::cmp::Reverse(problem.nodes()));
        }
        Ok(stock)
    }

    /// Whether there is anything to draw the cell from.
    pub fn has(&self, cell: &Cell) -> bool {
        match cell.place {
            Place::Tmat => true,
            Place::Roads => !self.windows.is_empty(),
            Place::Tsplib => !self.files.is_empty(),
        }
    }

    /// The first `count` instances of a cell, or as many as there are.
    pub fn draw(&self, cell: &Cell, count: usize) -> Result<Vec<Problem>, String> {
        if cell.place == Place::Tsplib {
            return Ok(self.files.iter().take(count).cloned().collect());
        }
        (0..count).map(|index| self.instance(cell, index)).collect()
    }

    fn instance(&self, cell: &Cell, index: usize) -> Result<Problem, String> {
        let source = match self.windows.get(index % self.windows.len().max(1)) {
            Some(window) if cell.place == Place::Roads => Source::Roads(Arc::clone(window), Pick::Uniform),
            _ => Source::Tmat,
        };
        let recipe = Recipe { capacity: CapacityLaw::Acvrp, preset: cell.preset, ..Recipe::default() };
        let distribution =
            Distribution::new(cell.to_string(), source, cell.stops, Wanted::One(cell.variant), recipe);
        let distribution = distribution.map_err(|error| format!("{cell}: {error}"))?;
        let mut problem = distribution.sample(SEED, index as u64).problem;
        problem.name = Some(format!("{cell} {index}"));
        Ok(problem)
    }
}

/// The files of a folder with this ending, by name.
fn listed(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, String> {
    let broken = |error: std::io::Error| format!("{}: {error}", folder.display());
    let entries = std::fs::read_dir(folder).map_err(broken)?;
    let mut files: Vec<PathBuf> =
        entries.map(|entry| Ok(entry.map_err(broken)?.path())).collect::<Result<_, String>>()?;
    files.retain(|path| path.extension().is_some_and(|found| found == ending));
    files.sort();
    Ok(files)
}

/// A problem file of one problem.
fn file(path: &Path) -> Result<Problem, String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let given = Given { kind: Some(Kind::Atsp), ..Given::default() };
    let loaded = read(Some(&name), &bytes, &given).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut problem = loaded.problems.into_iter().next().ok_or(format!("{}: no problem", path.display()))?;
    problem.name = Some(path.file_stem().unwrap_or_default().to_string_lossy().into_owned());
    Ok(problem)
}

/// A road matrix, its durations as the single matrix.
pub(crate) fn window(path: &Path) -> Result<Roads, String> {
    let problem = file(path)?;
    let durations = problem.duration.ok_or(format!("{}: no durations", path.display()))?;
    Roads::new(durations, None, None, f64::INFINITY).map_err(|error| format!("{}: {error}", path.display()))
}
