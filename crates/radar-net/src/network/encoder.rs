//! From what is known of the nodes to what they mean to each other.

use super::Network;
use super::block::{BlockTape, Scene};
use super::linear::Linear;
use crate::input::Input;
use crate::weights::Weights;

/// What the encoder makes of an instance.
pub struct Encoding {
    /// The nodes (N, d).
    pub nodes: Vec<f32>,
    /// All on the way there, if it was asked for: the embedding; per block the heads side by side and the
    /// output; (N, d) each.
    pub way: Vec<Vec<f32>>,
}

/// What the encoder leaves behind for its backward.
#[derive(Default)]
pub struct EncoderTape {
    blocks: Vec<BlockTape>,
}

impl Network {
    /// Encodes an instance.
    pub fn encode(&self, input: &Input) -> Vec<f32> {
        self.run_encoder(input, None, false).nodes
    }

    /// Encodes and keeps every activation, for comparisons.
    pub fn encode_showing(&self, input: &Input) -> Encoding {
        self.run_encoder(input, None, true)
    }

    /// Encodes and keeps what [`Self::encode_backward`] needs.
    pub fn encode_taping(&self, input: &Input, tape: &mut EncoderTape) -> Vec<f32> {
        self.run_encoder(input, Some(tape), false).nodes
    }

    fn run_encoder(&self, input: &Input, mut tape: Option<&mut EncoderTape>, show: bool) -> Encoding {
        let mixed = input.mixed(self.weights.config());
        let scene = Scene { weights: &self.weights, isa: self.isa, nodes: input.nodes(), mixed: &mixed };
        let mut h = self.embed(input);
        let mut way = Vec::new();
        if show {
            way.push(h.clone());
        }
        if let Some(tape) = tape.as_deref_mut() {
            tape.blocks.resize_with(self.blocks.len(), BlockTape::default);
        }
        for (at, block) in self.blocks.iter().enumerate() {
            let tape = tape.as_deref_mut().map(|tape| &mut tape.blocks[at]);
            let attention = block.forward(&scene, &mut h, tape);
            if show {
                way.extend([attention, h.clone()]);
            }
        }
        Encoding { nodes: h, way }
    }

    /// The embedding (N, d): features through their projection, the depot's through its own, and a unit
    /// vector where nodes have one.
    fn embed(&self, input: &Input) -> Vec<f32> {
        let width = self.weights.config().width;
        let mut h = match &self.projection {
            Some(projection) => projection.apply(&self.weights, input.features()),
            None => vec![0.0; input.nodes() * width],
        };
        if let (Some(projection), Some(depot)) = (&self.depot_projection, input.depot()) {
            h[..width].copy_from_slice(&projection.apply(&self.weights, depot));
        }
        for (node, &unit) in input.units().iter().enumerate() {
            h[node * width + unit] += 1.0;
        }
        h
    }

    /// Adds to the gradient of the weights, given that of the encoding (N, d), which is used up.
    pub fn encode_backward(
        &self,
        input: &Input,
        tape: &EncoderTape,
        mut slopes: Vec<f32>,
        gradient: &mut Weights,
    ) {
        let mixed = input.mixed(self.weights.config());
        let scene = Scene { weights: &self.weights, isa: self.isa, nodes: input.nodes(), mixed: &mixed };
        for (block, tape) in self.blocks.iter().zip(&tape.blocks).rev() {
            block.backward(&scene, tape, &mut slopes, gradient);
        }
        let width = self.weights.config().width;
        if let (Some(projection), Some(depot)) = (&self.depot_projection, input.depot()) {
            projection.learn(depot, &slopes[..width], gradient);
            slopes[..width].fill(0.0);
        }
        self.projection.iter().for_each(|projection: &Linear| {
            projection.learn(input.features(), &slopes, gradient);
        });
    }
}
