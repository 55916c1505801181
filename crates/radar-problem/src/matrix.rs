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

/// How many digits of an input value mean anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// Decimal text or f64.
    #[default]
    Double,
    /// f32: seven significant digits.
    Single,
}

/// Rows of numbers as somebody stated them: possibly ragged, possibly nonsense. An unreachable pair
/// is `f64::INFINITY`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    values: Vec<f64>,
    lengths: Vec<usize>,
    precision: Precision,
}

impl Table {
    /// Takes rows of any lengths.
    pub fn from_rows(rows: Vec<Vec<f64>>) -> Self {
        let lengths = rows.iter().map(Vec::len).collect();
        Self { values: rows.concat(), lengths, precision: Precision::Double }
    }

    /// Takes `rows` rows of `columns` values each, in row order; a last row may come out short.
    pub fn from_values(rows: usize, columns: usize, values: Vec<f64>) -> Self {
        let mut left = values.len();
        let lengths = (0..rows)
            .map(|_| {
                let taken = columns.min(left);
                left -= taken;
                taken
            })
            .collect();
        Self { values, lengths, precision: Precision::Double }
    }

    /// Marks the values as single precision.
    pub fn single(mut self) -> Self {
        self.precision = Precision::Single;
        self
    }

    /// The precision the values came in.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.lengths.len()
    }

    /// The length of each row.
    pub fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// Whether every row is as long as there are rows, and nothing is left over.
    pub fn is_square(&self) -> bool {
        let rows = self.rows();
        self.lengths.iter().all(|&length| length == rows) && self.values.len() == rows * rows
    }

    /// All values in row order.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The entries of a square table off its diagonal, in row order.
    pub fn off_diagonal(&self) -> impl Iterator<Item = &f64> + Clone {
        // Between two diagonal entries of n rows stand n others.
        self.stretches().flatten()
    }

    /// The entries of a square table off its diagonal, in stretches: loops over each are quick.
    pub fn stretches(&self) -> impl Iterator<Item = &[f64]> + Clone {
        self.values.chunks(self.rows() + 1).map(|chunk| &chunk[1..])
    }

    /// What leaves `from`, of a square table.
    pub fn row(&self, from: usize) -> &[f64] {
        &self.values[from * self.rows()..(from + 1) * self.rows()]
    }

    /// The entry from `from` to `to` of a square table.
    #[inline]
    pub fn at(&self, from: usize, to: usize) -> f64 {
        debug_assert!(self.is_square_at(from));
        self.values[from * self.rows() + to]
    }

    fn is_square_at(&self, row: usize) -> bool {
        self.lengths.get(row) == Some(&self.rows())
    }

    /// Changes every value.
    pub fn map(mut self, mut change: impl FnMut(f64) -> f64) -> Self {
        self.values.iter_mut().for_each(|value| *value = change(*value));
        self
    }

    /// The square table of a subset of the nodes of a square table, in the order given.
    pub fn subset(&self, nodes: &[usize]) -> Self {
        let values = nodes.iter().flat_map(|&from| nodes.iter().map(move |&to| self.at(from, to)));
        Self { values: values.collect(), lengths: vec![nodes.len(); nodes.len()], precision: self.precision }
    }
}

impl From<&Matrix<f64>> for Table {
    fn from(matrix: &Matrix<f64>) -> Self {
        Self::from_values(matrix.nodes(), matrix.nodes(), matrix.values().to_vec())
    }
}

impl From<Matrix<f64>> for Table {
    fn from(matrix: Matrix<f64>) -> Self {
        Self::from_values(matrix.nodes, matrix.nodes, matrix.values)
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
    fn off_the_diagonal_is_everything_else() {
        for nodes in 0..5 {
            let table =
                Table::from(Matrix::from_fn(
                    nodes,
                    |from, to| if from == to { -1.0 } else { (10 * from + to) as f64 },
                ));
            let off: Vec<f64> = table.off_diagonal().copied().collect();
            assert_eq!(off, table.values().iter().copied().filter(|&value| value >= 0.0).collect::<Vec<_>>());
        }
    }

    #[test]
    fn wrong_counts_are_refused() {
        assert!(Matrix::from_values(2, vec![1, 2, 3]).is_none());
        assert!(!Table::from_rows(vec![vec![0.0, 1.0], vec![0.0]]).is_square());
        assert!(!Table::from_values(2, 2, vec![0.0; 5]).is_square());
        assert!(!Table::from_values(2, 2, vec![0.0; 3]).is_square());
        assert!(Table::from_values(2, 2, vec![0.0; 4]).is_square());
    }
}
