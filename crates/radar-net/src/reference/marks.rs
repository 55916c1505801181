//! What tells the nodes apart.

use radar_kernel::random::Stream;

use crate::config::Config;
use crate::input::Draw;

/// What an initialisation may look at.
pub(crate) struct Sight<'a> {
    pub config: &'a Config,
    pub nodes: usize,
    /// The scaled distance (N, N).
    pub distance: &'a [f64],
    pub draw: Draw,
}

impl Sight<'_> {
    /// The stream of the draw for a purpose: chance is part of what is defined.
    pub fn stream(&self, purpose: &str) -> Stream {
        Stream::new(self.draw.seed, purpose, self.draw.index)
    }
}

/// What an initialisation gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// Columns of the input of `projection` (N, [`Config::init_columns`]).
    pub columns: Vec<f64>,
    /// Which unit vector each node adds to its embedding; empty where none do.
    pub places: Vec<usize>,
}

/// The marks of the nodes of a scaled matrix (N, N).
pub fn marks(config: &Config, distance: &[f64], draw: Draw) -> Marks {
    let nodes = distance.len().isqrt();
    (config.init.part().naive)(&Sight { config, nodes, distance, draw })
}
