//! Networks by name.

use super::{Config, Mix, Task};
use crate::error::NetError;

type Preset = (&'static str, fn() -> Config);

const PRESETS: &[Preset] = &[
    ("paper-atsp", Config::default),
    ("paper-acvrp", || Config { task: Task::Acvrp, ..Config::default() }),
    ("vrp", || timed(Config { task: Task::Vrp, ..Config::default() })),
    ("small-atsp", || small(Task::Atsp)),
    ("small-acvrp", || small(Task::Acvrp)),
    ("small-vrp", || timed(small(Task::Vrp))),
];

/// Half the paper's width: a quarter of its weights, for training on few cores.
fn small(task: Task) -> Config {
    Config { task, width: 128, hidden: 256, ..Config::default() }
}

/// Times beside distances: where they differ, both decide what is near. Where they do not, the distances come twice.
fn timed(config: Config) -> Config {
    Config { mix: vec![Mix::Distance, Mix::DistanceBack, Mix::Duration, Mix::DurationBack], ..config }
}

impl Config {
    /// The network of that name.
    pub fn preset(name: &str) -> Result<Self, NetError> {
        let found = PRESETS.iter().find(|(known, _)| *known == name);
        found.map(|(_, make)| make()).ok_or_else(|| {
            let valid = format!("give one of {}", Self::preset_names().join(", "));
            NetError::new("config", format!("there is no preset `{name}`"), valid)
        })
    }

    /// The names of all presets.
    pub fn preset_names() -> Vec<&'static str> {
        PRESETS.iter().map(|(name, _)| *name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_presets_are_valid_and_different() {
        let all: Vec<Config> =
            Config::preset_names().into_iter().map(|name| Config::preset(name).expect("a preset")).collect();
        for (at, config) in all.iter().enumerate() {
            assert_eq!(config.validate(), Ok(()));
            assert!(!all[..at].contains(config));
        }
    }
}
