//! What a network is made of: every part by name, every size. The configuration is the constructor and is
//! saved with the weights.

mod check;
mod choice;
mod parameters;
mod preset;
mod sizes;

pub use crate::init::Init;
pub use crate::mix::Mix;
pub use crate::normalisation::Normalisation;
pub use crate::scaling::Scaling;
pub use crate::term::Term;
pub use choice::{Ends, Signs, Sketch, Task};
pub use parameters::{Initial, Parameter};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::NetError;
use check::Valid;

/// Declares the keys once: the field, its default, what it may be.
macro_rules! keys {
    ($($(#[doc = $doc:literal])+ $key:ident: $type:ty = $default:expr, $valid:expr;)+) => {
        /// Every part and every size of a network. Read from JSON or TOML, keys that are left out are
        /// those of `preset` (a key of its own; the paper's ATSP network unless given).
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(try_from = "Map<String, Value>")]
        pub struct Config { $($(#[doc = $doc])+ pub $key: $type,)+ }

        impl Default for Config {
            fn default() -> Self {
                Self { $($key: $default,)+ }
            }
        }

        impl Config {
            /// Every key.
            pub const KEYS: &'static [&'static str] = &[$(stringify!($key),)+];

            /// Sets one key; the error names the key, the value and what is valid.
            pub fn set(&mut self, key: &str, value: Value) -> Result<(), NetError> {
                match key {
                    $(stringify!($key) => {
                        $valid.check(key, &value)?;
                        self.$key =
                            serde_json::from_value(value.clone()).map_err(|_| $valid.refusal(key, &value))?;
                    })+
                    _ => return Err(check::unknown_key(key)),
                }
                Ok(())
            }

            fn check_each(&self) -> Result<(), NetError> {
                $($valid.check(stringify!($key), &serde_json::to_value(&self.$key).unwrap_or_default())?;)+
                Ok(())
            }
        }
    };
}

keys! {
    /// What the decoder builds.
    task: Task = Task::Atsp, Valid::One(Task::NAMES);
    /// Numbers per node.
    width: usize = 256, Valid::Whole(1, 8192);
    /// Heads of attention; they share the width.
    heads: usize = 8, Valid::Whole(1, 256);
    /// Blocks of the encoder.
    layers: usize = 5, Valid::Whole(1, 128);
    /// Width inside the feed-forward part of a block.
    hidden: usize = 512, Valid::Whole(1, 65536);
    /// Width inside the mixing of scores.
    mix_hidden: usize = 16, Valid::Whole(1, 1024);
    /// The decoder's scores stay within plus and minus this.
    clip: f64 = 10.0, Valid::Positive(1e6);
    /// What tells the nodes apart before the first block.
    init: Init = Init::Svd, Valid::One(Init::NAMES);
    /// Singular triplets, where `init` is `svd`.
    rank: usize = 10, Valid::Whole(1, 1024);
    /// Entries of row and of column, where `init` is `nearest`.
    neighbours: usize = 50, Valid::Whole(1, 1024);
    /// How singular vectors are found.
    sketch: Sketch = Sketch::Randomised, Valid::One(Sketch::NAMES);
    /// Power iterations of the randomised sketch.
    power: usize = 2, Valid::Whole(0, 100);
    /// Columns of the randomised sketch beyond the rank.
    oversample: usize = 0, Valid::Whole(0, 1024);
    /// The sign of each pair of singular vectors.
    signs: Signs = Signs::Free, Valid::One(Signs::NAMES);
    /// How a matrix is scaled before the network sees it.
    scaling: Scaling = Scaling::ZScore, Valid::One(Scaling::NAMES);
    /// What is mixed into the scores, after the dot product and in this order.
    mix: Vec<Mix> = vec![Mix::Distance, Mix::DistanceBack], Valid::Several(Mix::NAMES);
    /// How scores become weights of attention.
    normalisation: Normalisation = Normalisation::Sinkhorn, Valid::One(Normalisation::NAMES);
    /// Iterations of Sinkhorn's.
    sinkhorn_iterations: usize = 10, Valid::Whole(1, 1000);
    /// Which normalisation comes last in each of them.
    ends_on: Ends = Ends::Columns, Valid::One(Ends::NAMES);
    /// What is taken off a candidate's score.
    terms: Vec<Term> = Vec::new(), Valid::Several(Term::NAMES);
}

impl Config {
    /// Whether every value is valid, by itself and with the others.
    pub fn validate(&self) -> Result<(), NetError> {
        self.check_each()?;
        if !self.width.is_multiple_of(self.heads) {
            return Err(NetError::new(
                "config",
                format!("`heads` is {}, which does not divide `width` = {}", self.heads, self.width),
                "give a number of heads that divides the width",
            ));
        }
        if self.task == Task::Atsp && !self.init.part().alone {
            let valid = Init::ALL.iter().filter(|init| init.part().alone);
            let valid: Vec<&str> = valid.map(|init| init.as_str()).collect();
            return Err(NetError::new(
                "config",
                format!("`init` is {}, but with `task` = atsp nodes have no demand", self.init),
                format!("give one of {}", valid.join(", ")),
            ));
        }
        Ok(())
    }

    /// Width of one head.
    pub fn head_width(&self) -> usize {
        self.width / self.heads
    }

    /// The normalisation in the kernels' words.
    pub(crate) fn kernel_normalisation(&self) -> radar_kernel::attention::Normalisation {
        (self.normalisation.part().kernel)(self)
    }

    /// Whether another draw sees the same instance differently.
    pub fn draws(&self) -> bool {
        (self.init.part().draws)(self)
    }

    /// Columns that `init` gives every node.
    pub fn init_columns(&self) -> usize {
        (self.init.part().columns)(self)
    }

    /// Columns of the input of `projection`: those of `init`, then what the task says of a node.
    pub fn columns(&self) -> usize {
        self.init_columns()
            + match self.task {
                Task::Atsp => 0,
                Task::Acvrp => 1,
                Task::Vrp => 10,
            }
    }

    /// Columns of the input of `depot_projection`, where the depot has one of its own.
    pub fn depot_columns(&self) -> Option<usize> {
        (self.task == Task::Vrp).then(|| self.init_columns() + 10)
    }

    /// Numbers about the route so far in the decoder's query.
    pub fn context(&self) -> usize {
        match self.task {
            Task::Atsp => 0,
            Task::Acvrp => 1,
            Task::Vrp => 13,
        }
    }

    /// Whether vehicles are told on their way what all that is left would do ([`crate::journey`]).
    pub fn has_journeys(&self) -> bool {
        self.task == Task::Vrp && self.terms.iter().any(|term| term.part().rides)
    }
}

impl TryFrom<Map<String, Value>> for Config {
    type Error = NetError;

    fn try_from(mut map: Map<String, Value>) -> Result<Self, NetError> {
        let mut config = match map.remove("preset") {
            None => Self::default(),
            Some(Value::String(name)) => Self::preset(&name)?,
            Some(other) => return Err(Valid::One(&Self::preset_names()).refusal("preset", &other)),
        };
        for (key, value) in map {
            config.set(&key, value)?;
        }
        config.validate()?;
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(json: &str) -> String {
        serde_json::from_str::<Config>(json).expect_err("refused").to_string()
    }

    #[test]
    fn the_default_is_the_papers() {
        let config: Config = serde_json::from_str("{}").expect("JSON");
        assert_eq!(config, Config::preset("paper-atsp").expect("a preset"));
        assert_eq!((config.columns(), config.context(), config.head_width()), (20, 0, 32));
    }

    #[test]
    fn a_configuration_goes_there_and_back() {
        let json =
            r#"{"preset":"vrp","width":64,"heads":4,"clip":50,"terms":["edge","ahead"],"mix":["duration"]}"#;
        let config: Config = serde_json::from_str(json).expect("JSON");
        assert_eq!(config.task, Task::Vrp);
        assert_eq!(config.clip, 50.0);
        assert_eq!(config.mix, [Mix::Duration]);
        let text = serde_json::to_string(&config).expect("JSON");
        assert_eq!(serde_json::from_str::<Config>(&text).expect("JSON"), config);
        for key in Config::KEYS {
            assert!(text.contains(&format!("\"{key}\":")), "{key}");
        }
    }

    #[test]
    fn refusals_name_key_value_and_what_is_valid() {
        for (json, parts) in [
            (r#"{"widht":1}"#, vec!["`widht`", "did you mean `width`", "sinkhorn_iterations"]),
            (r#"{"width":"wide"}"#, vec!["`width`", "\"wide\"", "from 1 to 8192"]),
            (r#"{"width":0}"#, vec!["`width`", "is 0", "from 1 to 8192"]),
            (r#"{"layers":2.5}"#, vec!["`layers`", "2.5", "whole number"]),
            (r#"{"layers":-1}"#, vec!["`layers`", "-1"]),
            (r#"{"clip":0}"#, vec!["`clip`", "is 0", "above 0"]),
            (r#"{"init":"qr"}"#, vec!["`init`", "\"qr\"", "svd, random"]),
            (r#"{"mix":["distance","distance"]}"#, vec!["`mix`", "distance-back", "at most once"]),
            (r#"{"terms":"edge"}"#, vec!["`terms`", "\"edge\"", "list"]),
            (r#"{"heads":7}"#, vec!["`heads` is 7", "`width` = 256"]),
            (r#"{"init":"demand"}"#, vec!["`init`", "atsp"]),
            (r#"{"preset":"paper"}"#, vec!["`paper`", "paper-atsp"]),
            (r#"{"preset":3}"#, vec!["`preset`", "3", "paper-atsp"]),
        ] {
            let text = refusal(json);
            assert!(parts.iter().all(|part| text.contains(part)), "{json}: {text}");
        }
    }

    #[test]
    fn fields_set_by_hand_are_checked_too() {
        let config = Config { clip: f64::NAN, ..Config::default() };
        assert!(config.validate().expect_err("refused").to_string().contains("`clip`"));
        let config = Config { terms: vec![Term::Edge, Term::Edge], ..Config::default() };
        assert!(config.validate().is_err());
    }
}
