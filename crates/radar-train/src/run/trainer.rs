//! The loop of a run, on rank 0: what is written, validated and told, and when it ends.

use std::time::Duration;

use radar_net::network::Use;
use radar_net::{Checkpoint, Network, Precision};
use serde::{Deserialize, Serialize};

use super::card::card;
use super::learner::{Learner, Stride};
use super::{Ending, Event, Outside, Progress, Summary};
use crate::config::Spent;
use crate::curve;
use crate::error::TrainError;
use crate::folder::Folder;
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
    examination: Option<Examination>,
    /// What the run had used when this session began.
    before: Spent,
    /// Whether a rank was stopped in the middle of a step.
    stopped: bool,
}

impl<'a> Trainer<'a> {
    /// A run before its first step.
    pub fn new(learner: Learner, folder: Folder, outside: &'a Outside<'a>) -> Result<Self, TrainError> {
        let journal = Journal::open(&folder.place(Folder::METRICS), u64::MAX)?;
        let before = Spent::default();
        Ok(Self { learner, folder, outside, journal, examination: None, before, stopped: false })
    }

    /// Goes back to the saved state.
    pub fn restore(&mut self) -> Result<(), TrainError> {
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
        if learner.status.best.is_some() && !self.folder.has(Folder::BEST) {
            note("best.safetensors is gone: it comes back when a validation is better than the best so far");
        }
        self.before = learner.status.spent;
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
                    let stride = self.learner.step(share, self.outside)?;
                    order = self.take(stride).and_then(|()| self.decide());
                }
            }
        }
    }

    fn prepare(&mut self) -> Result<(), TrainError> {
        let (config, Outside { stop, hear, .. }) = (&self.learner.config, self.outside);
        hear(&Event::Preparing(config.validation.count));
        self.examination = Examination::prepare(config, &self.folder, stop, &|| hear(&Event::Prepared))?;
        Ok(())
    }

    /// What comes next.
    fn decide(&mut self) -> Result<Order, TrainError> {
        self.look_at_the_clock();
        if self.stopped || (self.outside.stop)() {
            self.save()?;
            return Ok(Order::End(Ending::Stopped));
        }
        if self.learner.status.examined.is_none() {
            self.examine()?;
        }
        let share = self.learner.config.budget.share(&self.learner.status.spent);
        if share >= 1.0 {
            self.finish()?;
            return Ok(Order::End(Ending::Done));
        }
        Ok(Order::Step(share))
    }

    /// Does what is due after a step.
    fn take(&mut self, stride: Option<Stride>) -> Result<(), TrainError> {
        let Some(stride) = stride else {
            self.stopped = true;
            return Ok(());
        };
        self.tell(&stride);
        let step = self.learner.status.spent.steps;
        let config = &self.learner.config;
        let (validate, save) = (config.validation.every, config.save_every);
        if step.is_multiple_of(config.log_every) {
            self.log()?;
        }
        if step.is_multiple_of(validate) {
            self.examine()?;
        }
        if step.is_multiple_of(save) {
            self.save()?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), TrainError> {
        self.log()?;
        let Status { examined, spent, .. } = &self.learner.status;
        if examined.is_none_or(|(step, _)| step != spent.steps) {
            self.examine()?;
        }
        self.save()
    }

    fn summary(&self, ending: Ending) -> Summary {
        let Status { spent, best, score, .. } = self.learner.status;
        Summary { ending, spent, best, score }
    }

    fn look_at_the_clock(&mut self) {
        let (clock, learner) = (self.outside.clock, &mut self.learner);
        learner.status.spent.time = self.before.time + clock.wall();
        learner.status.spent.cpu = self.before.cpu + clock.cpu() + learner.elsewhere;
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
        let status = &mut self.learner.status;
        let Some(line) = status.pending.line(&status.spent) else { return Ok(()) };
        status.score = Some(line.score);
        self.journal.write(&Line::Train(line))
    }

    fn examine(&mut self) -> Result<(), TrainError> {
        let Some(examination) = &self.examination else { return Ok(()) };
        let learner = &self.learner;
        let mark = match learner.averages() {
            false => examination.mark(&learner.network)?,
            true => examination.mark(&Network::new(learner.kept(), learner.network.isa(), Use::Inference))?,
        };
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
            status.best = Some(mark);
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

    /// Saves everything. The state comes last: whatever a kill leaves half done before it, the state of the
    /// interval before is whole, and resuming does the rest again.
    pub fn save(&mut self) -> Result<(), TrainError> {
        self.put_weights(Folder::LAST)?;
        self.learner.status.journal = self.journal.sync()?;
        self.folder.put(Folder::STATE, &self.learner.state()?)?;
        let journal = self.folder.get(Folder::METRICS)?;
        let lines = metrics::read(&String::from_utf8_lossy(&journal));
        self.folder.put(Folder::CURVE, curve::draw(&self.learner.config.name, &lines).as_bytes())?;
        (self.outside.hear)(&Event::Saved(self.learner.status.spent));
        Ok(())
    }
}
