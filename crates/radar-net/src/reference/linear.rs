//! Linear maps and the norm over nodes.

use crate::weights::Weights;

/// x W^T + b for the rows of x (N, in): (N, out). `W` is stored (out, in); `name.bias` is added if the
/// network has one.
pub(super) fn linear(weights: &Weights, name: &str, x: &[f64], inputs: usize) -> Vec<f64> {
    let matrix = weights.of(&format!("{name}.weight"));
    let bias = weights.tensor(&format!("{name}.bias"));
    let mut y = Vec::new();
    for row in x.chunks(inputs) {
        for (out, coefficients) in matrix.chunks(inputs).enumerate() {
            let mut sum = bias.map_or(0.0, |bias| f64::from(bias.values[out]));
            for (value, &coefficient) in row.iter().zip(coefficients) {
                sum += value * f64::from(coefficient);
            }
            y.push(sum);
        }
    }
    y
}

/// Instance norm of x (N, d): each column to mean 0 and variance 1 over the nodes, then gain and shift.
pub(super) fn norm(weights: &Weights, name: &str, x: &[f64], width: usize) -> Vec<f64> {
    let (gain, shift) = (weights.of(&format!("{name}.weight")), weights.of(&format!("{name}.bias")));
    let nodes = (x.len() / width) as f64;
    let mut y = x.to_vec();
    for column in 0..width {
        let mean = x.chunks(width).map(|row| row[column]).sum::<f64>() / nodes;
        let variance = x.chunks(width).map(|row| (row[column] - mean).powi(2)).sum::<f64>() / nodes;
        let (gain, shift) = (f64::from(gain[column]), f64::from(shift[column]));
        for row in y.chunks_mut(width) {
            row[column] = (row[column] - mean) / (variance + 1e-5).sqrt() * gain + shift;
        }
    }
    y
}

/// The inner product.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The sum, entry by entry.
pub(super) fn sum(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}
