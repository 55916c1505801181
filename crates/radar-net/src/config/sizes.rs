//! Configurations of files that were not written here: sizes in the metadata of recorded cases, or the
//! shapes of the tensors alone.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Config, Task};
use crate::error::NetError;

/// The names that recorded cases use, and ours.
const NAMES: [(&str, &str); 8] = [
    ("task", "task"),
    ("embedding", "width"),
    ("heads", "heads"),
    ("layers", "layers"),
    ("feed_forward", "hidden"),
    ("mixed_score_hidden", "mix_hidden"),
    ("rank", "rank"),
    ("sinkhorn_iterations", "sinkhorn_iterations"),
];

impl Config {
    /// The paper's network in the sizes that the metadata of a recorded case gives.
    pub fn from_sizes(metadata: &BTreeMap<String, String>) -> Result<Self, NetError> {
        let mut config = Self::default();
        for (theirs, ours) in NAMES.into_iter().chain([("logit_clipping", "clip")]) {
            let text = metadata.get(theirs).ok_or_else(|| {
                let action = "give the configuration, or a file whose metadata has the sizes";
                NetError::new("no-sizes", format!("the metadata has no `{theirs}`"), action)
            })?;
            // Metadata are strings: numbers are those that read as JSON.
            let value = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()));
            config.set(ours, value)?;
        }
        config.validate()?;
        Ok(config)
    }

    /// The paper's network in the sizes that the shapes of its tensors show. The clip and the iterations
    /// leave no trace in shapes: they are the paper's.
    pub fn from_shapes(shapes: &BTreeMap<String, Vec<usize>>) -> Result<Self, NetError> {
        let no_sizes = |cause: String| {
            NetError::new("no-sizes", cause, "give the configuration, or a file of the public code's layout")
        };
        let shape = |name: &str, dimensions: usize| {
            let found = shapes.get(name).filter(|shape| shape.len() == dimensions);
            found.ok_or_else(|| no_sizes(format!("there is no tensor `{name}` of {dimensions} dimensions")))
        };
        let projection = shape("projection.weight", 2)?;
        let mix = shape("encoder.layers.0.mixed_score_MHA.mix1_weight", 3)?;
        let query = shape("decoder.Wq_0.weight", 2)?;
        let hidden = shape("encoder.layers.0.feed_forward.W1.weight", 2)?[0];
        let layers = (0..)
            .take_while(|layer| shapes.contains_key(&format!("encoder.layers.{layer}.Wq.weight")))
            .count();
        let (width, extra) = (projection[0], query[1].saturating_sub(projection[0]));
        let task = match extra {
            0 => Task::Atsp,
            1 => Task::Acvrp,
            _ => return Err(no_sizes(format!("the query has {extra} numbers about the route, not 0 or 1"))),
        };
        let config = Self {
            task,
            width,
            heads: mix[0],
            layers,
            hidden,
            mix_hidden: mix[2],
            rank: projection[1] / 2,
            ..Self::default()
        };
        config.validate()?;
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata() -> BTreeMap<String, String> {
        let pairs = [
            ("task", "acvrp"),
            ("embedding", "64"),
            ("heads", "4"),
            ("layers", "2"),
            ("feed_forward", "128"),
            ("mixed_score_hidden", "16"),
            ("rank", "10"),
            ("sinkhorn_iterations", "7"),
            ("logit_clipping", "10"),
            ("seed", "3"),
        ];
        pairs.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
    }

    #[test]
    fn metadata_gives_the_sizes() {
        let config = Config::from_sizes(&metadata()).expect("it is there");
        assert_eq!((config.task, config.width, config.hidden), (Task::Acvrp, 64, 128));
        assert_eq!((config.sinkhorn_iterations, config.clip), (7, 10.0));
        let mut lacking = metadata();
        lacking.remove("heads");
        assert!(Config::from_sizes(&lacking).expect_err("refused").to_string().contains("`heads`"));
        let mut wrong = metadata();
        wrong.insert("heads".to_owned(), "many".to_owned());
        assert!(Config::from_sizes(&wrong).expect_err("refused").to_string().contains("many"));
    }

    #[test]
    fn shapes_give_the_sizes() {
        for name in ["paper-atsp", "paper-acvrp", "small-atsp"] {
            let config = Config::preset(name).expect("a preset");
            let shapes = config.parameters().into_iter().map(|one| (one.name, one.shape)).collect();
            assert_eq!(Config::from_shapes(&shapes), Ok(config));
        }
        assert_eq!(Config::from_shapes(&BTreeMap::new()).expect_err("refused").code, "no-sizes");
    }
}
