//! Instances on the fly: number `index` under a seed is always the same one, and no other number gives it
//! again.

use std::collections::BTreeMap;
use std::sync::Arc;

use radar_kernel::random::Stream;
use radar_problem::{Instance, Objective};
use radar_sample::{Atlas, BadRequest, Distribution};
use rayon::prelude::*;

use crate::config::{Data, LEAST_NODES, Minimise, Part, Validation};
use crate::error::TrainError;
use crate::forecast::Room;
use crate::roads::{self, Matrix, Opened, Prints};

/// Where instances of any of some sizes come from.
pub struct Source {
    /// By size, one distribution for each part of the mixture.
    by_size: BTreeMap<usize, Vec<Distribution>>,
    weights: Vec<f64>,
    objective: Objective,
    seed: u64,
    /// The matrices behind it.
    roads: Opened,
}

impl Source {
    /// The instances of a run: those of the data at every size it has. Its road matrices must find room.
    pub fn training(data: &Data, seed: u64, room: &Room) -> Result<Self, TrainError> {
        let sizes = Sizes { key: "data.nodes", all: &data.sizes() };
        let roads = roads::open(&data.roads, data.minimise.into(), room)?;
        Self::new(data, roads, sizes, Stream::new(seed, "training", 0).bits())
    }

    /// Instances that no run is trained on, whatever its seed: another stream altogether. Of these data they come from
    /// the same matrices, which are not read again, unless the validation has others.
    pub fn validation(&self, data: &Data, validation: &Validation, room: &Room) -> Result<Self, TrainError> {
        let key = if validation.nodes.is_some() { "validation.nodes" } else { "data.nodes" };
        let sizes = Sizes { key, all: &[validation.size(data)] };
        let roads = match validation.roads.is_empty() || validation.roads == data.roads {
            true => self.roads.clone(),
            false => {
                let room = room.beside_roads(self.roads.bytes);
                roads::open(&validation.roads, data.minimise.into(), &room)?
            }
        };
        Self::new(data, roads, sizes, Stream::new(validation.seed, "validation", 0).bits())
    }

    fn new(data: &Data, roads: Opened, sizes: Sizes<'_>, seed: u64) -> Result<Self, TrainError> {
        let mut by_size = BTreeMap::new();
        for &size in sizes.all {
            let parts = (0..data.mixture.len()).map(|at| {
                distribution(data, at, size, roads.atlas.clone()).map_err(|error| match error {
                    Refused::Size(most) => too_large(&sizes, size, most, roads.least.as_ref()),
                    Refused::Other(error) => error,
                })
            });
            by_size.insert(size, parts.collect::<Result<Vec<_>, _>>()?);
        }
        let weights = data.mixture.iter().map(|part| part.weight).collect();
        Ok(Self { by_size, weights, objective: data.minimise.into(), seed, roads })
    }

    /// What is worth saying about the files.
    pub fn notes(&self) -> &[String] {
        &self.roads.notes
    }

    /// What tells the files that instances are cut out of from others.
    pub fn prints(&self) -> &Prints {
        &self.roads.prints
    }

    /// Instances `first` to `first + count` of a size, made by all threads. `None` when it was stopped.
    pub fn instances(
        &self,
        size: usize,
        first: u64,
        count: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Vec<Instance>>, TrainError> {
        let numbers = (0..count as u64).into_par_iter().map(|at| first.wrapping_add(at));
        numbers.map(|index| if stop() { Ok(None) } else { self.instance(size, index).map(Some) }).collect()
    }

    fn instance(&self, size: usize, index: u64) -> Result<Instance, TrainError> {
        let internal = |cause: String| TrainError::new("internal", cause, "please report it");
        let parts = self.by_size.get(&size).ok_or_else(|| internal(format!("nothing has size {size}")))?;
        let distribution = match &parts[..] {
            [one] => one,
            several => &several[self.part(index)],
        };
        let report = distribution.sample(self.seed, index).problem.validate();
        let instance = report.instance.ok_or_else(|| internal(format!("instance {index} is malformed")))?;
        Ok(instance.with_objective(self.objective))
    }

    /// The part of the mixture that an instance comes from.
    fn part(&self, index: u64) -> usize {
        let total: f64 = self.weights.iter().sum();
        let mut point = total * Stream::new(self.seed, "mixture", index).unit();
        let past = self.weights.iter().position(|weight| {
            point -= weight;
            point < 0.0
        });
        past.unwrap_or(self.weights.len() - 1)
    }
}

/// Sizes, and the key that gives them.
struct Sizes<'a> {
    key: &'static str,
    all: &'a [usize],
}

/// Why a distribution cannot be made.
enum Refused {
    /// It has instances of at most so many stops.
    Size(usize),
    Other(TrainError),
}

/// The refusal of a size that there is not.
fn too_large(sizes: &Sizes<'_>, size: usize, most: usize, least: Option<&Matrix>) -> TrainError {
    let cause = least.map(|least| format!(", but {}", least.shown)).unwrap_or_default();
    let cause = format!("`{}` is {size}{cause}", sizes.key);
    match least {
        None => TrainError::config(cause, format!("give at most {most}")),
        Some(_) if most < LEAST_NODES => TrainError::config(
            format!("{cause}: nothing can be drawn from it"),
            "leave that file out, or have it state its unit (a way may be 100,000 km long, or 1e8 where the unit is \
             not km)",
        ),
        Some(_) => TrainError::config(cause, format!("give at most {most}, or leave that file out")),
    }
}

/// The distribution of one part of the mixture at a size.
fn distribution(
    data: &Data,
    at: usize,
    size: usize,
    atlas: Option<Arc<Atlas>>,
) -> Result<Distribution, Refused> {
    let Part { distribution, parameters, .. } = &data.mixture[at];
    let size = size.to_string();
    let mut given: Vec<(&str, &str)> = vec![("n", &size)];
    given.extend(parameters.iter().map(|(key, value)| (key.as_str(), value.as_str())));
    let atlas = atlas.filter(|_| data.mixture[at].entry().is_ok_and(|entry| entry.needs_roads));
    let config = |cause: String, action: &str| Refused::Other(TrainError::config(cause, action));
    let made = Distribution::named(distribution, &given, atlas).map_err(|error| match error {
        BadRequest::Size { most, .. } => Refused::Size(most),
        BadRequest::Value { parameter, value, expected } => {
            config(format!("`{}` is \"{value}\"", data.key(at, parameter)), &format!("give {expected}"))
        }
        BadRequest::NoPoints => config(
            format!(
                "`{}` is \"cluster\", but a road matrix does not say where its points are",
                data.key(at, "pick")
            ),
            "give \"uniform\", or matrices with coordinates",
        ),
        other => config(format!("`data`: {distribution}: {other}"), "see `radar generate --help`"),
    })?;
    match data.minimise == Minimise::Duration && !data.mixture[at].has_durations() {
        true => Err(Refused::Other(roads::no_durations(&format!("`{distribution}`")))),
        false => Ok(made),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::config::Config;

    fn source(toml: &str) -> Source {
        Source::training(&Config::from_toml(toml, &[]).expect("sound").data, 7, &Room::default())
            .expect("sound")
    }

    fn drawn(source: &Source, size: usize, first: u64, count: usize) -> Vec<Instance> {
        source.instances(size, first, count, &|| false).expect("sound").expect("nobody stopped it")
    }

    #[test]
    fn a_stop_is_heard() {
        let (source, asked) = (source("[data]\nnodes = 8"), AtomicUsize::new(0));
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 5;
        assert!(source.instances(8, 0, 100, &stop).expect("sound").is_none());
    }

    #[test]
    fn numbers_not_batches_make_instances() {
        let source = source("[data]\nnodes = 8");
        let all = drawn(&source, 8, 0, 6);
        let later = drawn(&source, 8, 4, 2);
        assert_eq!(all[4].input().distance, later[0].input().distance);
        for (at, one) in all.iter().enumerate() {
            assert!(all[..at].iter().all(|other| other.input().distance != one.input().distance));
        }
    }

    #[test]
    fn validation_is_apart_from_training() {
        let Config { data, validation, .. } = Config::default();
        let matrix = |source: Source| drawn(&source, 100, 0, 1).remove(0).input().distance.clone();
        let room = Room::default();
        let training = Source::training(&data, 3, &room).expect("sound");
        let validation = Validation { seed: 3, ..validation };
        let validation = training.validation(&data, &validation, &room).expect("sound");
        assert_ne!(matrix(training), matrix(validation));
    }

    #[test]
    fn refusals_name_the_key() {
        let refusal = |toml: &str| {
            let data = Config::from_toml(toml, &[]).expect("it may be").data;
            Source::training(&data, 1, &Room::default()).map(|_| ()).expect_err(toml).to_string()
        };
        for (toml, parts) in [
            ("[data]\npreset = \"hard\"", ["`data.preset` is \"hard\"", "give paper"]),
            (
                "[data]\nmixture = [{}, { distribution = \"asymmetry\", parameters = { sigma = -1 } }]",
                ["`data.mixture[1].parameters.sigma` is \"-1\"", "from 0 to 10"],
            ),
            ("[data]\nminimise = \"duration\"", ["`data.minimise`", "`tmat` has no durations"]),
        ] {
            let text = refusal(toml);
            assert!(parts.iter().all(|part| text.contains(part)), "{toml}: {text}");
        }
        let city = "[data]\ndistribution = \"city\"\nnodes = 8\nminimise = \"duration\"";
        assert_eq!(drawn(&source(city), 8, 0, 1).len(), 1);
    }

    #[test]
    fn mixtures_keep_their_weights() {
        let toml = "[model]\npreset = \"vrp\"\n[data]\nnodes = 5\nmixture = [
            { distribution = \"acvrp\", weight = 3 }, { distribution = \"city\", variant = \"AVRPTW\" }]";
        let instances = drawn(&source(toml), 5, 0, 400);
        let plain = instances.iter().filter(|instance| instance.variant().to_string() == "ACVRP").count();
        assert!((260..340).contains(&plain), "{plain}");
        assert!(instances.iter().any(|instance| instance.variant().to_string() == "AVRPTW"));
    }

    #[test]
    fn mixed_batches_have_all_variants() {
        let toml = "[model]\npreset = \"vrp\"\n[data]\nnodes = 20\ndistribution = \"multitask\"";
        let instances = drawn(&source(toml), 20, 0, 300);
        let names: std::collections::BTreeSet<String> =
            instances.iter().map(|instance| instance.variant().to_string()).collect();
        assert_eq!(names.len(), 16, "{names:?}");
    }
}
