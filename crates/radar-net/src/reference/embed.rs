//! From what is known of each node to its first vector.

use super::Case;
use super::linear::linear;
use crate::weights::Weights;

/// The embedding (N, d): the projection of each node's features, the depot's by its own map where there is
/// one, plus a unit vector where nodes are told apart by one.
pub fn embed(weights: &Weights, case: &Case) -> Vec<f64> {
    let config = weights.config();
    let (width, columns) = (config.width, config.columns());
    let mut embedding = match columns {
        0 => vec![0.0; case.nodes * width],
        _ => linear(weights, "projection", &case.features, columns),
    };
    if let Some(columns) = config.depot_columns() {
        embedding.splice(..width, linear(weights, "depot_projection", &case.depot, columns));
    }
    for (row, &place) in embedding.chunks_mut(width).zip(&case.places) {
        row[place] += 1.0;
    }
    embedding
}
