//! The first singular triplets of a square matrix: A is about U diag(S) V^T.
//!
//! [`randomised`] is the sketch that networks are trained on, noise included; [`exact`] is as good as f32
//! can hold. Neither fails: a matrix of smaller rank gets zero values with orthonormal vectors, and ranks
//! beyond the size of the matrix get zero columns.

mod columns;
mod jacobi;
mod krylov;
#[cfg(test)]
mod tests;

use columns::Columns;
use jacobi::{Decomposition, decompose};

use crate::isa::Isa;
use crate::product::{Finish, Packed, View, multiply};
use crate::random::Stream;

/// Matrices up to this size are decomposed as a whole by [`exact`].
const WHOLE: usize = 128;

/// Singular triplets in falling order of the values. Signs are free, jointly for each pair of vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Triplets {
    /// Left vectors, N x rank row-major.
    pub u: Vec<f32>,
    /// Singular values.
    pub s: Vec<f32>,
    /// Right vectors, N x rank row-major.
    pub v: Vec<f32>,
}

impl Triplets {
    /// The first `rank` triplets of a decomposition, rounded; zeros where it has fewer.
    fn round(nodes: usize, rank: usize, left: &Columns, values: &[f64], right: &Columns) -> Self {
        let mut triplets =
            Self { u: vec![0.0; nodes * rank], s: vec![0.0; rank], v: vec![0.0; nodes * rank] };
        for column in 0..rank.min(values.len()) {
            triplets.s[column] = values[column] as f32;
            for node in 0..nodes {
                triplets.u[node * rank + column] = left.at(column)[node] as f32;
                triplets.v[node * rank + column] = right.at(column)[node] as f32;
            }
        }
        triplets
    }

    /// Chooses the sign of each pair so that the entry of u of largest magnitude is positive, the first
    /// of several.
    pub fn fix_signs(&mut self) {
        let rank = self.s.len();
        for column in 0..rank {
            let entries = self.u.iter().skip(column).step_by(rank);
            let largest = entries.fold(0.0_f32, |most, &x| if x.abs() > most.abs() { x } else { most });
            if largest < 0.0 {
                for vectors in [&mut self.u, &mut self.v] {
                    vectors.iter_mut().skip(column).step_by(rank).for_each(|x| *x = -*x);
                }
            }
        }
    }
}

/// Triplets of a square matrix (N x N, finite) by a random sketch of `rank + oversample` columns that is
/// refined by `power` iterations (Halko, Martinsson and Tropp, 2011). Equal streams give equal triplets on
/// one instruction set; products are always those of full digits.
pub fn randomised(
    isa: Isa,
    a: View,
    rank: usize,
    power: usize,
    oversample: usize,
    stream: &mut Stream,
) -> Triplets {
    let nodes = size(a);
    let width = (rank + oversample).min(nodes);
    let mut sketch: Vec<f32> = (0..nodes * width).map(|_| stream.normal() as f32).collect();
    let mut image = vec![0.0; nodes * width];
    let mut packed = Packed::empty(isa.precise());
    let mut apply = |a: View, sketch: &[f32], image: &mut [f32]| {
        packed.refill(View::new(sketch, nodes, width));
        multiply(a, &packed, image, width, Finish::default());
    };
    let orthonormal = |image: &[f32]| {
        let mut basis = Columns::from_rows(image, nodes, width);
        basis.orthonormalise(0);
        basis
    };
    apply(a, &sketch, &mut image);
    let mut basis = orthonormal(&image);
    for _ in 0..power {
        for a in [a.transposed(), a] {
            basis.to_rows(&mut sketch);
            apply(a, &sketch, &mut image);
            basis = orthonormal(&image);
        }
    }
    basis.to_rows(&mut sketch);
    apply(a.transposed(), &sketch, &mut image);
    // A^T Q = V S W^T, so that Q Q^T A = (Q W) S V^T.
    let Decomposition { left, values, right } = decompose(Columns::from_rows(&image, nodes, width));
    Triplets::round(nodes, rank, &basis.times(&right), &values, &left)
}

/// Triplets of a square matrix (N x N, finite), right to the digits of f32.
pub fn exact(isa: Isa, a: View, rank: usize) -> Triplets {
    let nodes = size(a);
    if nodes > WHOLE.max(4 * rank) {
        let (u, s, v) = krylov::triplets(isa, a, rank);
        return Triplets::round(nodes, rank, &u, &s, &v);
    }
    // The rows of A are the columns of A^T = V S U^T.
    let mut rows = Columns::zeros(nodes, nodes);
    for (row, to) in rows.iter_mut().enumerate() {
        to.iter_mut().enumerate().for_each(|(column, to)| *to = f64::from(a.at(row, column)));
    }
    let Decomposition { left, values, right } = decompose(rows);
    Triplets::round(nodes, rank, &right, &values, &left)
}

fn size(a: View) -> usize {
    assert_eq!(a.rows(), a.columns(), "a matrix that is not square");
    a.rows()
}
