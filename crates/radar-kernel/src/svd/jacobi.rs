//! The exact decomposition of a tall matrix: orthonormal columns times a triangle, whose columns are then
//! turned in pairs until all are orthogonal (Hestenes' method). Small singular values come out as
//! accurate as large ones.

use super::columns::{Columns, dot, norm, scale};

/// Pairs with a smaller cosine count as orthogonal.
const ORTHOGONAL: f64 = 1e-14;

/// Enough for every matrix: convergence is quadratic, and ten sweeps are many.
const SWEEPS: usize = 40;

/// M = left * diag(values) * right^T, with the values falling; `left` as tall as M, `right` square.
pub(super) struct Decomposition {
    pub(super) left: Columns,
    pub(super) values: Vec<f64>,
    pub(super) right: Columns,
}

/// Decomposes a matrix with at least as many rows as columns.
pub(super) fn decompose(mut matrix: Columns) -> Decomposition {
    let count = matrix.count();
    let triangle = matrix.orthonormalise(0);
    // The columns of R^T are closer to orthogonal than those of R: R^T = X S Y^T gives M = (Q Y) S X^T.
    let mut turned = transposed(&triangle);
    let mut turns = Columns::zeros(count, count);
    for column in 0..count {
        turns.at_mut(column)[column] = 1.0;
    }
    for _ in 0..SWEEPS {
        if !sweep(&mut turned, &mut turns) {
            break;
        }
    }
    let lengths: Vec<f64> = turned.iter().map(norm).collect();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| lengths[b].total_cmp(&lengths[a]));
    let (mut right, mut kept) = (Columns::zeros(count, count), Columns::zeros(count, count));
    for (place, &from) in order.iter().enumerate() {
        right.at_mut(place).copy_from_slice(turned.at(from));
        if lengths[from] > 0.0 {
            scale(right.at_mut(place), 1.0 / lengths[from]);
        }
        kept.at_mut(place).copy_from_slice(turns.at(from));
    }
    // Completes the directions of zero length; the others are orthonormal already.
    right.orthonormalise(0);
    Decomposition {
        left: matrix.times(&kept),
        values: order.iter().map(|&from| lengths[from]).collect(),
        right,
    }
}

fn transposed(square: &Columns) -> Columns {
    let mut result = Columns::zeros(square.length(), square.count());
    for (column, values) in square.iter().enumerate() {
        for (row, &value) in values.iter().enumerate() {
            result.at_mut(row)[column] = value;
        }
    }
    result
}

/// Turns every pair of columns that is not orthogonal; whether there was one.
fn sweep(columns: &mut Columns, turns: &mut Columns) -> bool {
    let mut turned = false;
    for first in 0..columns.count() {
        for second in first + 1..columns.count() {
            let (a, b) = columns.pair_mut(first, second);
            let (square_a, square_b, product) = (dot(a, a), dot(b, b), dot(a, b));
            if product.abs() <= ORTHOGONAL * (square_a * square_b).sqrt() || product == 0.0 {
                continue;
            }
            turned = true;
            // The smaller of the two angles that make the pair orthogonal.
            let half = (square_b - square_a) / (2.0 * product);
            let tangent = half.signum() / (half.abs() + (1.0 + half * half).sqrt());
            let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
            turn(a, b, cosine, cosine * tangent);
            let (a, b) = turns.pair_mut(first, second);
            turn(a, b, cosine, cosine * tangent);
        }
    }
    turned
}

#[inline(always)]
fn turn(a: &mut [f64], b: &mut [f64], cosine: f64, sine: f64) {
    for (a, b) in a.iter_mut().zip(b) {
        (*a, *b) = (cosine * *a - sine * *b, sine * *a + cosine * *b);
    }
}
