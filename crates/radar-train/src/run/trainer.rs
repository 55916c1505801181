//! The loop of a run, on rank 0: what is written, validated and told, and when it ends.

use std::time::Duration;

use radar_net::network::Use;
use radar_net::{Checkpoint, Network, Precision};
use serde::{Deserialize, Serialize};

use super::card::card;
use super::learner::{Learner, Stride};
use super::{Ending, Event, Outside, Progress, Score, Summary, stateless};
use crate::config::{Config, LossKind, Spent};
use crate::curve;
use crate::data::Source;
use crate::error::TrainError;
use crate::folder::Folder;
use crate::forecast::Room;
use crate::metrics::{self, Examined, Journal, Line};
use crate::ranks::{self, Ranks};
use crate::state::Status;
use crate::validation::Examination;

/// What all ranks do next.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) enum Order {
    /// A step, when this share of the budget is spent.
    Step(f64),
    /// Nothing more.
    End(Ending),
}

impl Order {
    /// Gives an order on rank 0.
    fn tell(ranks: &dyn Ranks, order: Result<Self, TrainError>) -> Result<Self, TrainError> {
        ranks::read(&ranks::tell(ranks, order.and_then(|order| ranks::write(&order)))?)
    }

    /// Takes an order on any other rank.
    pub fn hear(ranks: &dyn Ranks) -> Result<Self, TrainError> {
        ranks::read(&ranks::hear(ranks)?)
    }
}

/// A run under way, as rank 0 has it.
pub(super) struct Trainer<'a> {
    pub learner: Learner,
    folder: Folder,
    outside: &'a Outside<'a>,
    journal: Journal,
    /// What the validation set comes from, until it is prepared.
    set: Option<Source>,
    examination: Option<Examination>,
    /// What the run had used when this session began.
    before: Spent,
    /// What the clock said, wall and CPU time, when everything was prepared: a budget is for training.
    prepared: [Duration; 2],
    /// The step after which it was saved last.
    saved: Option<u64>,
    /// Whether a rank was stopped in the middle of a step.
    stopped: bool,
}

impl<'a> Trainer<'a> {
    /// A run before its first step.
    pub fn new(
        learner: Learner,
        folder: Folder,
        room: &Room,
        outside: &'a Outside<'a>,
    ) -> Result<Self, TrainError> {
        let set = learner.examined(room)?;
        let journal = Journal::open(&folder.place(Folder::METRICS), u64::MAX)?;
        learner.notes().iter().for_each(|note| (outside.hear)(&Event::Note(note.clone())));
        let (before, prepared) = (Spent::default(), [Duration::ZERO; 2]);
        let (examination, saved, stopped) = (None, None, false);
        Ok(Self { learner, folder, outside, journal, set, examination, before, prepared, saved, stopped })
    }

    /// Goes back to the saved state.
    pub fn restore(&mut self) -> Result<(), TrainError> {
        if !self.folder.has(Folder::STATE) {
            return Err(stateless(self.folder.path()));
        }
        let learner = &mut self.learner;
        learner.restore(&self.folder.get(Folder::STATE)?)?;
        let (before, isa) = (&learner.status.isa, learner.network.isa().to_string());
        if *before != isa {
            let text =
                format!("the run so far was computed on {before}, from here on {isa}: digits may differ");
            (self.outside.hear)(&Event::Note(text));
            learner.status.isa = isa;
        }
        self.journal = Journal::open(&self.folder.place(Folder::METRICS), learner.status.journal)?;
        let note = |text: &str| (self.outside.hear)(&Event::Note(text.to_owned()));
        if self.journal.is_short() {
            note("lines of metrics.jsonl are gone: it goes on after the last whole one");
        }
        if learner.status.best.is_some() && Checkpoint::read(&self.folder.place(Folder::BEST)).is_err() {
            let what = if self.folder.has(Folder::BEST) { "damaged" } else { "gone" };
            note(&format!(
                "best.safetensors is {what}: it comes back when a validation is better than the best so far"
            ));
        }
        self.before = learner.status.spent;
        note(&format!("the run goes on after step {}", self.before.steps));
        self.saved = Some(self.before.steps);
        if let Some((limit, more)) = learner.config.budget.ended_by(&self.before) {
            note(&format!(
                "the budget of the run is spent ({limit}); for more of it: --resume --budget {more}"
            ));
        }
        Ok(())
    }

    /// Writes the configuration.
    pub fn save_config(&self) -> Result<(), TrainError> {
        self.folder.put(Folder::CONFIG, self.learner.config.to_toml()?.as_bytes())
    }

    /// Trains until the budget is spent or somebody stops it; `ready` writes what must be there before.
    pub fn run(
        mut self,
        ready: impl FnOnce(&mut Self) -> Result<(), TrainError>,
    ) -> Result<Summary, TrainError> {
        let mut order = ready(&mut self).and_then(|()| self.prepare()).and_then(|()| self.decide());
        loop {
            // Whatever has failed between two steps, all ranks hear of it before they would wait for the next.
            match Order::tell(self.outside.ranks, order)? {
                Order::End(ending) => return Ok(self.summary(ending)),
                Order::Step(share) => {
                    match self.learner.step(share, self.outside)? {
                        Some(stride) => self.tell(&stride),
                        None => self.stopped = true,
                    }
                    order = self.decide();
                }
            }
        }
    }

    fn prepare(&mut self) -> Result<(), TrainError> {
        let Learner { config, status, .. } = &mut self.learner;
        if let Some(set) = self.set.take() {
            self.examination = Examination::prepare(config, &set, &self.folder, status, self.outside)?;
        }
        if let Some(examination) = &self.examination {
            status.validation_roads = Some(examination.roads().clone());
        }
        self.prepared = [self.outside.clock.wall(), self.outside.clock.cpu()];
        Ok(())
    }

    /// Does what is due where the run stands, and says what comes next. A session that goes on from here does what
    /// the one before was stopped over, and nothing twice.
    fn decide(&mut self) -> Result<Order, TrainError> {
        self.look_at_the_clock();
        let Learner { config: Config { budget, log_every, save_every, .. }, status, .. } = &self.learner;
        let (share, step) = (budget.share(&status.spent), status.spent.steps);
        let (is_over, is_saved) =
            (share >= 1.0, self.saved == Some(step) || !step.is_multiple_of(*save_every));
        if is_over || step.is_multiple_of(*log_every) {
            self.log()?;
        }
        self.examine(is_over)?;
        let is_stopped = self.stopped || (self.outside.stop)();
        if is_stopped || is_over || !is_saved {
            self.save()?;
        }
        Ok(match (is_stopped, is_over) {
            (true, _) => Order::End(Ending::Stopped),
            (false, true) => Order::End(Ending::Done),
            (false, false) => Order::Step(share),
        })
    }

    fn summary(&self, ending: Ending) -> Summary {
        let Status { spent, best, best_step, score, .. } = self.learner.status;
        let references = self.examination.as_ref().map(Examination::references).unwrap_or_default();
        Summary { ending, spent, best, best_step, references, score: self.score(score) }
    }

    /// A score by its name.
    fn score(&self, cost: Option<f64>) -> Option<Score> {
        cost.map(|cost| Score { name: self.learner.config.loss.kind.score(), cost })
    }

    fn look_at_the_clock(&mut self) {
        let (clock, learner, [wall, cpu]) = (self.outside.clock, &mut self.learner, self.prepared);
        learner.status.spent.time = self.before.time + clock.wall().saturating_sub(wall);
        learner.status.spent.cpu = self.before.cpu + clock.cpu().saturating_sub(cpu) + learner.elsewhere;
    }

    fn tell(&mut self, stride: &Stride) {
        self.look_at_the_clock();
        let Stride { score, loss, rate } = *stride;
        let (config, status, before) = (&self.learner.config, &self.learner.status, self.before);
        let spent = status.spent;
        let seconds = (spent.time - before.time).as_secs_f64();
        let per_second = (spent.instances - before.instances) as f64 / seconds.max(1e-9);
        let share = config.budget.share(&spent);
        let pace = (share - config.budget.share(&before)) / seconds.max(1e-9);
        let left = (pace > 0.0).then(|| ((1.0 - share).max(0.0) / pace).min(1e9));
        let left = left.map(Duration::from_secs_f64);
        let mark = status.examined.map(|(_, mark)| mark);
        let score = self.score(score);
        (self.outside.hear)(&Event::Step(Progress {
            spent,
            share,
            left,
            per_second,
            score,
            loss,
            rate,
            mark,
        }));
    }

    /// Writes the line of the steps since the last one.
    fn log(&mut self) -> Result<(), TrainError> {
        let Learner { config, status, .. } = &mut self.learner;
        // A few steps at the end say less than the many before them.
        let is_short = 2 * status.pending.steps() < config.log_every;
        let Some(line) = status.pending.line(&status.spent) else { return Ok(()) };
        status.score = status.score.filter(|_| is_short).or(line.score);
        self.journal.write(&Line::Train(line))
    }

    /// Validates if it is time and has not been done yet, also by a session that was stopped over it.
    fn examine(&mut self, is_last: bool) -> Result<(), TrainError> {
        let Some(examination) = &self.examination else { return Ok(()) };
        let Learner { config, network, status, .. } = &self.learner;
        let (step, stop) = (status.spent.steps, self.outside.stop);
        let is_time = is_last || step.is_multiple_of(config.validation.every);
        if status.examined.is_some_and(|(done, _)| done == step || !is_time) {
            return Ok(());
        }
        let mark = match self.learner.averages() {
            false => examination.mark(network, stop),
            true => {
                let kept = Network::new(self.learner.kept(), network.isa(), Use::Inference);
                examination.mark(&kept, stop)
            }
        };
        let mark = mark.map_err(|error| match error.code {
            "diverged" => TrainError { cause: format!("after step {step} {}", error.cause), ..error },
            _ => error,
        })?;
        let Some(mark) = mark else { return Ok(()) };
        self.look_at_the_clock();
        let status = &mut self.learner.status;
        let Spent { steps, instances, time, cpu } = status.spent;
        status.examined = Some((steps, mark));
        let (seconds, cpu_seconds) = (time.as_secs_f64(), cpu.as_secs_f64());
        self.journal.write(&Line::Validation(Examined {
            step: steps,
            instances,
            mark,
            seconds,
            cpu_seconds,
        }))?;
        if status.best.is_none_or(|best| mark.beats(&best)) {
            (status.best, status.best_step) = (Some(mark), steps);
            self.put_weights(Folder::BEST)?;
        }
        (self.outside.hear)(&Event::Validated(mark));
        Ok(())
    }

    fn put_weights(&self, name: &str) -> Result<(), TrainError> {
        let learner = &self.learner;
        let checkpoint = Checkpoint { card: card(&learner.config, &learner.status), weights: learner.kept() };
        self.folder.put(name, &checkpoint.to_bytes(Precision::Full)?)
    }

    /// Saves everything. The state comes first, so that no weights are ever there without one; what a kill leaves
    /// undone behind it, resuming does.
    pub fn save(&mut self) -> Result<(), TrainError> {
        if self.learner.status.spent.steps > 0 {
            self.learner.refuse_overflow()?;
        }
        self.learner.status.journal = self.journal.sync()?;
        self.folder.put(Folder::STATE, &self.learner.state()?)?;
        self.saved = Some(self.learner.status.spent.steps);
        self.put_weights(Folder::LAST)?;
        let journal = self.folder.get(Folder::METRICS)?;
        let lines = metrics::read(&String::from_utf8_lossy(&journal));
        let Config { name, loss, .. } = &self.learner.config;
        let judged: curve::Judged = match loss.kind {
            // What imitated plans cost says nothing of the network.
            LossKind::Imitation => ("imitation loss", |train| Some(train.loss)),
            kind => (kind.score(), |train| train.score),
        };
        self.folder.put(Folder::CURVE, curve::draw(name, judged, &lines).as_bytes())?;
        (self.outside.hear)(&Event::Saved(self.learner.status.spent));
        Ok(())
    }
}
