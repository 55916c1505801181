//! The test sets. An instance is drawn anew from the seed of all sets and its number, so that none has to be kept.

use std::path::Path;
use std::sync::Arc;

use radar_kernel::random::Stream;
use radar_problem::{Feature, Features, Problem, Variant};
use radar_sample::{Atlas, Distribution, Roads};

use crate::rivals::stock::window;

/// The seed of every set. Training and validation mix theirs first, so that nobody meets these by accident.
const SEED: u64 = 20_261_117;

/// Windows of roads that no shipped network has learned from or was chosen by.
pub const KEPT: [&str; 3] = ["porto-w5-500", "porto_alegre-w3-500", "columbus-w2-500"];

/// Which table a set belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The paper's tours, by size.
    Tours,
    /// The paper's capacitated routes, by size.
    Routes,
    /// The 16 variants.
    Variants,
    /// The same with limits that bind and windows that make vehicles wait.
    Tight,
    /// Demands that are mostly small, or mostly large.
    Skewed,
    /// Distances in the plane, each direction with a factor of its own.
    Asymmetry,
    /// Real roads, by travel time.
    Roads,
}

/// A set, and how to draw it.
pub struct Set {
    pub name: String,
    pub group: Group,
    pub variant: Variant,
    pub count: usize,
    distribution: Distribution,
}

impl Set {
    /// All sets; those of roads only where a folder of them is given.
    pub fn every(roads: Option<&Path>) -> Result<Vec<Self>, String> {
        let mut sets = Vec::new();
        let routes = Variant::Vrp(Features::NONE);
        for (nodes, count) in [("100", 1000), ("200", 200), ("500", 50), ("1000", 20)] {
            let law = [("n", nodes)];
            sets.push(Self::new(
                format!("ATSP {nodes}"),
                Group::Tours,
                "tmat",
                Variant::Atsp,
                count,
                &law,
                None,
            )?);
            sets.push(Self::new(
                format!("ACVRP {nodes}"),
                Group::Routes,
                "acvrp",
                routes,
                count,
                &law,
                None,
            )?);
        }
        for (group, preset) in [(Group::Variants, "paper"), (Group::Tight, "tight")] {
            for features in Features::every() {
                // Without a limit or windows the tight preset is the other one.
                let tightens = features.has(Feature::Limit) || features.has(Feature::Windows);
                if group == Group::Tight && !tightens {
                    continue;
                }
                let variant = Variant::Vrp(features);
                let (name, count) = match group {
                    Group::Tight => (format!("{variant} tight"), 50),
                    _ => (format!("{variant} of 16"), 100),
                };
                let said = variant.to_string();
                let law = [("n", "100"), ("variant", said.as_str()), ("preset", preset)];
                sets.push(Self::new(name, group, "multitask", variant, count, &law, None)?);
            }
        }
        for skew in ["small", "large"] {
            let law = [("n", "100"), ("skew", skew)];
            sets.push(Self::new(
                format!("{skew} demands"),
                Group::Skewed,
                "skewed",
                routes,
                100,
                &law,
                None,
            )?);
        }
        for sigma in ["0.1", "0.2", "0.3"] {
            let (name, law) = (format!("asymmetry {sigma}"), [("n", "100"), ("sigma", sigma)]);
            sets.push(Self::new(name, Group::Asymmetry, "asymmetry", Variant::Atsp, 100, &law, None)?);
        }
        if let Some(folder) = roads {
            let atlas = kept(folder)?;
            let windows = Variant::Vrp(Features::NONE.with(Feature::Windows));
            for variant in [Variant::Atsp, routes, windows] {
                let said = variant.to_string();
                let (name, law) = (format!("roads {variant}"), [("n", "100"), ("variant", said.as_str())]);
                let atlas = Some(Arc::clone(&atlas));
                sets.push(Self::new(name, Group::Roads, "roads", variant, 100, &law, atlas)?);
            }
        }
        Ok(sets)
    }

    fn new(
        name: String,
        group: Group,
        law: &str,
        variant: Variant,
        count: usize,
        parameters: &[(&str, &str)],
        atlas: Option<Arc<Atlas>>,
    ) -> Result<Self, String> {
        let distribution = Distribution::named(law, parameters, atlas);
        let distribution = distribution.map_err(|error| format!("{name}: {error}"))?;
        Ok(Self { name, group, variant, count, distribution })
    }

    /// An instance by its number.
    pub fn problem(&self, index: usize) -> Problem {
        // Sets of one law must not share their matrices.
        let seed = Stream::new(SEED, &self.name, 0).bits();
        let mut problem = self.distribution.sample(seed, index as u64).problem;
        problem.name = Some(format!("{} {index}", self.name));
        problem
    }

    /// What files about the set are called.
    pub fn slug(&self) -> String {
        slug(&self.name)
    }
}

/// What files about a set of that name are called.
pub fn slug(name: &str) -> String {
    name.to_lowercase().replace(' ', "-")
}

/// The windows that are kept for tests, their durations as the single matrix.
fn kept(folder: &Path) -> Result<Arc<Atlas>, String> {
    let windows = KEPT.map(|name| window(&folder.join(format!("{name}.npz"))));
    let windows = windows.into_iter().collect::<Result<Vec<Roads>, String>>()?;
    Atlas::new(windows).map(Arc::new).ok_or_else(|| "no windows".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn sets_have_names_and_instances_of_their_own() {
        let sets = Set::every(None).expect("laws that exist");
        let slugs: BTreeSet<String> = sets.iter().map(Set::slug).collect();
        assert_eq!(slugs.len(), sets.len());
        assert_eq!(sets.iter().filter(|set| set.group == Group::Variants).count(), 16);
        assert_eq!(sets.iter().filter(|set| set.group == Group::Tight).count(), 12);
        for set in sets.iter().filter(|set| set.count >= 50) {
            let (one, two) = (set.problem(0), set.problem(1));
            assert_ne!(one.distance, two.distance, "{}", set.name);
            assert_eq!(one.distance, set.problem(0).distance, "{}", set.name);
            let instance = one.validate().instance.expect("sound");
            assert_eq!(instance.variant(), set.variant, "{}", set.name);
        }
    }
}
