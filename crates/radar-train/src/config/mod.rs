//! What a run is made of. The configuration is the constructor of a run, is written beside it, and is read
//! from TOML: every value has a default, and whatever is wrong is named with key, value and what is valid.

mod budget;
mod data;
mod given;
mod loss;
mod optimiser;
mod preset;
mod schedule;
mod section;
mod span;
mod spelling;
mod validation;
mod written;

pub use budget::{Budget, Spent};
pub(crate) use data::LEAST_NODES;
pub use data::{Data, Minimise, Part, Stage};
pub use given::Given;
pub use loss::{Kind as LossKind, Loss};
pub use optimiser::{Kind as OptimiserKind, Optimiser};
pub use preset::{named, names};
pub use schedule::{Kind as ScheduleKind, Schedule};
pub use validation::{References, Validation};

use radar_kernel::isa::Isa;
use radar_net::{Init, Task};
use radar_problem::{Features, Variant};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::TrainError;
use crate::lesson::FirstNodes;
use section::{Section, refusal};

/// On which arithmetic the network runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Compute {
    /// The fastest of the machine: products of bfloat16 where it has a tile unit.
    Fast,
    /// All digits of an f32.
    Precise,
}

impl Compute {
    /// The instruction set on this machine.
    pub fn isa(self) -> Isa {
        match self {
            Self::Fast => Isa::best(),
            Self::Precise => Isa::best().precise(),
        }
    }
}

/// A whole run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Config {
    /// What the weights will be called.
    pub name: String,
    /// Where all randomness comes from.
    #[serde(serialize_with = "section::write_seed")]
    pub seed: u64,
    /// Instances per step.
    pub batch: usize,
    /// Instances at every multiple of which a batch ends, with fewer than the others if need be.
    #[serde(serialize_with = "section::or_none")]
    pub epoch: Option<u64>,
    /// First nodes per instance, drawn anew each time; all of them unless given.
    #[serde(serialize_with = "section::or_all")]
    pub starts: Option<usize>,
    /// How they are drawn.
    pub first_nodes: FirstNodes,
    /// Instances whose gradients are summed before those of others join: a fixed tree, whatever the threads.
    pub chunk: usize,
    /// The decay of the running mean of the weights, which is then what is validated and kept.
    #[serde(serialize_with = "section::or_none")]
    pub ema: Option<f64>,
    /// On which arithmetic the network runs.
    pub compute: Compute,
    /// Steps per line of metrics.
    pub log_every: u64,
    /// Steps between two saved states.
    pub save_every: u64,
    /// The network.
    pub model: radar_net::Config,
    /// What instances are drawn from.
    pub data: Data,
    /// What is learned from them.
    pub loss: Loss,
    /// How weights follow gradients.
    pub optimiser: Optimiser,
    /// How the rate changes over the budget.
    pub schedule: Schedule,
    /// What it is measured on.
    pub validation: Validation,
    /// When it is over.
    pub budget: Budget,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            name: "unnamed".to_owned(),
            seed: 1,
            batch: 64,
            epoch: None,
            starts: None,
            first_nodes: FirstNodes::Any,
            chunk: 4,
            ema: None,
            compute: Compute::Fast,
            log_every: 10,
            save_every: 100,
            model: radar_net::Config::default(),
            data: Data::default(),
            loss: Loss::default(),
            optimiser: Optimiser::default(),
            schedule: Schedule::default(),
            validation: Validation::default(),
            budget: Budget::default(),
        }
    }
}

impl Config {
    /// Reads TOML. A `preset` at the top is where it starts from; `set` are keys and values that hold over
    /// the text, such as `optimiser.lr=1e-3`.
    pub fn from_toml(text: &str, set: &[String]) -> Result<Self, TrainError> {
        Given { text, set, ..Given::default() }.read()
    }

    /// Reads what is known of a run; a network that is there already takes the place of the stated one.
    fn read(value: Value, network: Option<&radar_net::Config>) -> Result<Self, TrainError> {
        let usual = Self::default();
        let mut top = Section::new("", value)?;
        if let Some(preset) = top.take("preset") {
            return Err(TrainError::config(
                format!("`preset` is {preset}, but a configuration has begun from something else by then"),
                "give it in the place of CONFIG, or at the top of a file",
            ));
        }
        let config = Self {
            name: top.text("name")?.unwrap_or(usual.name),
            seed: top.seed("seed")?.unwrap_or(usual.seed),
            batch: top.whole("batch", 1..=1 << 20)?.map_or(usual.batch, |batch| batch as usize),
            epoch: top.or_word("none", "epoch", |top, key| top.whole(key, 1..=1 << 53))?,
            starts: top
                .or_word("all", "starts", |top, key| top.whole(key, 1..=1 << 20))?
                .map(|starts| starts as usize),
            first_nodes: top
                .choice("first_nodes", &[("any", FirstNodes::Any), ("likely", FirstNodes::Likely)])?
                .unwrap_or(usual.first_nodes),
            chunk: top.whole("chunk", 1..=1 << 16)?.map_or(usual.chunk, |chunk| chunk as usize),
            ema: top
                .or_word("none", "ema", |top, key| top.number(key, 0.0..=0.999_999))?
                .filter(|&decay| decay > 0.0),
            compute: top
                .choice("compute", &[("fast", Compute::Fast), ("precise", Compute::Precise)])?
                .unwrap_or(usual.compute),
            log_every: top.whole("log_every", 1..=1 << 30)?.unwrap_or(usual.log_every),
            save_every: top.whole("save_every", 1..=1 << 30)?.unwrap_or(usual.save_every),
            model: model(top.take("model")).map(|stated| network.cloned().unwrap_or(stated))?,
            data: Data::read(top.section("data")?)?,
            loss: Loss::read(top.section("loss")?)?,
            optimiser: Optimiser::read(top.section("optimiser")?)?,
            schedule: Schedule::read(top.section("schedule")?)?,
            validation: Validation::read(top.section("validation")?)?,
            budget: Budget::read(top.section("budget")?)?,
        };
        top.finish()?;
        config.validate().map_err(|error| match network {
            // Whatever the configuration says, the network is theirs.
            Some(_) => {
                TrainError { cause: error.cause.replace("`model.task` is", "the weights are for"), ..error }
            }
            None => error,
        })?;
        Ok(config)
    }

    /// Whether the values fit each other.
    pub fn validate(&self) -> Result<(), TrainError> {
        self.model.validate()?;
        for part in 0..self.data.mixture.len() {
            self.refuse_mismatch(part)?;
        }
        self.refuse_crowd()?;
        self.data.refuse_idle_presets()?;
        if !self.validation.roads.is_empty() && self.data.roads.is_empty() {
            return Err(TrainError::config(
                format!("`validation.roads` is {:?}, but nothing draws from it", self.validation.roads),
                "leave it out, or draw from the distribution `roads`",
            ));
        }
        if self.starts == Some(1) && self.loss.kind != LossKind::Imitation {
            return Err(TrainError::config(
                "`starts` is 1, but this loss compares trajectories of one instance".to_owned(),
                "give 2 or more, or `loss.kind` = \"imitation\"",
            ));
        }
        let all_alike = [
            (self.starts.is_none(), "`starts` is \"all\""),
            (self.model.task == Task::Atsp, "of a tour all are alike"),
            (self.loss.kind == LossKind::Imitation, "imitated plans have their own"),
        ];
        if self.first_nodes == FirstNodes::Likely
            && let Some((_, why)) = all_alike.iter().find(|(is_so, _)| *is_so)
        {
            return Err(TrainError::config(
                format!("`first_nodes` is \"likely\", but {why}"),
                "leave it out, or give `starts` a number and reinforce routes",
            ));
        }
        if self.schedule.kind != ScheduleKind::Constant && self.budget.is_endless() {
            return Err(TrainError::config(
                format!("`schedule.kind` is \"{}\", but the run has no end", self.schedule.kind),
                "give a budget (`time`, `cpu`, `steps` or `instances`), or `schedule.kind` = \"constant\"",
            ));
        }
        Ok(())
    }

    /// Refuses more nodes than a network with a unit vector for each can tell apart.
    fn refuse_crowd(&self) -> Result<(), TrainError> {
        let depots = usize::from(self.model.task != Task::Atsp);
        let validated = (self.validation.count > 0).then(|| self.validation.size(&self.data));
        let most = self.data.sizes().into_iter().chain(validated).max().unwrap_or(0);
        match self.model.init == Init::OneHot && most + depots > self.model.width {
            true => Err(TrainError::config(
                format!(
                    "`model.init` is \"one-hot\", which tells no more nodes apart than `model.width` = {}, and \
                     instances have up to {}",
                    self.model.width,
                    most + depots
                ),
                "give fewer `data.nodes` (and `validation.nodes`), more width, or another `init`",
            )),
            false => Ok(()),
        }
    }

    /// Refuses a part of the mixture that the network has no place for.
    fn refuse_mismatch(&self, at: usize) -> Result<(), TrainError> {
        const ROUTES: Variant = Variant::Vrp(Features::NONE);
        let part = &self.data.mixture[at];
        let variant = part.variant()?;
        let valid = match (self.model.task, variant) {
            (Task::Atsp, Some(Variant::Atsp)) | (Task::Acvrp, Some(ROUTES)) => return Ok(()),
            (Task::Vrp, None | Some(Variant::Vrp(_))) => return Ok(()),
            (Task::Atsp, _) => "ATSP",
            (Task::Acvrp, _) => "ACVRP",
            (Task::Vrp, _) => "mix, ACVRP or A[O]VRP[B][L][TW]",
        };
        let drawn = variant.map_or_else(|| "mix".to_owned(), |variant| variant.to_string());
        let fitting = match variant {
            Some(Variant::Atsp) => Task::Atsp,
            Some(ROUTES) => Task::Acvrp,
            _ => Task::Vrp,
        };
        let (key, task) = (self.data.decisive_key(at), self.model.task);
        Err(TrainError::config(
            format!("`{key}`: `{}` gives {drawn}, but `model.task` is {task}", part.distribution),
            format!("draw {valid}, or give `model.task` = \"{fitting}\""),
        ))
    }

    /// How many instances the next batch has.
    pub fn next_batch(&self, spent: &Spent) -> usize {
        let left = self.epoch.map_or(u64::MAX, |epoch| epoch - spent.instances % epoch);
        self.budget.next_batch(self.batch.min(usize::try_from(left).unwrap_or(usize::MAX)), spent)
    }

    /// The same with paths that lead to the same files wherever the run goes on.
    pub fn with_whole_paths(mut self) -> Result<Self, TrainError> {
        for path in self.data.roads.iter_mut().chain(&mut self.validation.roads) {
            let whole = std::path::absolute(&*path).map_err(|error| {
                let cause = format!("the path \"{path}\" of road matrices: {error}");
                TrainError::new("unreadable", cause, "give the path of a file or a folder")
            })?;
            *path = whole.display().to_string();
        }
        Ok(self)
    }

    /// The whole configuration as TOML, every default said.
    pub fn to_toml(&self) -> Result<String, TrainError> {
        let internal =
            |error: toml::ser::Error| TrainError::new("internal", error.to_string(), "please report it");
        toml::to_string(self).map_err(internal)
    }

    /// The first key in which another configuration differs, the budget aside: that may grow.
    pub fn first_difference(&self, other: &Self) -> Option<String> {
        let value = |config: &Self| {
            let mut value = serde_json::to_value(config).unwrap_or_default();
            value.as_object_mut().map(|map| map.remove("budget"));
            value
        };
        difference("", &value(self), &value(other))
    }
}

fn difference(path: &str, one: &Value, other: &Value) -> Option<String> {
    if one == other {
        return None;
    }
    let (Value::Object(one), Value::Object(other)) = (one, other) else { return Some(path.to_owned()) };
    let keys = one.keys().chain(other.keys());
    let name = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    keys.into_iter().find_map(|key| {
        let value = |map: &Map<String, Value>| map.get(key).cloned().unwrap_or_default();
        difference(&name(key), &value(one), &value(other))
    })
}

/// The network's own table speaks for itself; its refusals get the name of the table.
fn model(value: Option<Value>) -> Result<radar_net::Config, TrainError> {
    let map = match value.unwrap_or_else(|| Value::Object(Map::new())) {
        Value::Object(map) => map,
        other => return Err(refusal("model", &other, "a table")),
    };
    radar_net::Config::try_from(map).map_err(|error| {
        let error = TrainError::from(error);
        TrainError { cause: format!("in `model`: {}", error.cause), ..error }
    })
}

#[cfg(test)]
mod tests;
