//! A run: batch after batch, saved so that a kill at any moment loses at most the last interval, and resumed
//! so that nothing tells it from a run that was never interrupted.

mod card;
mod trainer;

use std::path::Path;
use std::time::Duration;

use radar_net::Checkpoint;

use crate::config::{Budget, Config, Spent};
use crate::error::TrainError;
use crate::folder::Folder;
use crate::validation::Mark;
use trainer::Trainer;

/// Tells the time since the session began. Nothing in this crate reads a clock of its own.
pub trait Clock: Sync {
    /// Wall time.
    fn wall(&self) -> Duration;
    /// CPU time of all threads.
    fn cpu(&self) -> Duration;
}

/// What a run is given from outside.
pub struct Outside<'a> {
    /// The time.
    pub clock: &'a dyn Clock,
    /// Asked before each step; once true, the run is saved and ends.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Hears of everything that happens.
    pub hear: &'a (dyn Fn(&Event) + Sync),
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// References of the validation set are being searched for: how many are wanted. One `Prepared` follows
    /// for each.
    Preparing(usize),
    /// One more reference.
    Prepared,
    /// A step was taken.
    Step(Progress),
    /// The network was validated.
    Validated(Mark),
    /// The run was saved.
    Saved(Spent),
    /// Something worth knowing.
    Note(String),
}

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// What it has used.
    pub spent: Spent,
    /// The share of the budget that is spent; 0 for a run without end.
    pub share: f64,
    /// About how long it will take, if it has an end.
    pub left: Option<Duration>,
    /// Instances per second of this session.
    pub per_second: f64,
    /// The mean best cost over starts of the last batch, in stated units.
    pub score: f64,
    /// The mean loss of the last batch.
    pub loss: f64,
    /// The rate.
    pub rate: f64,
    /// The last validation.
    pub mark: Option<Mark>,
}

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The budget is spent.
    Done,
    /// It was stopped, and can be resumed.
    Stopped,
}

/// What came of a session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Why it ended.
    pub ending: Ending,
    /// What the run has used in all.
    pub spent: Spent,
    /// The best validation.
    pub best: Option<Mark>,
    /// The mean best cost over starts of the last steps.
    pub score: Option<f64>,
}

/// Starts a run in a folder that has none. With `init` the first weights are those of a checkpoint, and so is
/// the network; the optimiser starts afresh and warms up.
pub fn start(
    config: Config,
    path: &Path,
    init: Option<&Checkpoint>,
    outside: &Outside<'_>,
) -> Result<Summary, TrainError> {
    let mut config = config;
    if let Some(init) = init {
        config.model = init.card.config.clone();
        if config.schedule.warmup == 0 {
            config.schedule.warmup = WARM_UP;
        }
    }
    config.validate()?;
    let folder = Folder::open(path)?;
    if folder.has(Folder::STATE) {
        return Err(TrainError::new(
            "run-exists",
            format!("there is a run in {}", path.display()),
            "go on with it (--resume), or give another folder",
        ));
    }
    let mut trainer = Trainer::new(config, folder, outside)?;
    if let Some(init) = init {
        trainer.begin_from(init);
    }
    trainer.save_config()?;
    trainer.save()?;
    trainer.run()
}

/// Steps of warm-up of an optimiser that starts afresh on weights that are not fresh.
const WARM_UP: u64 = 100;

/// Goes on with the run in a folder, perhaps with another budget.
pub fn resume(path: &Path, budget: Option<Budget>, outside: &Outside<'_>) -> Result<Summary, TrainError> {
    let mut config = configuration(path)?;
    let grown = budget.filter(|&budget| budget != config.budget);
    config.budget = grown.unwrap_or(config.budget);
    config.validate()?;
    let mut trainer = Trainer::new(config, Folder::open(path)?, outside)?;
    trainer.restore()?;
    if grown.is_some() {
        trainer.save_config()?;
    }
    trainer.run()
}

/// The configuration of the run in a folder.
pub fn configuration(path: &Path) -> Result<Config, TrainError> {
    let file = path.join(Folder::CONFIG);
    let missing = |error: std::io::Error| {
        TrainError::new(
            "no-run",
            format!("{}: {error}", file.display()),
            "give the folder of a run, or start one",
        )
    };
    Config::from_toml(&std::fs::read_to_string(&file).map_err(missing)?, &[])
}
