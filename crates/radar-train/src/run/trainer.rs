//! The loop of a run.

use std::time::Duration;

use radar_net::network::Use;
use radar_net::{Checkpoint, Network, Precision, Weights};

use super::card::card;
use super::{Ending, Event, Outside, Progress, Summary};
use crate::config::{Config, Spent};
use crate::curriculum;
use crate::curve;
use crate::data::Source;
use crate::error::TrainError;
use crate::folder::Folder;
use crate::label;
use crate::lesson::{Item, Lesson, Method, Moment, teach};
use crate::metrics::{self, Examined, Journal, Line};
use crate::optimiser::{self, Average, Optimiser, Turn, clip};
use crate::seen::Seen;
use crate::state::{self, Status, Tensors};
use crate::validation::Examination;

/// A run under way.
pub(super) struct Trainer<'a> {
    config: Config,
    folder: Folder,
    outside: &'a Outside<'a>,
    source: Source,
    weights: Weights,
    network: Network,
    optimiser: Box<dyn Optimiser>,
    average: Option<Average>,
    status: Status,
    journal: Journal,
    /// What the run had used when this session began.
    before: Spent,
}

impl<'a> Trainer<'a> {
    /// A run before its first step.
    pub fn new(config: Config, folder: Folder, outside: &'a Outside<'a>) -> Result<Self, TrainError> {
        let isa = config.compute.isa();
        let weights = Weights::random(&config.model, config.seed);
        let source = Source::training(&config.data, config.seed)?;
        let network = Network::new(weights.clone(), isa, Use::Training);
        let optimiser = optimiser::build(&config.optimiser, weights.parameters(), isa);
        let average = config.ema.map(|decay| Average::new(decay, weights.values()));
        let journal = Journal::open(&folder.place(Folder::METRICS), u64::MAX)?;
        let status = Status { isa: network.isa().to_string(), ..Status::default() };
        let before = Spent::default();
        Ok(Self {
            config,
            folder,
            outside,
            source,
            weights,
            network,
            optimiser,
            average,
            status,
            journal,
            before,
        })
    }

    /// Begins at the weights of a checkpoint.
    pub fn begin_from(&mut self, init: &Checkpoint) {
        self.weights = init.weights.clone();
        self.network.refill(self.weights.values());
        self.average = self.config.ema.map(|decay| Average::new(decay, self.weights.values()));
        self.status.seen = init.card.trained.as_ref().map(Seen::of).unwrap_or_default();
        self.status.init = Some(format!("{} ({} instances)", init.card.name, init.card.instances));
    }

    /// Goes back to the saved state.
    pub fn restore(&mut self) -> Result<(), TrainError> {
        let bytes = self.folder.get(Folder::STATE)?;
        let isa = self.network.isa().to_string();
        self.status = state::read(&bytes, &mut self.tensors())?;
        if self.status.isa != isa {
            let before = &self.status.isa;
            let text =
                format!("the run so far was computed on {before}, from here on {isa}: digits may differ");
            (self.outside.hear)(&Event::Note(text));
            self.status.isa = isa;
        }
        self.network.refill(self.weights.values());
        self.journal = Journal::open(&self.folder.place(Folder::METRICS), self.status.journal)?;
        self.before = self.status.spent;
        Ok(())
    }

    fn tensors(&mut self) -> Tensors<'_> {
        Tensors {
            weights: self.weights.values_mut(),
            optimiser: &mut *self.optimiser,
            average: self.average.as_mut(),
        }
    }

    /// Writes the configuration.
    pub fn save_config(&self) -> Result<(), TrainError> {
        self.folder.put(Folder::CONFIG, self.config.to_toml()?.as_bytes())
    }

    /// Trains until the budget is spent or somebody stops it.
    pub fn run(mut self) -> Result<Summary, TrainError> {
        let Outside { stop, hear, .. } = *self.outside;
        hear(&Event::Preparing(self.config.validation.count));
        let examination = Examination::prepare(&self.config, &self.folder, stop, &|| hear(&Event::Prepared))?;
        let examination = examination.as_ref();
        loop {
            self.look_at_the_clock();
            if stop() {
                self.save()?;
                return Ok(self.summary(Ending::Stopped));
            }
            if self.status.examined.is_none() {
                self.examine(examination)?;
            }
            let share = self.config.budget.share(&self.status.spent);
            if share >= 1.0 {
                return self.finish(examination);
            }
            self.step(share)?;
            let step = self.status.spent.steps;
            if step.is_multiple_of(self.config.log_every) {
                self.log()?;
            }
            if step.is_multiple_of(self.config.validation.every) {
                self.examine(examination)?;
            }
            if step.is_multiple_of(self.config.save_every) {
                self.save()?;
            }
        }
    }

    fn finish(mut self, examination: Option<&Examination>) -> Result<Summary, TrainError> {
        self.log()?;
        if self.status.examined.is_none_or(|(step, _)| step != self.status.spent.steps) {
            self.examine(examination)?;
        }
        self.save()?;
        Ok(self.summary(Ending::Done))
    }

    fn summary(&self, ending: Ending) -> Summary {
        Summary { ending, spent: self.status.spent, best: self.status.best, score: self.status.score }
    }

    fn look_at_the_clock(&mut self) {
        self.status.spent.time = self.before.time + self.outside.clock.wall();
        self.status.spent.cpu = self.before.cpu + self.outside.clock.cpu();
    }

    /// Learns from one batch when this share of the budget is spent.
    fn step(&mut self, share: f64) -> Result<(), TrainError> {
        let spent = self.status.spent;
        let (items, drawn) = self.items()?;
        let config = &self.config;
        let method = Method { loss: config.loss.lesson(), starts: config.starts, chunk: config.chunk };
        let moment = Moment { seed: config.seed, step: spent.steps, first: 0, global: items.len() };
        let Lesson { mut gradient, tally, costs } = teach(&self.network, &items, &method, moment)?;
        if config.loss.normalise {
            let variants = items.iter().map(|item| item.instance.variant());
            self.status.normaliser.hear(variants.zip(costs));
        }
        let length = clip(&mut gradient, config.optimiser.clip);
        if !length.is_finite() {
            return Err(TrainError::new(
                "diverged",
                format!("the gradient of step {} is not finite", spent.steps + 1),
                "lower `optimiser.lr` or `optimiser.clip`, and go on from the last saved state",
            ));
        }
        let rate = config.optimiser.lr * config.schedule.factor_at(spent.steps, share);
        let turn = Turn { step: spent.steps + 1, rate };
        self.optimiser.step(self.weights.values_mut(), &gradient, turn);
        self.network.refill(self.weights.values());
        if let Some(average) = &mut self.average {
            average.take(self.weights.values(), turn.step);
        }
        self.status.spent.steps += 1;
        self.status.spent.instances += drawn;
        self.status.pending.take(&tally, length, rate);
        let mean = |sum: f64| sum / tally.instances.max(1) as f64;
        self.tell(mean(tally.best), mean(tally.loss), rate);
        Ok(())
    }

    /// The next batch, and how many instances were drawn for it.
    fn items(&mut self) -> Result<(Vec<Item>, u64), TrainError> {
        let (config, spent) = (&self.config, self.status.spent);
        let count = config.budget.next_batch(config.batch, &spent);
        let size = curriculum::size(&config.data.curriculum, config.seed, spent.steps, spent.instances);
        let instances = self.source.instances(size, spent.instances, count)?;
        self.status.seen.take(&instances);
        let scales = match config.loss.normalise {
            true => self.status.normaliser.scales(&instances),
            false => vec![1.0; instances.len()],
        };
        let labels = match config.loss.label_steps() {
            // Not stopped half-way: a batch without its labels would be another batch.
            Some(steps) => label::solve_all(&instances, steps, &|| false, &|| ()),
            None => vec![None; instances.len()],
        };
        let mut items: Vec<Item> = Vec::with_capacity(count);
        for ((instance, label), scale) in instances.into_iter().zip(labels).zip(scales) {
            items.push(Item { instance, label: label.map(|reference| reference.routes.into()), scale });
        }
        if config.loss.label_steps().is_some() {
            // There is nothing to imitate where search found no plan.
            items.retain(|item| item.label.is_some());
        }
        match items.is_empty() {
            false => Ok((items, count as u64)),
            true => Err(TrainError::new(
                "no-labels",
                "search found no plan for any instance of a batch",
                "give more `loss.search_steps`, or another distribution",
            )),
        }
    }

    fn tell(&mut self, score: f64, loss: f64, rate: f64) {
        self.look_at_the_clock();
        let (config, spent, before) = (&self.config, self.status.spent, self.before);
        let seconds = (spent.time - before.time).as_secs_f64();
        let per_second = (spent.instances - before.instances) as f64 / seconds.max(1e-9);
        let share = config.budget.share(&spent);
        let pace = (share - config.budget.share(&before)) / seconds.max(1e-9);
        let left = (pace > 0.0).then(|| ((1.0 - share).max(0.0) / pace).min(1e9));
        let left = left.map(Duration::from_secs_f64);
        let mark = self.status.examined.map(|(_, mark)| mark);
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
        let Some(line) = self.status.pending.line(&self.status.spent) else { return Ok(()) };
        self.status.score = Some(line.score);
        self.journal.write(&Line::Train(line))
    }

    /// The weights that are validated and kept.
    fn kept(&self) -> Weights {
        let mut weights = self.weights.clone();
        if let Some(average) = &self.average {
            weights.values_mut().copy_from_slice(average.values());
        }
        weights
    }

    fn examine(&mut self, examination: Option<&Examination>) -> Result<(), TrainError> {
        let Some(examination) = examination else { return Ok(()) };
        let mark = match &self.average {
            None => examination.mark(&self.network)?,
            Some(_) => examination.mark(&Network::new(self.kept(), self.network.isa(), Use::Inference))?,
        };
        self.look_at_the_clock();
        let Spent { steps, instances, time, cpu } = self.status.spent;
        self.status.examined = Some((steps, mark));
        let (seconds, cpu_seconds) = (time.as_secs_f64(), cpu.as_secs_f64());
        self.journal.write(&Line::Validation(Examined {
            step: steps,
            instances,
            mark,
            seconds,
            cpu_seconds,
        }))?;
        if self.status.best.is_none_or(|best| mark.beats(&best)) {
            self.status.best = Some(mark);
            self.put_weights(Folder::BEST)?;
        }
        (self.outside.hear)(&Event::Validated(mark));
        Ok(())
    }

    fn put_weights(&self, name: &str) -> Result<(), TrainError> {
        let checkpoint = Checkpoint { card: card(&self.config, &self.status), weights: self.kept() };
        self.folder.put(name, &checkpoint.to_bytes(Precision::Full)?)
    }

    /// Saves everything. The state comes last: whatever a kill leaves half done before it, the state of the
    /// interval before is whole, and resuming does the rest again.
    pub fn save(&mut self) -> Result<(), TrainError> {
        self.put_weights(Folder::LAST)?;
        self.status.journal = self.journal.sync()?;
        let status = self.status.clone();
        let bytes = state::write(&status, &self.tensors())?;
        self.folder.put(Folder::STATE, &bytes)?;
        let journal = self.folder.get(Folder::METRICS)?;
        let lines = metrics::read(&String::from_utf8_lossy(&journal));
        self.folder.put(Folder::CURVE, curve::draw(&self.config.name, &lines).as_bytes())?;
        (self.outside.hear)(&Event::Saved(self.status.spent));
        Ok(())
    }
}
