//! Files that were written elsewhere: another prefix, dead layers, no card.

use std::path::Path;

use super::{Archive, CARD, Checkpoint, bytes_of, card_of};
use crate::card::Card;
use crate::config::{Config, Task};
use crate::error::NetError;

/// What PyTorch puts in front of names: wrappers, and the keys of a saved training.
const PREFIXES: [&str; 5] = ["weight.", "model_state_dict.", "state_dict.", "module.", "model."];

/// Layers that the public code makes, saves and never uses.
pub(super) fn is_dead(config: &Config, name: &str) -> bool {
    let unused_query = config.task != Task::Atsp && name == "decoder.Wq_1.weight";
    let gate = name.strip_prefix("encoder.layers.").and_then(|rest| rest.split_once('.'));
    let unused_gate = gate.is_some_and(|(layer, part)| {
        layer.parse::<usize>().is_ok_and(|layer| layer < config.layers)
            && matches!(part, "g_layer.weight" | "g_layer.bias")
    });
    unused_query || unused_gate
}

impl Checkpoint {
    /// Reads a file of the public code's layout. The configuration is the one given; else the file's card,
    /// the sizes in its metadata, or what the shapes show.
    pub fn import(path: &Path, config: Option<&Config>) -> Result<Self, NetError> {
        let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        Self::import_bytes(&bytes_of(path)?, &name, config)
    }

    /// The same for a file's content; `name` goes to the card.
    pub fn import_bytes(bytes: &[u8], name: &str, config: Option<&Config>) -> Result<Self, NetError> {
        let archive = Archive::open(bytes)?.stripped();
        let metadata = archive.metadata();
        let card = match (metadata.get(CARD), config) {
            (Some(text), None) => card_of(text)?,
            (_, Some(config)) => Card::new(name, config.clone()),
            (None, None) if metadata.contains_key("embedding") => {
                Card::new(name, Config::from_sizes(metadata)?)
            }
            (None, None) => {
                let shape = |name: &str| archive.shape(name).unwrap_or_default().to_vec();
                let shapes = archive.names().map(|name| (name.to_owned(), shape(name))).collect();
                Card::new(name, Config::from_shapes(&shapes)?)
            }
        };
        let weights = archive.weights(&card.config)?;
        Ok(Self { card, weights })
    }
}

impl Archive<'_> {
    /// The weights of a recorded case, under their own names.
    pub(crate) fn weights_of_case(self) -> Self {
        self.renamed(|name| name.strip_prefix("weight.").map(str::to_owned))
    }

    /// The weights of any file, without the prefixes that all names share.
    fn stripped(self) -> Self {
        if self.shape("in.distance").is_some() {
            return self.weights_of_case();
        }
        let mut archive = self;
        while let Some(prefix) =
            PREFIXES.iter().find(|prefix| archive.names().all(|name| name.starts_with(*prefix)))
            && archive.names().next().is_some()
        {
            archive = archive.renamed(|name| name.strip_prefix(prefix).map(str::to_owned));
        }
        archive
    }
}
