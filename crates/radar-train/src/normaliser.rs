//! Costs in units of what such an instance usually costs, so that none drowns another in a mixed batch.
//!
//! As RouteFinder does, with three differences. The key is the set of features that an instance has, and its size:
//! a variant with pickups is another one than the same without. Costs first count in arcs of their own instance,
//! because a city in metres is not a random matrix in millionths. And a batch is divided by the mean before it: its own
//! costs are known only when it has been learned from, and to roll it out before that costs two fifths more time
//! for a divisor that is a hundredth off (`DESIGN.md` has the figures).

use std::collections::BTreeMap;

use radar_problem::{Instance, UNREACHABLE};
use radar_rollout::{Effort, construct};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The share of the newest batch in the running mean.
const NEW: f64 = 0.25;

/// The running mean cost of every variant and size seen, in mean arcs of the instances.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Normaliser {
    means: BTreeMap<String, f64>,
}

impl Normaliser {
    /// What to divide the costs of each instance by. A variant that was never seen begins at what a quick
    /// construction costs; its first batch replaces that.
    pub fn scales(&self, instances: &[Instance]) -> Vec<f64> {
        let fresh: Vec<&Instance> =
            instances.iter().filter(|instance| !self.means.contains_key(&name(instance))).collect();
        let quick: Vec<(String, f64)> = fresh
            .par_iter()
            .map(|instance| (name(instance), constructed(instance) / mean_arc(instance)))
            .collect();
        let quick = means(quick.into_iter());
        let scale = |instance: &Instance| {
            let name = name(instance);
            let mean = self.means.get(&name).or(quick.get(&name)).copied();
            mean_arc(instance) * mean.filter(|&mean| mean > 0.0).unwrap_or(1.0)
        };
        instances.iter().map(scale).collect()
    }

    /// Takes in the mean cost of each instance of a batch.
    pub fn hear<'a>(&mut self, costs: impl Iterator<Item = (&'a Instance, f64)>) {
        for (name, mean) in means(costs.map(|(instance, cost)| (name(instance), cost / mean_arc(instance)))) {
            self.means.entry(name).and_modify(|old| *old += NEW * (mean - *old)).or_insert(mean);
        }
    }
}

fn name(instance: &Instance) -> String {
    format!("{} {}", instance.variant(), instance.stops().len())
}

/// What an arc costs on average, in stated units; 1 where that is nothing.
fn mean_arc(instance: &Instance) -> f64 {
    let nodes = instance.nodes();
    let arcs = (0..nodes * nodes).filter(|at| at / nodes != at % nodes);
    let costs = arcs.map(|at| instance.cost().at(at / nodes, at % nodes)).filter(|&cost| cost != UNREACHABLE);
    // Whole numbers: the order of the nodes cannot be told from the sum.
    let (sum, count) = costs.fold((0_i128, 0_i128), |(sum, count), cost| (sum + i128::from(cost), count + 1));
    let mean = sum as f64 / instance.cost_scale().factor() / count.max(1) as f64;
    if mean > 0.0 { mean } else { 1.0 }
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
        let near = |scales: Vec<f64>, wanted: [f64; 2]| {
            scales.iter().zip(wanted).for_each(|(scale, wanted)| assert!((scale - wanted).abs() < 1e-9));
        };
        normaliser.hear(batch.iter().zip([4.0, 8.0]));
        near(normaliser.scales(&batch), [4.0, 8.0]);
        normaliser.hear(batch.iter().zip([8.0, 8.0]));
        near(normaliser.scales(&batch), [5.0, 8.0]);
    }

    #[test]
    fn units_and_sizes_are_told_apart() {
        let of = |name: &str, count: &str| {
            let parameters = [("n", count), ("variant", "AVRPTW")];
            let distribution = Distribution::named(name, &parameters, None).expect("sound");
            distribution.sample(1, 1).problem.validate().instance.expect("sound")
        };
        let (random, city, large) = (of("multitask", "10"), of("city", "10"), of("multitask", "30"));
        let mut normaliser = Normaliser::default();
        let arcs = |instance: &Instance, count: f64| count * mean_arc(instance);
        normaliser.hear(
            [(&random, arcs(&random, 6.0)), (&city, arcs(&city, 8.0)), (&large, arcs(&large, 20.0))]
                .into_iter(),
        );
        let scales = normaliser.scales(&[random.clone(), city.clone(), large.clone()]);
        let wanted = [arcs(&random, 7.0), arcs(&city, 7.0), arcs(&large, 20.0)];
        scales.iter().zip(wanted).for_each(|(scale, wanted)| assert!((scale / wanted - 1.0).abs() < 1e-9));
        // A city counts in metres.
        assert!(scales[1] > 1000.0 * scales[0], "{scales:?}");
    }
}
