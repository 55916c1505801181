//! What a run is measured on.

use serde::Serialize;

use super::data::{Data, LEAST_NODES};
use super::section::{self, Section};
use crate::error::TrainError;

/// What validation costs are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum References {
    /// Plans of our own search; tours are mostly proved optimal.
    Search,
    /// Nothing: costs alone.
    None,
}

/// The validation set and when it is asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Validation {
    /// Stops per instance; the largest size of the data unless given.
    #[serde(serialize_with = "section::or_data")]
    pub nodes: Option<usize>,
    /// How many instances; 0 is no validation.
    pub count: usize,
    /// Steps between two validations.
    pub every: u64,
    /// The seed of the set: runs of different seeds are measured on the same instances.
    #[serde(serialize_with = "section::write_seed")]
    pub seed: u64,
    /// What costs are compared with.
    pub references: References,
    /// Steps of search behind a reference.
    pub search_steps: u64,
    /// Road matrices of the set, where they are others than those of the data.
    pub roads: Vec<String>,
}

impl Default for Validation {
    fn default() -> Self {
        Self {
            nodes: None,
            count: 64,
            every: 100,
            seed: 0,
            references: References::Search,
            search_steps: 20_000,
            roads: Vec::new(),
        }
    }
}

impl Validation {
    /// Stops per instance.
    pub fn size(&self, data: &Data) -> usize {
        self.nodes.or(data.sizes().last().copied()).unwrap_or_default()
    }

    pub(super) fn read(mut table: Section) -> Result<Self, TrainError> {
        let usual = Self::default();
        let references = [("search", References::Search), ("none", References::None)];
        let validation = Self {
            nodes: table
                .or_word("data", "nodes", |table, key| table.whole(key, LEAST_NODES as u64..=20_000))?
                .map(|nodes| nodes as usize),
            count: table.whole("count", 0..=100_000)?.map_or(usual.count, |count| count as usize),
            every: table.whole("every", 1..=1 << 30)?.unwrap_or(usual.every),
            seed: table.seed("seed")?.unwrap_or(usual.seed),
            references: table.choice("references", &references)?.unwrap_or(usual.references),
            search_steps: table.whole("search_steps", 1..=1 << 40)?.unwrap_or(usual.search_steps),
            roads: table.texts("roads")?.unwrap_or_default(),
        };
        table.finish()?;
        Ok(validation)
    }
}
