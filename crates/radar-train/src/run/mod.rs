//! A run: batch after batch, saved so that a kill at any moment loses at most the last interval, and resumed
//! so that nothing tells it from a run that was never interrupted.

mod card;
mod learner;
mod together;
mod trainer;

use std::path::Path;
use std::time::Duration;

use radar_net::Checkpoint;
use serde::{Deserialize, Serialize};

use crate::config::{Budget, Config, Spent};
use crate::error::TrainError;
use crate::folder::Folder;
use crate::forecast::Room;
use crate::ranks::{self, Ranks};
use crate::state::{self, Status};
use crate::validation::Mark;
use learner::Learner;
use trainer::{Order, Trainer};

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
    /// Bytes that may be used; without it, whatever is asked for.
    pub memory: Option<u64>,
    /// The other processes of the run.
    pub ranks: &'a dyn Ranks,
    /// Asked before each step and all along it. Once true it stays true: the batch under way is dropped, the
    /// run is saved and ends. It is heard on any rank.
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
    /// The score of the last batch, where any plan was complete.
    pub score: Option<Score>,
    /// The mean loss of the last batch.
    pub loss: f64,
    /// The rate.
    pub rate: f64,
    /// The last validation.
    pub mark: Option<Mark>,
}

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The step after which it was.
    pub best_step: u64,
    /// How many references its gap is against, and how many of them are proved to be optimal.
    pub references: (usize, usize),
    /// The score of the last steps, where any plan was complete.
    pub score: Option<Score>,
}

/// A mean cost of plans in training, in stated units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// What it is, in words.
    pub name: &'static str,
    /// The mean.
    pub cost: f64,
}

/// Starts a run in a folder that has none. With `init` the first weights are those of a checkpoint, and so is
/// the network, but for its clip; the optimiser starts afresh and warms up, and instances go on where those of the
/// weights ended.
///
/// This and [`resume`] are for rank 0; all others [`follow`].
pub fn start(
    config: Config,
    path: &Path,
    init: Option<&Checkpoint>,
    outside: &Outside<'_>,
) -> Result<Summary, TrainError> {
    let mut config = config;
    if let Some(init) = init {
        config.model = radar_net::Config { clip: config.model.clip, ..init.card.config.clone() };
    }
    config.schedule.warmup.get_or_insert(if init.is_some() { WARM_UP } else { 0 });
    let open = || {
        config.validate()?;
        refuse_own_folder(&config, path)?;
        let room = Room::of(&config, outside.memory)?;
        let folder = Folder::open(path)?;
        refuse_run(&folder, path)?;
        refuse_other_config(&folder, &config)?;
        Ok(Opened { config, room, folder })
    };
    let begin = |trainer: &mut Trainer<'_>| {
        let Some(init) = init else { return Ok(()) };
        trainer.learner.begin_from(init);
        trainer.learner.refuse_overflow().map_err(|error| match error.code {
            "diverged" => {
                let cause = format!("the weights `{}` that it would begin with overflow", init.card.name);
                TrainError { cause, action: "give other weights (--init)".to_owned(), ..error }
            }
            _ => error,
        })
    };
    lead(open(), begin, outside)?.run(|trainer| {
        trainer.save_config()?;
        trainer.save()
    })
}

/// Steps of warm-up, unless configured, of an optimiser that starts afresh on weights that are not fresh.
const WARM_UP: u64 = 100;

/// Refuses a folder in which a run has left something that another one would write over.
fn refuse_run(folder: &Folder, path: &Path) -> Result<(), TrainError> {
    let refusal = |what: &str, action| {
        Err(TrainError::new("run-exists", format!("there is {what} in {}", path.display()), action))
    };
    if folder.has(Folder::STATE) {
        return refusal("a run", "go on with it (--resume), or give another folder");
    }
    if let Some(name) =
        [Folder::LAST, Folder::BEST, Folder::METRICS].into_iter().find(|name| folder.holds(name))
    {
        return refusal(
            &format!("{name} of a run without its state"),
            "give another folder (and --init RUN/last.safetensors to begin with its weights), or move its files away",
        );
    }
    let [npz, jsonl] = Folder::VALIDATION;
    match [npz, jsonl, Folder::REFERENCES, Folder::CURVE].into_iter().find(|name| folder.holds(name)) {
        Some(name) => refusal(
            &format!("{name}, which the run would write over,"),
            "give another folder, or move the file away",
        ),
        None => Ok(()),
    }
}

/// Refuses matrices that lie in the run's folder: what it writes there would be taken for more of them.
fn refuse_own_folder(config: &Config, path: &Path) -> Result<(), TrainError> {
    let whole = |path: &Path| std::fs::canonicalize(path).ok();
    let own = whole(path);
    let roads = config.data.roads.iter().chain(&config.validation.roads);
    match roads.into_iter().find(|roads| own.is_some() && whole(Path::new(roads)) == own) {
        Some(roads) => Err(TrainError::config(
            format!("the road matrices are in {roads}, which is the run's own folder"),
            "give another folder to the run (--out)",
        )),
        None => Ok(()),
    }
}

/// Refuses to write over a configuration that is not what this run would write: somebody's own, most likely.
fn refuse_other_config(folder: &Folder, config: &Config) -> Result<(), TrainError> {
    if !folder.has(Folder::CONFIG) || folder.get(Folder::CONFIG)? == config.to_toml()?.as_bytes() {
        return Ok(());
    }
    let cause =
        format!("{} is there, and the run would write over it", folder.place(Folder::CONFIG).display());
    Err(TrainError::new("run-exists", cause, "give another folder, or move the file away"))
}

/// Goes on with the run in a folder, perhaps with another budget. One that the run is beyond already is refused, and
/// nothing changes.
pub fn resume(path: &Path, budget: Option<Budget>, outside: &Outside<'_>) -> Result<Summary, TrainError> {
    let open = || {
        let mut config = configuration(path)?;
        let folder = Folder::open(path)?;
        if let Some(budget) = budget.filter(|budget| *budget != config.budget) {
            budget.refuse_spent(&status(path)?.spent, &config.budget)?;
            config.budget = budget;
        }
        config.validate()?;
        let room = Room::of(&config, outside.memory)?;
        Ok(Opened { config, room, folder })
    };
    let is_there = path.join(Folder::CONFIG).is_file();
    lead(open(), Trainer::restore, outside)?.run(|trainer| match budget.is_some() || !is_there {
        true => trainer.save_config(),
        false => Ok(()),
    })
}

/// Where the run in a folder stands, as it was saved last.
pub fn status(path: &Path) -> Result<Status, TrainError> {
    let file = path.join(Folder::STATE);
    if !file.is_file() {
        return Err(stateless(path));
    }
    state::status(&std::fs::read(&file).map_err(|error| TrainError::unreadable(&file, error))?)
}

/// The refusal of a folder that has a configuration only, or what a run has left without its state.
fn stateless(path: &Path) -> TrainError {
    let cause = format!("{} is not there", path.join(Folder::STATE).display());
    let action = match path.join(Folder::LAST).is_file() {
        true => "go on from the weights alone: --init RUN/last.safetensors with another --out",
        false => "start the run again, without --resume",
    };
    TrainError::new("no-state", cause, action)
}

/// What a run is opened with, on rank 0.
struct Opened {
    config: Config,
    room: Room,
    folder: Folder,
}

/// Brings all ranks to where a run begins or goes on: they get the configuration, then the state.
fn lead<'a>(
    opened: Result<Opened, TrainError>,
    begin: impl FnOnce(&mut Trainer<'a>) -> Result<(), TrainError>,
    outside: &'a Outside<'a>,
) -> Result<Trainer<'a>, TrainError> {
    let ranks = outside.ranks;
    let text = opened.as_ref().map_err(Clone::clone).and_then(|opened| opened.config.to_toml());
    ranks::tell(ranks, text.map(String::into_bytes))?;
    let Opened { config, room, folder } = opened?;
    let isa = together::instructions(ranks, Ok(config.compute.isa()))?;
    let learner = Learner::new(config, isa, &room);
    let trainer = learner.and_then(|learner| Trainer::new(learner, folder, &room, outside));
    let mut trainer = ranks::agree(ranks, trainer)?;
    let begun = begin(&mut trainer);
    if ranks.size() == 1 {
        return begun.map(|()| trainer);
    }
    ranks::tell(ranks, begun.and_then(|()| trainer.learner.state()))?;
    ranks::agree(ranks, Ok(trainer))
}

/// Learns with rank 0 until that says that it is over. Nothing is read but the data, and nothing is written.
pub fn follow(outside: &Outside<'_>) -> Result<Ending, TrainError> {
    let ranks = outside.ranks;
    let text = ranks::hear(ranks)?;
    let config = Config::from_toml(&String::from_utf8_lossy(&text), &[]);
    let config = config.and_then(|config| Ok((Room::of(&config, outside.memory)?, config)));
    let isa = config.as_ref().map(|(_, config)| config.compute.isa()).map_err(Clone::clone);
    let isa = together::instructions(ranks, isa)?;
    let learner = config.and_then(|(room, config)| Learner::new(config, isa, &room));
    let mut learner = ranks::agree(ranks, learner)?;
    let state = ranks::hear(ranks)?;
    ranks::agree(ranks, learner.restore(&state))?;
    loop {
        match Order::hear(ranks)? {
            Order::End(ending) => return Ok(ending),
            // What it was like is rank 0's to tell.
            Order::Step(share) => _ = learner.step(share, outside)?,
        }
    }
}

/// The configuration of the run in a folder.
pub fn configuration(path: &Path) -> Result<Config, TrainError> {
    let file = path.join(Folder::CONFIG);
    if !file.exists() && path.join(Folder::STATE).is_file() {
        // The state has it, too.
        if let Some(text) = status(path)?.config {
            return Config::from_toml(&text, &[]);
        }
    }
    let missing = |error: std::io::Error| {
        TrainError::new(
            "no-run",
            format!("{}: {error}", file.display()),
            "give the folder of a run, or start one",
        )
    };
    let text = String::from_utf8(std::fs::read(&file).map_err(missing)?).map_err(|_| {
        let cause = format!("{} is no text", file.display());
        TrainError::new(
            "config",
            cause,
            "put the run's configuration back, or remove it: the state has it, too",
        )
    })?;
    let config = Config::from_toml(&text, &[]);
    config.map_err(|error| TrainError { cause: format!("{}: {}", file.display(), error.cause), ..error })
}
