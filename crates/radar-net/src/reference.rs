//! The network naively: f64, one loop per formula, for tests and for readers. Nothing here is fast, and
//! nothing here shares code with what is. What single parts do is written in their files, below the fast
//! form of each.
//!
//! Matrices are row-major slices; N nodes, d width, H heads, c = d / H.

mod block;
mod decode;
mod embed;
pub mod environment;
mod hours;
mod linear;
pub(crate) mod logs;
mod marks;
mod rides;
mod scale;
pub mod svd;
mod ways;

pub use block::{Block, block};
pub use decode::{Decoder, Step};
pub use embed::embed;
pub(crate) use marks::Sight;
pub use marks::{Marks, marks};
pub use scale::scale;
pub use ways::Trips;
pub(crate) use ways::Ways;

use crate::config::{Config, Mix, Task};
use crate::mix;
use crate::weights::Weights;

/// What the network sees of one instance.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// N.
    pub nodes: usize,
    /// The scaled distance (N, N): what the decoder's terms are taken from.
    pub distance: Vec<f64>,
    /// Whether the first node is one that all routes begin at.
    pub has_depot: bool,
    /// What routes are; none of a tour, and none where `task` is not vrp.
    pub trips: Option<Trips>,
    /// What else terms look at (N, N): see [`Case::wanted`].
    pub wanted: Vec<(Mix, Vec<f64>)>,
    /// The matrices mixed into the scores (each N, N), scaled, in the order of [`Config::mix`].
    pub scores: Vec<Vec<f64>>,
    /// The input of `projection` (N, [`Config::columns`]); the depot's row is there but unread where
    /// the depot has a projection of its own.
    pub features: Vec<f64>,
    /// The input of `depot_projection` ([`Config::depot_columns`]); empty where there is none.
    pub depot: Vec<f64>,
    /// Which unit vector each node adds, where `init` is `one-hot`; empty otherwise.
    pub places: Vec<usize>,
}

impl Case {
    /// The case of raw matrices (N, N) of a tour and given features, for networks without depot features or
    /// places: scales the matrices and arranges them as the configuration says.
    pub fn new(config: &Config, distance: &[f64], duration: &[f64], features: Vec<f64>) -> Self {
        Self::of_routes(config, distance, duration, None, features)
    }

    /// The same, of routes.
    pub fn of_routes(
        config: &Config,
        distance: &[f64],
        duration: &[f64],
        trips: Option<&Trips>,
        features: Vec<f64>,
    ) -> Self {
        let nodes = distance.len().isqrt();
        let (there, time) = (scale(config.scaling, distance), scale(config.scaling, duration));
        let ways = Ways { nodes, distance: &there, duration: &time, trips };
        let scores = config.mix.iter().map(|mix| (mix.part().naive)(&ways)).collect();
        let wanted = mix::naive(config, &ways);
        Self {
            nodes,
            distance: there,
            has_depot: trips.is_some(),
            trips: trips.filter(|_| config.task == Task::Vrp).cloned(),
            wanted,
            scores,
            features,
            depot: Vec::new(),
            places: Vec::new(),
        }
    }

    /// What terms look at beside the scaled distance (N, N), of routes if there are any.
    pub fn wanted(config: &Config, distance: &[f64], trips: Option<&Trips>) -> Vec<(Mix, Vec<f64>)> {
        let nodes = distance.len().isqrt();
        mix::naive(config, &Ways { nodes, distance, duration: distance, trips })
    }

    /// One of those that terms look at.
    pub(crate) fn matrix(&self, mix: Mix) -> &[f64] {
        let found = self.wanted.iter().find(|(wanted, _)| *wanted == mix);
        found.map_or(&self.distance, |(_, matrix)| matrix)
    }

    /// The scaled distance from a node to a node.
    pub fn entry(&self, from: usize, to: usize) -> f64 {
        self.distance[from * self.nodes + to]
    }
}

/// Every activation of the encoder, each (N, d).
#[derive(Clone, Debug)]
pub struct Encoding {
    /// After the input projection.
    pub embedding: Vec<f64>,
    /// Every block.
    pub blocks: Vec<Block>,
}

impl Encoding {
    /// What the decoder works on.
    pub fn output(&self) -> &[f64] {
        self.blocks.last().map_or(&self.embedding, |block| &block.output)
    }

    /// The activations by the names of recorded cases.
    pub fn named(&self) -> Vec<(String, &[f64])> {
        let mut all = vec![("act.embedding".to_owned(), self.embedding.as_slice())];
        for (layer, block) in self.blocks.iter().enumerate() {
            all.push((format!("act.encoder.{layer}.attention"), &block.attention));
            all.push((format!("act.encoder.{layer}"), &block.output));
        }
        all
    }
}

/// The encoder: embedding, then every block on the one before.
pub fn encode(weights: &Weights, case: &Case) -> Encoding {
    let embedding = embed(weights, case);
    let mut blocks: Vec<Block> = Vec::new();
    for layer in 0..weights.config().layers {
        let before = blocks.last().map_or(&embedding, |block| &block.output);
        let next = block(weights, layer, case, before);
        blocks.push(next);
    }
    Encoding { embedding, blocks }
}
