//! A matrix source and a recipe, together: what instances are drawn from.

use std::ops::Range;

use radar_kernel::random::Stream;
use radar_problem::{Feature, Features, Kind, Problem, Variant};
use rayon::prelude::*;

use crate::catalogue::BadRequest;
use crate::feature::Recipe;
use crate::roads::Pick;
use crate::source::Source;

/// The most stops of an instance: its matrix takes 3 GiB.
pub const MOST_STOPS: usize = 20_000;

/// Which variant is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Always this one.
    One(Variant),
    /// Any of the 16 sets of features, each equally likely, for each instance anew.
    Mix,
}

/// A distribution of instances.
#[derive(Clone, Debug)]
pub struct Distribution {
    name: String,
    source: Source,
    stops: usize,
    wanted: Wanted,
    recipe: Recipe,
}

/// An instance and what there is to say about its making.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The instance.
    pub problem: Problem,
    /// How many negative entries of the matrix were replaced by 0; only the asymmetry study draws any.
    pub clamped: usize,
}

impl Distribution {
    /// Instances with `stops` stops (nodes of a tour, or stops beside the depot). Refuses sizes that
    /// the source does not have, and clusters of places that nobody knows.
    pub fn new(
        name: impl Into<String>,
        source: Source,
        stops: usize,
        wanted: Wanted,
        recipe: Recipe,
    ) -> Result<Self, BadRequest> {
        let this = Self { name: name.into(), source, stops, wanted, recipe };
        let most = this.source.most_nodes().unwrap_or(MOST_STOPS + 1);
        let depot = usize::from(wanted != Wanted::One(Variant::Atsp));
        if stops == 0 || stops > MOST_STOPS || stops + depot > most {
            return Err(BadRequest::Size { stops, most: MOST_STOPS.min(most.saturating_sub(depot)) });
        }
        match &this.source {
            Source::Roads(roads, Pick::Cluster) if !roads.has_points() => Err(BadRequest::NoPoints),
            Source::Asymmetry { sigma } if !(0.0..=10.0).contains(sigma) => {
                Err(BadRequest::value("sigma", sigma.to_string(), "a number from 0 to 10"))
            }
            _ => Ok(this),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many nodes an instance has, at most.
    pub fn nodes(&self) -> usize {
        self.stops + usize::from(self.wanted != Wanted::One(Variant::Atsp))
    }

    /// How many matrix entries an instance has.
    pub fn values(&self) -> u64 {
        let nodes = self.nodes() as u64;
        nodes * nodes * self.source.tables()
    }

    /// Instance number `index` under `seed`.
    pub fn sample(&self, seed: u64, index: u64) -> Sample {
        let variant = match self.wanted {
            Wanted::One(variant) => variant,
            Wanted::Mix => Variant::Vrp(mixed(seed, index)),
        };
        let (mut problem, clamped) = match variant {
            Variant::Atsp => {
                let ground = self.source.ground(self.stops, seed, index);
                let clamped = ground.clamped;
                (ground.into_problem(Kind::Atsp), clamped)
            }
            Variant::Vrp(features) => {
                let ground = self.source.ground(self.stops + 1, seed, index);
                let clamped = ground.clamped;
                (self.recipe.put(features, ground, seed, index), clamped)
            }
        };
        problem.name = Some(format!("{}-{variant}-n{}-s{seed}-{index}", self.name, self.stops));
        Sample { problem, clamped }
    }

    /// The instances of a range of indices, in order, made by all threads of the current pool.
    pub fn sample_many(&self, seed: u64, indices: Range<u64>) -> Vec<Sample> {
        indices.into_par_iter().map(|index| self.sample(seed, index)).collect()
    }
}

/// Each feature is kept with a chance of one half, drawn in the published order.
fn mixed(seed: u64, index: u64) -> Features {
    let mut stream = Stream::new(seed, "features", index);
    let order = [Feature::Open, Feature::Windows, Feature::Limit, Feature::Backhaul];
    order.into_iter().filter(|_| stream.chance(0.5)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn the_mix_is_uniform_over_sixteen() {
        let mut counts: BTreeMap<Features, u32> = BTreeMap::new();
        (0..16_000).for_each(|index| *counts.entry(mixed(4, index)).or_default() += 1);
        assert_eq!(counts.len(), 16);
        assert!(counts.values().all(|&count| (860..1140).contains(&count)), "{counts:?}");
    }

    #[test]
    fn sizes_beyond_the_source_are_refused() {
        let make = |stops| {
            Distribution::new("t", Source::Tmat, stops, Wanted::One(Variant::Atsp), Recipe::default())
                .map(|_| ())
        };
        assert_eq!(make(0), Err(BadRequest::Size { stops: 0, most: MOST_STOPS }));
        assert!(make(MOST_STOPS + 1).is_err() && make(usize::MAX).is_err());
        assert_eq!(make(MOST_STOPS), Ok(()));
    }
}
