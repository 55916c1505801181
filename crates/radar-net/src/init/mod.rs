//! What tells the nodes apart before the first block.
//!
//! A new initialisation is a file here and a line in the table.

use radar_kernel::isa::Isa;
use radar_kernel::random::Stream;

use crate::config::Config;
use crate::error::NetError;
use crate::family::family;
use crate::input::Draw;
use crate::reference;

family! {
    /// What tells the nodes apart before the first block.
    Init {
        /// The leading singular vectors of the scaled matrix.
        Svd = "svd" in svd,
        /// One random number.
        Random = "random" in random,
        /// A random unit vector of its own, added to the embedding.
        OneHot = "one-hot" in one_hot,
        /// The smallest entries of its row and of its column.
        Nearest = "nearest" in nearest,
        /// Nothing but what the task says of it.
        Demand = "demand" in demand,
    }
}

/// What an initialisation is.
pub(crate) struct Part {
    /// How many columns it gives every node.
    pub columns: fn(&Config) -> usize,
    /// Whether it tells nodes apart of which the task says nothing: those of a tour.
    pub alone: bool,
    /// Whether it takes anything from chance: whether another draw sees the same instance differently.
    pub draws: fn(&Config) -> bool,
    /// It in a card's words.
    pub words: fn(&Config) -> String,
    /// The marks of the nodes.
    pub marks: fn(&Sight) -> Result<Marks, NetError>,
    /// The same in f64.
    pub naive: fn(&reference::Sight<'_>) -> reference::Marks,
}

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
