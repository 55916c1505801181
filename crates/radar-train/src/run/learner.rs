//! What learns: the same on every rank, and changed by the same steps.

use std::time::Duration;

use radar_kernel::isa::Isa;
use radar_net::network::Use;
use radar_net::{Checkpoint, Decoding, Network, Weights};
use radar_problem::Instance;
use radar_rollout::Starts;

use super::{Outside, together};
use crate::amounts::counted;
use crate::config::Config;
use crate::curriculum;
use crate::data::Source;
use crate::error::TrainError;
use crate::forecast::Room;
use crate::lesson::{Item, Method, Moment};
use crate::optimiser::{self, Average, Optimiser, Turn, clip};
use crate::roads::refuse_change;
use crate::seen::Seen;
use crate::state::{self, Earlier, Status, Tensors};

/// Everything that a step changes, and what it needs for that.
pub(super) struct Learner {
    pub config: Config,
    pub network: Network,
    pub status: Status,
    /// On rank 0 the CPU time of all other ranks in this session.
    pub elsewhere: Duration,
    source: Source,
    weights: Weights,
    optimiser: Box<dyn Optimiser>,
    average: Option<Average>,
}

/// What a step was like.
pub(super) struct Stride {
    /// The mean over instances of the best cost over their starts, in stated units.
    pub score: Option<f64>,
    /// The mean loss.
    pub loss: f64,
    pub rate: f64,
}

/// The next batch.
struct Drawn {
    items: Vec<Item>,
    /// How many instances were drawn for it.
    count: u64,
    /// What the weights have been shown with it.
    seen: Seen,
}

impl Learner {
    /// One before its first step.
    pub fn new(config: Config, isa: Isa, room: &Room) -> Result<Self, TrainError> {
        let source = Source::training(&config.data, config.seed, room)?;
        let weights = Weights::random(&config.model, config.seed);
        let network = Network::new(weights.clone(), isa, Use::Training);
        let optimiser = optimiser::build(&config.optimiser, weights.parameters(), isa);
        let average = config.ema.map(|decay| Average::new(decay, weights.values()));
        let (isa, roads) = (network.isa().to_string(), Some(source.prints().clone()));
        let status = Status { isa, roads, ..Status::default() };
        let elsewhere = Duration::ZERO;
        Ok(Self { config, network, status, elsewhere, source, weights, optimiser, average })
    }

    /// What is worth saying about its data.
    pub fn notes(&self) -> &[String] {
        self.source.notes()
    }

    /// Where the validation set comes from; `None` when there is nothing to validate on.
    pub fn examined(&self, room: &Room) -> Result<Option<Source>, TrainError> {
        let Config { data, validation, .. } = &self.config;
        (validation.count > 0).then(|| self.source.validation(data, validation, room)).transpose()
    }

    /// Begins at the weights of a checkpoint.
    pub fn begin_from(&mut self, init: &Checkpoint) {
        self.weights.values_mut().copy_from_slice(init.weights.values());
        self.network.refill(self.weights.values());
        self.average = self.config.ema.map(|decay| Average::new(decay, self.weights.values()));
        self.status.seen = init.card.trained.as_ref().map(Seen::of).unwrap_or_default();
        let seen = counted(init.card.instances, "instance");
        self.status.init = Some(format!("{} ({seen})", init.card.name));
        self.status.earlier = Earlier {
            instances: init.card.instances,
            cpu_hours: init.card.cpu_hours,
            trained_on: init.card.trained.as_ref().map(|trained| trained.distribution.clone()),
        };
    }

    /// Goes back to a state.
    pub fn restore(&mut self, state: &[u8]) -> Result<(), TrainError> {
        let before = state::status(state)?.config;
        let before = before.as_deref().map(|text| Config::from_toml(text, &[])).transpose()?;
        if let Some(key) = before.and_then(|before| before.first_difference(&self.config)) {
            return Err(TrainError::new(
                "other-configuration",
                format!("`{key}` of the configuration has changed since the run was saved"),
                "put it back, or start another run from the weights (--init RUN/last.safetensors)",
            ));
        }
        self.status = state::read(state, &mut self.tensors())?;
        let roads = self.source.prints();
        self.status.roads.as_ref().map_or(Ok(()), |before| refuse_change(before, roads))?;
        self.status.roads = Some(roads.clone());
        self.network.refill(self.weights.values());
        Ok(())
    }

    /// The state that it can be brought back to.
    pub fn state(&mut self) -> Result<Vec<u8>, TrainError> {
        let status = Status { config: Some(self.config.to_toml()?), ..self.status.clone() };
        state::write(&status, &self.tensors())
    }

    fn tensors(&mut self) -> Tensors<'_> {
        Tensors {
            weights: self.weights.values_mut(),
            optimiser: &mut *self.optimiser,
            average: self.average.as_mut(),
        }
    }

    /// The weights that are validated and kept.
    pub fn kept(&self) -> Weights {
        let mut weights = self.weights.clone();
        if let Some(average) = &self.average {
            weights.values_mut().copy_from_slice(average.values());
        }
        weights
    }

    /// Whether the weights that are kept are not those of the network.
    pub fn averages(&self) -> bool {
        self.average.is_some()
    }

    /// Learns from one batch when this share of the budget is spent. `None` when it was stopped, on any rank:
    /// then nothing has changed.
    pub fn step(&mut self, share: f64, outside: &Outside<'_>) -> Result<Option<Stride>, TrainError> {
        let (config, spent) = (&self.config, self.status.spent);
        let drawn = self.draw(outside);
        let items = drawn.as_ref().map(|drawn| drawn.as_ref().map(|drawn| &drawn.items[..]));
        let global = items.iter().flatten().map(|items| items.len()).sum();
        let Config { starts, first_nodes, chunk, .. } = *config;
        let method = Method { loss: config.loss.lesson(), starts, first_nodes, chunk };
        let moment = Moment { seed: config.seed, step: spent.steps, first: 0, global };
        let items = items.map_err(Clone::clone);
        let learned = together::learn(&self.network, items, &method, moment, outside)?;
        self.elsewhere = learned.cpu;
        let (Some(mut lesson), Some(drawn)) = (learned.lesson, drawn?) else { return Ok(None) };
        let length = clip(&mut lesson.gradient, config.optimiser.clip);
        if !length.is_finite() {
            let cause = format!("the gradient of step {} is not finite", spent.steps + 1);
            return Err(TrainError::diverged(cause));
        }
        let rate = config.optimiser.lr * config.schedule.factor_at(spent.steps, share);
        let turn = Turn { step: spent.steps + 1, rate };
        self.optimiser.step(self.weights.values_mut(), &lesson.gradient, turn);
        self.network.refill(self.weights.values());
        if let Some(average) = &mut self.average {
            average.take(self.weights.values(), turn.step);
        }
        let (status, tally) = (&mut self.status, &lesson.tally);
        if config.loss.normalise {
            let instances = drawn.items.iter().map(|item| &item.instance);
            // What no trajectory solved has no cost to hear of.
            let costs =
                instances.zip(&lesson.costs).filter_map(|(instance, cost)| Some((instance, (*cost)?)));
            status.normaliser.hear(costs);
        }
        status.seen = drawn.seen;
        status.spent.steps += 1;
        status.spent.instances += drawn.count;
        let nodes = drawn.items.first().map_or(0, |item| item.instance.nodes());
        status.pending.take(tally, nodes, length, rate);
        let loss = tally.loss / tally.instances.max(1) as f64;
        Ok(Some(Stride { score: lesson.score(), loss, rate }))
    }

    /// So many of the next instances. `None` when it was stopped.
    fn next(
        &self,
        count: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Vec<Instance>>, TrainError> {
        let (config, spent) = (&self.config, self.status.spent);
        let size = curriculum::size(&config.data.curriculum, config.seed, spent.steps, spent.instances);
        // Those that the first weights have learned from do not come again.
        let first = self.status.earlier.instances.wrapping_add(spent.instances);
        self.source.instances(size, first, count, stop)
    }

    /// Refuses weights that give no numbers any more, tried on the next instance: nobody could go on from them, or use
    /// those that are kept.
    pub fn refuse_overflow(&self) -> Result<(), TrainError> {
        let step = self.status.spent.steps;
        let tried = self.next(1, &|| false)?.unwrap_or_default();
        let of = |what: &str| TrainError::diverged(format!("{what} after step {step} overflow"));
        match is_sound(&self.network, &tried)? {
            false => Err(of("the weights")),
            true if !self.averages() => Ok(()),
            true => {
                let kept = Network::new(self.kept(), self.network.isa(), Use::Inference);
                is_sound(&kept, &tried)?.then_some(()).ok_or_else(|| of("the running means of the weights"))
            }
        }
    }

    /// Draws the next batch; every rank draws all of it, for that costs little beside learning.
    fn draw(&self, outside: &Outside<'_>) -> Result<Option<Drawn>, TrainError> {
        let config = &self.config;
        let count = config.next_batch(&self.status.spent);
        let instances = self.next(count, outside.stop);
        let labels = match config.loss.label_steps() {
            Some(steps) => {
                let instances = instances.as_ref().map(Option::as_deref).map_err(Clone::clone);
                together::labels(instances, steps, outside)?
            }
            None => Some(vec![None; count]),
        };
        let (Some(instances), Some(labels)) = (instances?, labels) else { return Ok(None) };
        let mut seen = self.status.seen.clone();
        seen.take(&instances);
        let scales = match config.loss.normalise {
            true => self.status.normaliser.scales(&instances),
            false => vec![1.0; instances.len()],
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
            false => Ok(Some(Drawn { items, count: count as u64, seen })),
            true => Err(TrainError::new(
                "no-labels",
                "search found no plan for any instance of a batch",
                "give more `loss.search_steps`, or another distribution",
            )),
        }
    }
}

/// Whether a network gives numbers on some instances.
fn is_sound(network: &Network, instances: &[Instance]) -> Result<bool, TrainError> {
    if network.weights().first_not_finite().is_some() {
        return Ok(false);
    }
    let decoding = Decoding { starts: Starts::AtMost(1), ..Decoding::default() };
    for instance in instances {
        match network.decode(instance, &decoding, &|| false) {
            Err(error) if error.code == "not-finite" => return Ok(false),
            decoded => drop(decoded?),
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_overflows_is_named_with_its_step() {
        let set = ["data.nodes=5", "ema=0.9"].map(str::to_owned);
        let text = crate::config::named("quick").expect("a preset");
        let config = Config::from_toml(text, &set).expect("sound");
        let mut learner = Learner::new(config, Isa::Portable, &Room::default()).expect("sound");
        learner.status.spent.steps = 7;
        assert_eq!(learner.refuse_overflow(), Ok(()));
        let sound = learner.weights.values().to_vec();
        // The weights themselves are fine: what would be kept is not.
        learner.average = Some(Average::new(0.9, &vec![1e30; sound.len()]));
        let error = learner.refuse_overflow().expect_err("no numbers");
        assert!(
            error.code == "diverged"
                && error.cause == "the running means of the weights after step 7 overflow"
        );
        learner.network.refill(&vec![f32::NAN; sound.len()]);
        let error = learner.refuse_overflow().expect_err("no numbers");
        assert!(error.code == "diverged" && error.cause == "the weights after step 7 overflow", "{error}");
    }
}
