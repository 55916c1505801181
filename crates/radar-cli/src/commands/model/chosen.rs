//! A network chosen on the command line.

use std::path::PathBuf;

use radar_net::Config;
use serde_json::Value;

use super::refused;
use crate::failure::Failure;
use crate::input;

/// Where the help lists it.
const NETWORK: &str = "The network";

/// A preset or a file, and keys that differ.
#[derive(Clone, Debug, clap::Args)]
pub struct Chosen {
    /// A network by name (listed below)
    #[arg(long, help_heading = NETWORK, value_name = "NAME", conflicts_with = "config")]
    preset: Option<String>,

    /// A network by its keys: a JSON object such as {"preset": "vrp", "width": 128}
    #[arg(long, help_heading = NETWORK, value_name = "JSON")]
    config: Option<PathBuf>,

    /// Any key of the network, for instance layers=3 or terms=["edge"]; may be repeated
    #[arg(long, help_heading = NETWORK, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

/// The presets and keys, for the help.
pub fn list() -> String {
    format!(
        "Presets: {}.\nKeys: {}.\nSee docs/models.md.",
        Config::preset_names().join(", "),
        Config::KEYS.join(", ")
    )
}

impl Chosen {
    /// The files that are read.
    pub fn inputs(&self) -> Vec<PathBuf> {
        self.config.iter().cloned().collect()
    }

    /// The network, if any was chosen.
    pub fn config(&self) -> Result<Option<Config>, Failure> {
        let mut config = match (&self.preset, &self.config) {
            (Some(name), _) => Config::preset(name).map_err(refused)?,
            (None, Some(path)) => {
                let content = input::bytes(path)?;
                serde_json::from_slice(&content).map_err(|error| {
                    let action = format!("give a JSON object with some of {}", Config::KEYS.join(", "));
                    Failure::input("config", error.to_string(), action).of(&path.display().to_string())
                })?
            }
            (None, None) if self.set.is_empty() => return Ok(None),
            (None, None) => Config::default(),
        };
        for text in &self.set {
            let (key, value) = text.split_once('=').ok_or_else(|| {
                let cause = format!("`{text}` is no KEY=VALUE");
                Failure::input("bad-parameter", cause, "for instance --set layers=3")
            })?;
            // What is no JSON is a word.
            let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
            config.set(key, value).map_err(refused)?;
        }
        config.validate().map_err(refused)?;
        Ok(Some(config))
    }
}
