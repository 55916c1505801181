//! Matrices, always read row = from, column = to.

use std::ops::Index;

/// A dense square matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix<T> {
    nodes: usize,
    values: Vec<T>,
}

impl<T: Copy> Matrix<T> {
    /// Wraps `nodes * nodes` values in row order, or `None` when the count is another.
    pub fn from_values(nodes: usize, values: Vec<T>) -> Option<Self> {
        (nodes.checked_mul(nodes) == Some(values.len())).then_some(Self { nodes, values })
    }

    /// Fills a matrix by asking for every (from, to).
    pub fn from_fn(nodes: usize, mut value: impl FnMut(usize, usize) -> T) -> Self {
        let mut values = Vec::with_capacity(nodes * nodes);
        for from in 0..nodes {
            for to in 0..nodes {
                values.push(value(from, to));
            }
        }
        Self { nodes, values }
    }

    /// How many nodes it spans.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The entry from `from` to `to`.
    #[inline]
    pub fn at(&self, from: usize, to: usize) -> T {
        self.values[from * self.nodes + to]
    }

    /// Everything that leaves `from`.
    #[inline]
    pub fn row(&self, from: usize) -> &[T] {
        &self.values[from * self.nodes..(from + 1) * self.nodes]
    }

    /// All entries in row order.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// All entries in row order, taken out.
    pub fn into_values(self) -> Vec<T> {
        self.values
    }

    /// The same costs driven the other way round.
    pub fn transposed(&self) -> Self {
        Self::from_fn(self.nodes, |from, to| self.at(to, from))
    }

    /// The matrix of a subset of nodes, in the order given.
    pub fn subset(&self, nodes: &[usize]) -> Self {
        Self::from_fn(nodes.len(), |from, to| self.at(nodes[from], nodes[to]))
    }
}

impl<T: Copy> Index<(usize, usize)> for Matrix<T> {
    type Output = T;

    #[inline]
    fn index(&self, (from, to): (usize, usize)) -> &T {
        &self.values[from * self.nodes + to]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_origins() {
        let matrix = Matrix::from_fn(3, |from, to| 10 * from + to);
        assert_eq!(matrix.at(1, 2), 12);
        assert_eq!(matrix.row(2), [20, 21, 22]);
        assert_eq!(matrix.transposed().at(1, 2), 21);
        assert_eq!(matrix.subset(&[2, 0]).values(), [22, 20, 2, 0]);
        assert_eq!(matrix[(0, 2)], 2);
    }

    #[test]
    fn wrong_counts_are_refused() {
        assert!(Matrix::from_values(2, vec![1, 2, 3]).is_none());
    }
}
