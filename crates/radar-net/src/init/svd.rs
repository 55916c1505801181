//! The leading singular vectors of the scaled cost, each times the root of its singular value: the left
//! ones say how a node is left, the right ones how it is reached.

use radar_kernel::product::View;
use radar_kernel::svd::{Triplets, exact, randomised};

use super::{Marks, Part, Sight};
use crate::config::{Config, Signs, Sketch};
use crate::error::NetError;
use crate::reference;

pub(super) const PART: Part = Part {
    columns: |config| 2 * config.rank,
    alone: true,
    draws: |config| config.sketch == Sketch::Randomised,
    words,
    marks,
    naive,
};

fn words(config: &Config) -> String {
    let Config { rank, power, oversample, signs, .. } = config;
    let how = match config.sketch {
        Sketch::Randomised => format!("randomised with power {power} and {oversample} more"),
        Sketch::Exact => "exact".to_owned(),
    };
    format!("svd of rank {rank}, {how}, signs {signs}")
}

/// Columns [U sqrt(S) | V sqrt(S)] (N, 2 rank), zero in each half from the rank of the matrix on.
fn marks(sight: &Sight) -> Result<Marks, NetError> {
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

// Naively: nothing below shares code with what is above.

/// Always to machine precision, whatever the sketch.
fn naive(sight: &reference::Sight<'_>) -> reference::Marks {
    let rank = sight.config.rank;
    let mut columns = reference::svd::features(sight.distance, sight.nodes, rank);
    if sight.config.signs == Signs::Fixed {
        for k in 0..rank {
            let left = columns.iter().skip(k).step_by(2 * rank);
            let largest =
                left.fold(0.0_f64, |most, &entry| if entry.abs() > most.abs() { entry } else { most });
            if largest < 0.0 {
                columns.iter_mut().skip(k).step_by(rank).for_each(|entry| *entry = -*entry);
            }
        }
    }
    reference::Marks { columns, ..reference::Marks::default() }
}
