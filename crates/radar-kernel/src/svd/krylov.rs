//! The first triplets of a large matrix, by a basis that grows until they have settled.
//!
//! The basis spans A X, (A A^T) A X, ... of a few random columns X, each block orthonormal to all before
//! it. Within its span the triplets come from a small exact decomposition. Should nothing settle, the
//! basis ends up spanning everything, and the decomposition is the matrix's own.

use super::columns::{Columns, add_scaled, norm};
use super::jacobi::decompose;
use crate::isa::Isa;
use crate::product::View;
use crate::random::Stream;
use crate::simd::{Kernel, Simd};

/// Columns that are multiplied at a time.
const BLOCK: usize = 16;

/// A triplet has settled when A v - s u is shorter than this share of the greatest value.
const SETTLED: f64 = 1e-10;

/// U, S, V: at least `rank` triplets of a square matrix with more than `rank` rows.
pub(super) fn triplets(isa: Isa, a: View, rank: usize) -> (Columns, Vec<f64>, Columns) {
    let nodes = a.rows();
    let mut stream = Stream::new(0, "first block of a Krylov basis", 0);
    let mut block = Columns::zeros(nodes, BLOCK.min(nodes));
    block.iter_mut().flatten().for_each(|x| *x = stream.normal());
    let (mut basis, mut images) = (Columns::zeros(nodes, 0), Columns::zeros(nodes, 0));
    let mut look = (2 * rank).max(3 * BLOCK).min(nodes);
    loop {
        let known = basis.count();
        basis.append(&product(isa, a, &block));
        basis.truncate(nodes);
        basis.orthonormalise(known);
        block = product(isa, a.transposed(), &basis.from(known));
        images.append(&block);
        if basis.count() < look {
            continue;
        }
        // A^T Q = V S W^T within the span, so that u = Q w.
        let small = decompose(images.clone());
        let (s, v) = (small.values, small.left.first(rank));
        let u = basis.times(&small.right.first(rank));
        let mut errors = product(isa, a, &v);
        for ((error, u), s) in errors.iter_mut().zip(u.iter()).zip(&s) {
            add_scaled(error, -s, u);
        }
        let greatest = s.first().copied().unwrap_or(0.0);
        if errors.iter().all(|error| norm(error) <= SETTLED * greatest) || basis.count() == nodes {
            return (u, s, v);
        }
        // A look costs as much as several blocks.
        look = (look + look / 2).min(nodes);
    }
}

/// A X, block by block.
fn product(isa: Isa, a: View, columns: &Columns) -> Columns {
    let mut result = Columns::zeros(a.rows(), 0);
    for from in (0..columns.count()).step_by(BLOCK) {
        let count = BLOCK.min(columns.count() - from);
        let mut rows = vec![[0.0; BLOCK]; a.columns()];
        for (number, column) in columns.iter().skip(from).take(count).enumerate() {
            rows.iter_mut().zip(column).for_each(|(row, &x)| row[number] = x);
        }
        let image = isa.precise().run(Product { a, rows: &rows });
        let mut block = Columns::zeros(a.rows(), count);
        for (number, column) in block.iter_mut().enumerate() {
            column.iter_mut().zip(&image).for_each(|(x, row)| *x = row[number]);
        }
        result.append(&block);
    }
    result
}

/// A times one block of columns in f64.
struct Product<'a> {
    a: View<'a>,
    rows: &'a [[f64; BLOCK]],
}

impl Kernel for Product<'_> {
    type Output = Vec<[f64; BLOCK]>;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Self::Output {
        let Self { a, rows } = self;
        let mut result = vec![[0.0; BLOCK]; a.rows()];
        if a.is_transposed() {
            // Along the rows of the original: each adds its multiples to all results.
            for (k, row) in rows.iter().enumerate() {
                for (i, to) in result.iter_mut().enumerate() {
                    let factor = f64::from(a.at(i, k));
                    for lane in 0..BLOCK {
                        to[lane] += factor * row[lane];
                    }
                }
            }
        } else {
            for (i, to) in result.iter_mut().enumerate() {
                let mut sums = [0.0; BLOCK];
                for (k, row) in rows.iter().enumerate() {
                    let factor = f64::from(a.at(i, k));
                    for lane in 0..BLOCK {
                        sums[lane] += factor * row[lane];
                    }
                }
                *to = sums;
            }
        }
        result
    }
}
