//! What tells the nodes apart before the first block.
//!
//! A new initialisation is a file here, a name in the configuration and a line in [`marks`].

mod demand;
mod nearest;
mod one_hot;
mod random;
mod svd;

use radar_kernel::isa::Isa;
use radar_kernel::random::Stream;

use crate::config::{Config, Init};
use crate::error::NetError;
use crate::input::Draw;

/// What an initialisation may look at.
pub(crate) struct Sight<'a> {
    pub config: &'a Config,
    pub nodes: usize,
    /// The scaled cost there and back, (N, N).
    pub there: &'a [f32],
    pub back: &'a [f32],
    pub draw: Draw,
    pub isa: Isa,
}

impl Sight<'_> {
    /// The stream of this draw for a purpose.
    fn stream(&self, purpose: &str) -> Stream {
        Stream::new(self.draw.seed, purpose, self.draw.index)
    }
}

/// What it gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Marks {
    /// Columns of the input of the projection, [`Config::init_columns`] per node.
    pub columns: Vec<f32>,
    /// A place in the embedding for each node, or none at all.
    pub units: Vec<usize>,
}

/// The marks of the configured initialisation.
pub(crate) fn marks(sight: &Sight) -> Result<Marks, NetError> {
    let make: fn(&Sight) -> Result<Marks, NetError> = match sight.config.init {
        Init::Svd => svd::marks,
        Init::Random => random::marks,
        Init::OneHot => one_hot::marks,
        Init::Nearest => nearest::marks,
        Init::Demand => demand::marks,
    };
    make(sight)
}
