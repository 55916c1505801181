//! What training has shown to the weights: their card says so.

use std::collections::BTreeSet;

use radar_net::Trained;
use radar_net::card::{asymmetry, demand_spread};
use radar_problem::{Instance, Objective};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Sums up the instances of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    nodes: Option<(usize, usize)>,
    variants: BTreeSet<String>,
    durations: bool,
    max_duration: bool,
    /// Whether any cost was not the travel time, and whether any was.
    #[serde(default)]
    costs: (bool, bool),
    asymmetry: Option<(f64, f64)>,
    demand_spread: Option<(f64, f64)>,
}

impl Seen {
    /// What earlier training of the same weights has shown them.
    pub fn of(trained: &Trained) -> Self {
        Self {
            nodes: Some(trained.nodes),
            variants: trained.variants.iter().map(ToString::to_string).collect(),
            durations: trained.durations,
            max_duration: trained.max_duration,
            costs: (!trained.saves_time, trained.saves_time),
            asymmetry: Some(trained.asymmetry),
            demand_spread: trained.demand_spread,
        }
    }

    /// Takes in a batch.
    pub fn take(&mut self, instances: &[Instance]) {
        let measures: Vec<(f64, Option<f64>)> =
            instances.par_iter().map(|instance| (asymmetry(instance), demand_spread(instance))).collect();
        for (instance, (asymmetry, spread)) in instances.iter().zip(measures) {
            widen(&mut self.nodes, instance.nodes());
            self.variants.insert(instance.variant().to_string());
            self.durations |= instance.input().duration.is_some();
            self.max_duration |= instance.input().max_duration.is_some();
            let saves_time = instance.objective() == Objective::Duration;
            self.costs = (self.costs.0 | !saves_time, self.costs.1 | saves_time);
            widen(&mut self.asymmetry, asymmetry);
            spread.iter().for_each(|&spread| widen(&mut self.demand_spread, spread));
        }
    }

    /// All of it for a card; `None` when nothing was seen.
    pub fn trained(&self, distribution: &str) -> Option<Trained> {
        Some(Trained {
            nodes: self.nodes?,
            variants: self.variants.iter().filter_map(|name| name.parse().ok()).collect(),
            durations: self.durations,
            max_duration: self.max_duration,
            saves_time: self.costs == (false, true),
            asymmetry: self.asymmetry?,
            demand_spread: self.demand_spread,
            distribution: distribution.to_owned(),
        })
    }
}

fn widen<T: PartialOrd + Copy>(range: &mut Option<(T, T)>, value: T) {
    let (low, high) = range.unwrap_or((value, value));
    let low = if value < low { value } else { low };
    let high = if value > high { value } else { high };
    *range = Some((low, high));
}

#[cfg(test)]
mod tests {
    use super::*;
    use radar_sample::Distribution;

    #[test]
    fn ranges_grow_with_what_is_seen() {
        let batch = |name: &str, n: &str| -> Vec<Instance> {
            let distribution = Distribution::named(name, &[("n", n)], None).expect("sound");
            (0..4).map(|at| distribution.sample(1, at).problem.validate().instance.expect("sound")).collect()
        };
        let mut seen = Seen::default();
        assert_eq!(seen.trained("nothing"), None);
        seen.take(&batch("acvrp", "6"));
        seen.take(&batch("acvrp", "9"));
        let trained = seen.trained("acvrp").expect("something");
        assert_eq!(trained.nodes, (7, 10));
        assert_eq!(trained.variants.iter().map(ToString::to_string).collect::<Vec<_>>(), ["ACVRP"]);
        assert!(trained.asymmetry.0 < trained.asymmetry.1 && trained.demand_spread.is_some());
        assert!(!trained.durations);
        let text = serde_json::to_string(&seen).expect("JSON");
        assert_eq!(serde_json::from_str::<Seen>(&text).expect("JSON"), seen);
        assert_eq!(Seen::of(&trained), seen);
        // Who has learned to save time alone says so.
        let city = Distribution::named("city", &[("n", "6"), ("variant", "ATSP")], None).expect("sound");
        let city = city.sample(1, 0).problem.validate().instance.expect("sound");
        let mut seen = Seen::default();
        seen.take(&[city.clone().with_objective(Objective::Duration)]);
        assert!(seen.trained("city").is_some_and(|trained| trained.saves_time));
        seen.take(&[city]);
        assert!(seen.trained("city").is_some_and(|trained| !trained.saves_time));
    }
}
