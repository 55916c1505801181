//! Costs in units of what a variant usually costs, so that no variant drowns another in a mixed batch.
//!
//! As RouteFinder does, with two differences. The key is the set of features that an instance has: a variant
//! with pickups is another one than the same without. And a batch is divided by the mean before it: its own
//! costs are known only when it has been learned from, and to roll it out before that costs two fifths more time
//! for a divisor that is a hundredth off (`DESIGN.md` has the figures).

use std::collections::BTreeMap;

use radar_problem::{Instance, Variant};
use radar_rollout::{Effort, construct};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The share of the newest batch in the running mean.
const NEW: f64 = 0.25;

/// The running mean cost of every variant seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Normaliser {
    means: BTreeMap<String, f64>,
}

impl Normaliser {
    /// What to divide the costs of each instance by. A variant that was never seen begins at what a quick
    /// construction costs; its first batch replaces that.
    pub fn scales(&self, instances: &[Instance]) -> Vec<f64> {
        let fresh: Vec<&Instance> =
            instances.iter().filter(|instance| !self.means.contains_key(&name(instance.variant()))).collect();
        let quick: Vec<(String, f64)> =
            fresh.par_iter().map(|instance| (name(instance.variant()), constructed(instance))).collect();
        let quick = means(quick.into_iter());
        let scale = |instance: &Instance| {
            let name = name(instance.variant());
            self.means.get(&name).or(quick.get(&name)).copied().filter(|&mean| mean > 0.0).unwrap_or(1.0)
        };
        instances.iter().map(scale).collect()
    }

    /// Takes in the mean cost of each instance of a batch.
    pub fn hear(&mut self, costs: impl Iterator<Item = (Variant, f64)>) {
        for (name, mean) in means(costs.map(|(variant, cost)| (name(variant), cost))) {
            self.means.entry(name).and_modify(|old| *old += NEW * (mean - *old)).or_insert(mean);
        }
    }
}

fn name(variant: Variant) -> String {
    variant.to_string()
}

/// The mean of every name's values.
fn means(values: impl Iterator<Item = (String, f64)>) -> BTreeMap<String, f64> {
    let mut sums: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for (name, value) in values {
        let sum = sums.entry(name).or_default();
        *sum = (sum.0 + value, sum.1 + 1.0);
    }
    sums.into_iter().map(|(name, (sum, count))| (name, sum / count)).collect()
}

fn constructed(instance: &Instance) -> f64 {
    let effort = Effort { most: 1, ..Effort::modest(instance) };
    let best = construct(instance, effort, 0, &|| false, &mut |_, _| ());
    instance.cost_scale().undo(best.construction.cost(instance))
}

#[cfg(test)]
mod tests {
    use super::*;
    use radar_sample::Distribution;

    fn instance(variant: &str) -> Instance {
        let parameters = [("n", "10"), ("variant", variant)];
        let distribution = Distribution::named("multitask", &parameters, None).expect("sound");
        distribution.sample(1, 1).problem.validate().instance.expect("sound")
    }

    #[test]
    fn variants_have_means_of_their_own() {
        let batch = [instance("ACVRP"), instance("AVRPB")];
        let mut normaliser = Normaliser::default();
        let first = normaliser.scales(&batch);
        assert!(first.iter().all(|&scale| scale > 0.0 && scale != 1.0), "{first:?}");
        let of = |costs: [f64; 2]| batch.iter().map(Instance::variant).zip(costs).collect::<Vec<_>>();
        normaliser.hear(of([4.0, 8.0]).into_iter());
        assert_eq!(normaliser.scales(&batch), [4.0, 8.0]);
        normaliser.hear(of([8.0, 8.0]).into_iter());
        assert_eq!(normaliser.scales(&batch), [5.0, 8.0]);
    }
}
