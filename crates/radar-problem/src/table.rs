//! Tables as stated, held in the numbers they came in: ten thousand nodes are 400 MB of f32, and twice that of
//! f64.

use std::borrow::Cow;

use crate::matrix::Matrix;

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
///
/// Whatever they are held in, entries are given as f64; two tables are equal when those are.
#[derive(Clone, Debug, Default)]
pub struct Table {
    cells: Cells,
    lengths: Vec<usize>,
    precision: Precision,
}

/// The values in row order, in the numbers they came in.
#[derive(Clone, Debug)]
enum Cells {
    Double(Vec<f64>),
    Single(Vec<f32>),
    Whole(Vec<i32>),
}

impl Default for Cells {
    fn default() -> Self {
        Self::Double(Vec::new())
    }
}

impl Cells {
    fn len(&self) -> usize {
        match self {
            Self::Double(values) => values.len(),
            Self::Single(values) => values.len(),
            Self::Whole(values) => values.len(),
        }
    }

    #[inline]
    fn at(&self, at: usize) -> f64 {
        match self {
            Self::Double(values) => values[at],
            Self::Single(values) => f64::from(values[at]),
            Self::Whole(values) => f64::from(values[at]),
        }
    }

    fn part(&self, part: std::ops::Range<usize>) -> Cow<'_, [f64]> {
        match self {
            Self::Double(values) => Cow::Borrowed(&values[part]),
            Self::Single(values) => values[part].iter().map(|&value| f64::from(value)).collect(),
            Self::Whole(values) => values[part].iter().map(|&value| f64::from(value)).collect(),
        }
    }
}

impl Table {
    /// Takes rows of any lengths.
    pub fn from_rows(rows: Vec<Vec<f64>>) -> Self {
        let lengths = rows.iter().map(Vec::len).collect();
        Self { cells: Cells::Double(rows.concat()), lengths, precision: Precision::Double }
    }

    /// Takes `rows` rows of `columns` values each, in row order; a last row may come out short.
    pub fn from_values(rows: usize, columns: usize, values: Vec<f64>) -> Self {
        Self::from_cells(rows, columns, Cells::Double(values), Precision::Double)
    }

    /// The same of single precision, which is kept and marked.
    pub fn from_f32(rows: usize, columns: usize, values: Vec<f32>) -> Self {
        Self::from_cells(rows, columns, Cells::Single(values), Precision::Single)
    }

    /// The same of whole numbers, which are kept.
    pub fn from_i32(rows: usize, columns: usize, values: Vec<i32>) -> Self {
        Self::from_cells(rows, columns, Cells::Whole(values), Precision::Double)
    }

    fn from_cells(rows: usize, columns: usize, cells: Cells, precision: Precision) -> Self {
        let mut left = cells.len();
        let lengths = (0..rows)
            .map(|_| {
                let taken = columns.min(left);
                left -= taken;
                taken
            })
            .collect();
        Self { cells, lengths, precision }
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

    /// How many values there are.
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// Whether every row is as long as there are rows, and nothing is left over.
    pub fn is_square(&self) -> bool {
        let rows = self.rows();
        self.lengths.iter().all(|&length| length == rows) && self.count() == rows * rows
    }

    /// All values in row order. Unless the table holds f64 they are copied: see [`Table::iter`].
    pub fn values(&self) -> Cow<'_, [f64]> {
        self.cells.part(0..self.count())
    }

    /// All values in row order, one by one.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = f64> + Clone {
        (0..self.count()).map(|at| self.cells.at(at))
    }

    /// The entries of a square table off its diagonal, in row order.
    pub fn off_diagonal(&self) -> impl Iterator<Item = f64> + Clone {
        let step = self.rows() + 1;
        (0..self.count()).filter(move |at| at % step != 0).map(|at| self.cells.at(at))
    }

    /// The entries of a square table off its diagonal, in stretches: loops over each are quick.
    pub fn stretches(&self) -> impl Iterator<Item = Cow<'_, [f64]>> + Clone {
        // Between two diagonal entries of n rows stand n others.
        let (count, step) = (self.count(), self.rows() + 1);
        (0..count).step_by(step).map(move |at| self.cells.part(at + 1..count.min(at + step)))
    }

    /// What leaves `from`, of a square table.
    pub fn row(&self, from: usize) -> Cow<'_, [f64]> {
        self.cells.part(from * self.rows()..(from + 1) * self.rows())
    }

    /// The entry from `from` to `to` of a square table.
    #[inline]
    pub fn at(&self, from: usize, to: usize) -> f64 {
        debug_assert!(self.is_square_at(from));
        self.cells.at(from * self.rows() + to)
    }

    fn is_square_at(&self, row: usize) -> bool {
        self.lengths.get(row) == Some(&self.rows())
    }

    /// Changes every value. Values of single precision stay in single precision as long as they fit.
    pub fn map(self, mut change: impl FnMut(f64) -> f64) -> Self {
        let cells = match self.cells {
            Cells::Double(mut values) => {
                values.iter_mut().for_each(|value| *value = change(*value));
                Cells::Double(values)
            }
            Cells::Whole(values) => {
                Cells::Double(values.into_iter().map(|value| change(f64::from(value))).collect())
            }
            Cells::Single(values) => changed(values, change),
        };
        Self { cells, ..self }
    }

    /// The square table of a subset of the nodes of a square table, in the order given.
    pub fn subset(&self, nodes: &[usize]) -> Self {
        fn of<T: Copy>(values: &[T], rows: usize, nodes: &[usize]) -> Vec<T> {
            nodes.iter().flat_map(|&from| nodes.iter().map(move |&to| values[from * rows + to])).collect()
        }
        let cells = match &self.cells {
            Cells::Double(values) => Cells::Double(of(values, self.rows(), nodes)),
            Cells::Single(values) => Cells::Single(of(values, self.rows(), nodes)),
            Cells::Whole(values) => Cells::Whole(of(values, self.rows(), nodes)),
        };
        Self { cells, lengths: vec![nodes.len(); nodes.len()], precision: self.precision }
    }
}

/// Changes values in place until one no longer fits.
fn changed(mut values: Vec<f32>, mut change: impl FnMut(f64) -> f64) -> Cells {
    for at in 0..values.len() {
        let value = change(f64::from(values[at]));
        if f64::from(value as f32) != value && !value.is_nan() {
            let before = values[..at].iter().map(|&value| f64::from(value));
            let after = values[at + 1..].iter().map(|&value| change(f64::from(value)));
            return Cells::Double(before.chain([value]).chain(after).collect());
        }
        values[at] = value as f32;
    }
    Cells::Single(values)
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.lengths == other.lengths && self.precision == other.precision && self.iter().eq(other.iter())
    }
}

impl From<&Matrix<f64>> for Table {
    fn from(matrix: &Matrix<f64>) -> Self {
        Self::from_values(matrix.nodes(), matrix.nodes(), matrix.values().to_vec())
    }
}

impl From<Matrix<f64>> for Table {
    fn from(matrix: Matrix<f64>) -> Self {
        Self::from_values(matrix.nodes(), matrix.nodes(), matrix.into_values())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same numbers, off the diagonal from 1 on, in every form.
    fn forms(nodes: usize) -> [Table; 3] {
        let entry = |from: usize, to: usize| if from == to { -1 } else { (10 * from + to) as i32 };
        let whole = Matrix::from_fn(nodes, entry);
        let of = |value: fn(i32) -> f64| whole.values().iter().map(|&entry| value(entry)).collect();
        let single = whole.values().iter().map(|&entry| entry as f32).collect();
        [
            Table::from_values(nodes, nodes, of(f64::from)),
            Table { precision: Precision::Double, ..Table::from_f32(nodes, nodes, single) },
            Table::from_i32(nodes, nodes, whole.into_values()),
        ]
    }

    #[test]
    fn off_the_diagonal_is_everything_else() {
        for table in (0..5).flat_map(forms) {
            let off: Vec<f64> = table.off_diagonal().collect();
            assert_eq!(off, table.iter().filter(|&value| value >= 0.0).collect::<Vec<_>>());
            let stretches: Vec<f64> = table.stretches().flat_map(Cow::into_owned).collect();
            assert_eq!(off, stretches);
        }
    }

    #[test]
    fn the_form_does_not_matter() {
        let [double, single, whole] = forms(4);
        assert_eq!((&double, &double), (&single, &whole));
        assert_ne!(double, double.clone().single());
        assert_ne!(double, whole.clone().map(|value| value + 1.0));
        for table in [&single, &whole] {
            assert_eq!(table.values(), double.values());
            assert_eq!(table.row(2), double.row(2));
            assert_eq!(table.at(1, 3), double.at(1, 3));
            assert_eq!(table.subset(&[3, 1]), double.subset(&[3, 1]));
            for change in
                [|value: f64| 2.0 * value, |value: f64| if value > 20.0 { value / 3.0 } else { value }]
            {
                assert_eq!(table.clone().map(change), double.clone().map(change));
            }
        }
        let open = single.map(|value| if value == 12.0 { f64::INFINITY } else { value });
        assert!(matches!(open.cells, Cells::Single(_)) && open.at(1, 2) == f64::INFINITY);
    }

    #[test]
    fn single_precision_is_marked_and_exact() {
        let table = Table::from_f32(1, 2, vec![0.1, f32::INFINITY]);
        assert_eq!(table.precision(), Precision::Single);
        assert_eq!(*table.values(), [f64::from(0.1_f32), f64::INFINITY]);
        assert_eq!(table, Table::from_values(1, 2, vec![f64::from(0.1_f32), f64::INFINITY]).single());
    }

    #[test]
    fn wrong_counts_are_told() {
        assert!(!Table::from_rows(vec![vec![0.0, 1.0], vec![0.0]]).is_square());
        assert!(!Table::from_values(2, 2, vec![0.0; 5]).is_square());
        assert!(!Table::from_f32(2, 2, vec![0.0; 3]).is_square());
        assert!(Table::from_i32(2, 2, vec![0; 4]).is_square());
    }
}
