//! The leading singular vectors of the scaled cost, each times the root of its singular value: the left
//! ones say how a node is left, the right ones how it is reached.

use radar_kernel::product::View;
use radar_kernel::svd::{Triplets, exact, randomised};

use super::{Marks, Sight};
use crate::config::{Signs, Sketch};
use crate::error::NetError;

/// Columns [U sqrt(S) | V sqrt(S)] (N, 2 rank), zero in each half from the rank of the matrix on.
pub(super) fn marks(sight: &Sight) -> Result<Marks, NetError> {
    let config = sight.config;
    let matrix = View::new(sight.there, sight.nodes, sight.nodes);
    let mut triplets = match config.sketch {
        Sketch::Exact => exact(sight.isa, matrix, config.rank),
        Sketch::Randomised => {
            let stream = &mut sight.stream("sketch");
            randomised(sight.isa, matrix, config.rank, config.power, config.oversample, stream)
        }
    };
    if config.signs == Signs::Fixed {
        triplets.fix_signs();
    }
    let Triplets { u, s, v } = triplets;
    let roots: Vec<f32> = s.iter().map(|value| value.sqrt()).collect();
    let mut columns = Vec::with_capacity(2 * u.len());
    let rank = config.rank.max(1);
    for (u, v) in u.chunks_exact(rank).zip(v.chunks_exact(rank)) {
        for half in [u, v] {
            columns.extend(half.iter().zip(&roots).map(|(entry, root)| entry * root));
        }
    }
    Ok(Marks { columns, ..Marks::default() })
}
