//! The network on fused kernels: weights packed for an instruction set, forward and backward.
//!
//! Shapes: N nodes, d width, H heads, c = d / H, R rows of a decoding step.

mod attend;
mod block;
mod choose;
mod decoder;
mod decoder_backward;
mod encoder;
mod head;
mod linear;

pub use attend::Step;
pub use block::BlockTape;
pub use choose::{Choices, Thoughts};
pub use decoder::Tables;
pub use decoder_backward::TablesGradient;
pub use encoder::{EncoderTape, Encoding};

use radar_kernel::isa::Isa;
use radar_kernel::product::{Packed, View};
use radar_problem::Instance;

use crate::config::Task;
use crate::error::NetError;
use crate::features;
use crate::weights::Weights;
use block::Block;
use linear::Linear;

/// Weights in the form in which they are used.
pub struct Network {
    weights: Weights,
    isa: Isa,
    purpose: Use,
    projection: Option<Linear>,
    depot_projection: Option<Linear>,
    blocks: Vec<Block>,
    /// The node's part of the query; what the context adds stands beside it.
    query: Linear,
    first: Option<Linear>,
    key: Linear,
    value: Linear,
    combine: Linear,
    /// The output map as it is folded into the keys of the choice.
    fold: Packed,
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
        let width = config.width;
        let build = |name: &str, inputs: usize, out: usize, bias: bool| {
            Linear::new(&weights, isa, purpose, name, inputs, out, bias)
        };
        let blocks = (0..config.layers).map(|layer| Block::new(layer, &weights, &build)).collect();
        let columns = config.columns();
        let combine = build("decoder.multi_head_combine", width, width, true);
        Self {
            isa,
            purpose,
            projection: (columns > 0).then(|| build("projection", columns, width, true)),
            depot_projection: config
                .depot_columns()
                .map(|columns| build("depot_projection", columns, width, true)),
            blocks,
            query: build("decoder.Wq_0", width, width, false),
            first: (config.task == Task::Atsp).then(|| build("decoder.Wq_1", width, width, false)),
            key: build("decoder.Wk", width, width, false),
            value: build("decoder.Wv", width, width, false),
            fold: Packed::new(isa, fold(&combine, &weights)),
            combine,
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
        self.fold.refill(fold(&self.combine, weights));
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Refuses an instance that it cannot read: a tour where it makes routes, features that it does not know.
    pub fn suits(&self, instance: &Instance) -> Result<(), NetError> {
        features::check(self.weights.config().task, instance)
    }

    /// The instruction set of its products.
    pub fn isa(&self) -> Isa {
        self.isa
    }
}

/// A square map W as a factor, y = x W.
fn fold<'a>(linear: &Linear, weights: &'a Weights) -> View<'a> {
    let width = weights.config().width;
    View::new(&weights.values()[linear.weight()], width, width)
}
