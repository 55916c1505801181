//! The network on fused kernels: weights packed for an instruction set, forward and backward.
//!
//! Shapes: N nodes, d width, H heads, c = d / H, R rows of a decoding step.

mod block;
mod decoder;
mod decoder_backward;
mod encoder;
mod linear;

pub use block::BlockTape;
pub use decoder::{Choices, Step, Tables};
pub use decoder_backward::TablesGradient;
pub use encoder::{EncoderTape, Encoding};

use radar_kernel::isa::Isa;

use crate::config::Task;
use crate::weights::Weights;
use block::Block;
use linear::Linear;

/// Weights in the form in which they are used.
pub struct Network {
    weights: Weights,
    isa: Isa,
    projection: Option<Linear>,
    depot_projection: Option<Linear>,
    blocks: Vec<Block>,
    /// The node's part of the query; what the context adds stands beside it.
    query: Linear,
    first: Option<Linear>,
    key: Linear,
    value: Linear,
    combine: Linear,
}

/// What a network is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Forward only.
    Inference,
    /// Forward and backward: every matrix is also packed the other way round.
    Training,
}

impl Network {
    /// Packs the weights for an instruction set, or the next poorer one that the machine has.
    pub fn new(weights: Weights, isa: Isa, purpose: Use) -> Self {
        let isa = isa.or_available();
        let config = weights.config().clone();
        let (width, hidden) = (config.width, config.hidden);
        let build = |name: &str, inputs: usize, out: usize, bias: bool| {
            Linear::new(&weights, isa, purpose, name, inputs, out, bias)
        };
        let blocks = (0..config.layers).map(|layer| Block::new(layer, width, hidden, &build)).collect();
        let columns = config.columns();
        Self {
            isa,
            projection: (columns > 0).then(|| build("projection", columns, width, true)),
            depot_projection: config
                .depot_columns()
                .map(|columns| build("depot_projection", columns, width, true)),
            blocks,
            query: build("decoder.Wq_0", width + config.context(), width, false),
            first: (config.task == Task::Atsp).then(|| build("decoder.Wq_1", width, width, false)),
            key: build("decoder.Wk", width, width, false),
            value: build("decoder.Wv", width, width, false),
            combine: build("decoder.multi_head_combine", width, width, true),
            weights,
        }
    }

    /// Packs other weights of the same configuration.
    pub fn refill(&mut self, values: &[f32]) {
        self.weights.values_mut().copy_from_slice(values);
        let weights = &self.weights;
        let own = [Some(&mut self.query), self.first.as_mut(), Some(&mut self.key), Some(&mut self.value)];
        let others = [self.projection.as_mut(), self.depot_projection.as_mut(), Some(&mut self.combine)];
        own.into_iter().chain(others).flatten().for_each(|linear| linear.refill(weights));
        self.blocks.iter_mut().for_each(|block| block.refill(weights));
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The instruction set of its products.
    pub fn isa(&self) -> Isa {
        self.isa
    }
}
