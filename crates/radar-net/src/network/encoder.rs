//! From what is known of the nodes to what they mean to each other.

use radar_rollout::Stop;

use super::Network;
use super::block::{BlockTape, Scene, Site, Workshop};
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

/// What the encoder leaves behind for its backward. The memory is used again when it is given again.
#[derive(Default)]
pub struct EncoderTape {
    blocks: Vec<BlockTape>,
    shop: Option<Workshop>,
}

impl Network {
    /// Encodes an instance.
    pub fn encode(&self, input: &Input) -> Vec<f32> {
        self.encode_until(input, &|| false).unwrap_or_default()
    }

    /// The same, or nothing when it was stopped: asked before every head of every block, which takes about
    /// 20 ns per pair of nodes.
    pub fn encode_until(&self, input: &Input, stop: Stop<'_>) -> Option<Vec<f32>> {
        let scene = Scene { stop, ..self.scene(std::slice::from_ref(input)) };
        let mut h = self.embed(input);
        let mut memory = BlockTape::default();
        for block in &self.blocks {
            block.forward(&scene, &mut h, &mut memory, false);
            if stop() {
                return None;
            }
        }
        Some(h)
    }

    /// Encodes and keeps every activation, for comparisons.
    pub fn encode_showing(&self, input: &Input) -> Encoding {
        let scene = self.scene(std::slice::from_ref(input));
        let mut h = self.embed(input);
        let mut way = vec![h.clone()];
        let mut memory = BlockTape::default();
        for block in &self.blocks {
            block.forward(&scene, &mut h, &mut memory, false);
            way.extend([memory.attention().to_vec(), h.clone()]);
        }
        Encoding { nodes: h, way }
    }

    /// Encodes some instances, whose M nodes follow each other in the result (M, d), and keeps what
    /// [`Self::encode_backward`] needs.
    pub fn encode_taping(&self, inputs: &[Input], tape: &mut EncoderTape) -> Vec<f32> {
        let scene = self.scene(inputs);
        let mut h: Vec<f32> = inputs.iter().flat_map(|input| self.embed(input)).collect();
        tape.blocks.resize_with(self.blocks.len(), BlockTape::default);
        for (block, tape) in self.blocks.iter().zip(&mut tape.blocks) {
            block.forward(&scene, &mut h, tape, true);
        }
        h
    }

    fn scene<'a>(&'a self, inputs: &'a [Input]) -> Scene<'a> {
        let mut first = 0;
        let site = |input: &'a Input| {
            let nodes = first..first + input.nodes();
            first = nodes.end;
            Site { nodes, mixed: input.mixed(self.weights.config()) }
        };
        Scene {
            weights: &self.weights,
            isa: self.isa,
            instances: inputs.iter().map(site).collect(),
            stop: &|| false,
        }
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

    /// Adds to the gradient of the weights, given that of the encodings (M, d), which is used up.
    pub fn encode_backward(
        &self,
        inputs: &[Input],
        tape: &mut EncoderTape,
        slopes: &mut [f32],
        gradient: &mut Weights,
    ) {
        let scene = self.scene(inputs);
        let EncoderTape { blocks, shop } = tape;
        // Another network may have used the tape before, with other instructions.
        shop.take_if(|shop| shop.isa() != self.isa);
        let shop = shop.get_or_insert_with(|| Workshop::new(self.isa));
        for (block, tape) in self.blocks.iter().zip(blocks).rev() {
            block.backward(&scene, tape, shop, slopes, gradient);
        }
        let width = self.weights.config().width;
        for (input, site) in inputs.iter().zip(&scene.instances) {
            let slopes = &mut slopes[site.nodes.start * width..site.nodes.end * width];
            if let (Some(projection), Some(depot)) = (&self.depot_projection, input.depot()) {
                projection.learn(depot, &slopes[..width], gradient);
                slopes[..width].fill(0.0);
            }
            self.projection.iter().for_each(|projection: &Linear| {
                projection.learn(input.features(), slopes, gradient);
            });
        }
    }
}
