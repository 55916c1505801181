//! The model card: what a file of weights says about itself. The program reads it too, and doubts the
//! weights in front of an instance that is far from what they have seen.

mod doubt;
mod measure;
mod show;

pub use measure::{asymmetry, demand_spread};
pub use show::grouped;

use std::collections::BTreeMap;

use radar_problem::Variant;
use serde::{Deserialize, Serialize};

use crate::config::Config;

/// The version of the card's layout that this program writes.
pub const VERSION: u32 = 1;

/// What a file of weights says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// The layout of the card itself.
    pub version: u32,
    /// What the weights are called.
    pub name: String,
    /// The network.
    pub config: Config,
    /// What they were trained on; absent when nobody knows (imported, or not trained).
    #[serde(default)]
    pub trained: Option<Trained>,
    /// How many instances training saw.
    #[serde(default)]
    pub instances: u64,
    /// What training took, on one core.
    #[serde(default)]
    pub cpu_hours: f64,
    /// The seed of training.
    #[serde(default)]
    pub seed: u64,
    /// What was measured, by name: gaps, costs.
    #[serde(default)]
    pub figures: BTreeMap<String, f64>,
    /// Anything else a reader should know.
    #[serde(default)]
    pub notes: String,
}

/// What weights were trained on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trained {
    /// Fewest and most nodes, the depot included.
    pub nodes: (usize, usize),
    /// The variants that occurred, by name.
    #[serde(with = "names")]
    pub variants: Vec<Variant>,
    /// Whether travel times were ever a matrix of their own.
    #[serde(default)]
    pub durations: bool,
    /// Whether a route's time was ever limited.
    #[serde(default)]
    pub max_duration: bool,
    /// Whether the cost was always the travel time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub saves_time: bool,
    /// Least and greatest [`asymmetry`] of the cost matrix.
    pub asymmetry: (f64, f64),
    /// Least and greatest [`demand_spread`], where stops have amounts.
    #[serde(default)]
    pub demand_spread: Option<(f64, f64)>,
    /// Where the instances came from, in words.
    pub distribution: String,
}

impl Card {
    /// The card of weights of which nothing is known but the network.
    pub fn new(name: impl Into<String>, config: Config) -> Self {
        Self {
            version: VERSION,
            name: name.into(),
            config,
            trained: None,
            instances: 0,
            cpu_hours: 0.0,
            seed: 0,
            figures: BTreeMap::new(),
            notes: String::new(),
        }
    }
}

/// Variants travel by name.
mod names {
    use radar_problem::Variant;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(variants: &[Variant], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(variants.iter().map(Variant::to_string))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Variant>, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        names.iter().map(|name| name.parse().map_err(D::Error::custom)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_goes_there_and_back() {
        let trained = Trained {
            nodes: (21, 101),
            variants: Variant::every().skip(1).collect(),
            durations: true,
            max_duration: false,
            saves_time: true,
            asymmetry: (0.1, 0.3),
            demand_spread: Some((0.4, 0.6)),
            distribution: "tmat".to_owned(),
        };
        let mut card = Card::new("first", Config::preset("vrp").expect("a preset"));
        card.trained = Some(trained);
        card.figures.insert("gap ACVRP100".to_owned(), 0.031);
        let text = serde_json::to_string(&card).expect("JSON");
        assert!(text.contains("\"AOVRPBLTW\""));
        assert_eq!(serde_json::from_str::<Card>(&text).expect("JSON"), card);
        let wrong = text.replace("AOVRPBLTW", "CVRPXX");
        assert!(serde_json::from_str::<Card>(&wrong).expect_err("refused").to_string().contains("CVRPXX"));
    }
}
