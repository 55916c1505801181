//! Square matrices of scaled integers, in 32 bits each where they fit: half the memory to hold and to read.

use std::borrow::Cow;

use crate::UNREACHABLE;
use crate::matrix::Matrix;
use crate::scale::Scale;
use crate::table::Table;

/// Stands for [`UNREACHABLE`] in 32 bits.
const NO_ARC: i32 = i32::MAX;

/// A dense square matrix of scaled integers, row = from. An arc that cannot be driven is [`UNREACHABLE`].
#[derive(Clone, Debug)]
pub struct Scaled {
    nodes: usize,
    cells: Cells,
    /// The largest entry that can be driven, 0 if there is none.
    largest: i64,
}

#[derive(Clone, Debug)]
enum Cells {
    Narrow(Vec<i32>),
    Wide(Vec<i64>),
}

/// Everything that leaves one node.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a>(Part<'a>);

#[derive(Clone, Copy, Debug)]
enum Part<'a> {
    Narrow(&'a [i32]),
    Wide(&'a [i64]),
}

/// Whether 32 bits hold a value.
#[inline(always)]
fn is_narrow(value: i64) -> bool {
    (value == UNREACHABLE) | ((i64::from(i32::MIN) <= value) & (value < i64::from(NO_ARC)))
}

#[inline(always)]
fn narrowed(value: i64) -> i32 {
    value.min(i64::from(NO_ARC)) as i32
}

#[inline(always)]
fn widened(value: i32) -> i64 {
    if value == NO_ARC { UNREACHABLE } else { i64::from(value) }
}

impl Scaled {
    /// A matrix of which `fill` writes one row after the other.
    pub fn from_rows(nodes: usize, mut fill: impl FnMut(usize, &mut [i64])) -> Self {
        let mut row = vec![0; nodes];
        let mut cells = Cells::Narrow(Vec::with_capacity(nodes * nodes));
        let mut largest = 0;
        for from in 0..nodes {
            fill(from, &mut row);
            cells.extend(&row, nodes);
            largest = row
                .iter()
                .fold(largest, |most, &value| if value < UNREACHABLE { value.max(most) } else { most });
        }
        Self { nodes, cells, largest }
    }

    /// A square table of sound values in scaled units, 0 on the diagonal; `largest` is the largest finite
    /// entry off it.
    pub(crate) fn of(table: &Table, scale: Scale, largest: f64) -> Self {
        let (nodes, precision) = (table.rows(), table.precision());
        if !scale.is_quick(largest, precision) {
            return Self::from_rows(nodes, |from, row| {
                for (whole, &value) in row.iter_mut().zip(table.row(from).iter()) {
                    let finite = value < f64::INFINITY;
                    *whole = if finite { scale.apply(value, precision) } else { UNREACHABLE };
                }
                row[from] = 0;
            });
        }
        let narrow = |value| if value < f64::INFINITY { scale.narrow(value) } else { NO_ARC };
        let wide = |value| if value < f64::INFINITY { scale.wide(value) } else { UNREACHABLE };
        let largest = scale.apply(largest, precision);
        let cells = match is_narrow(largest) {
            true => Cells::Narrow(converted(table, narrow)),
            false => Cells::Wide(converted(table, wide)),
        };
        Self { nodes, cells, largest }
    }

    /// Fills a matrix by asking for every (from, to).
    pub fn from_fn(nodes: usize, mut value: impl FnMut(usize, usize) -> i64) -> Self {
        Self::from_rows(nodes, |from, row| {
            row.iter_mut().enumerate().for_each(|(to, cell)| *cell = value(from, to));
        })
    }

    /// How many nodes it spans.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The largest entry that can be driven; 0 if there is none.
    pub fn largest(&self) -> i64 {
        self.largest
    }

    /// The entry from `from` to `to`.
    #[inline]
    pub fn at(&self, from: usize, to: usize) -> i64 {
        match &self.cells {
            Cells::Narrow(values) => widened(values[from * self.nodes + to]),
            Cells::Wide(values) => values[from * self.nodes + to],
        }
    }

    /// Everything that leaves `from`.
    #[inline]
    pub fn row(&self, from: usize) -> Row<'_> {
        let part = from * self.nodes..(from + 1) * self.nodes;
        Row(match &self.cells {
            Cells::Narrow(values) => Part::Narrow(&values[part]),
            Cells::Wide(values) => Part::Wide(&values[part]),
        })
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.nodes).map(|from| self.row(from))
    }

    /// All entries in row order: a copy of twice the size unless the matrix holds 64 bits.
    pub fn values(&self) -> Cow<'_, [i64]> {
        match &self.cells {
            Cells::Narrow(values) => values.iter().map(|&value| widened(value)).collect(),
            Cells::Wide(values) => Cow::Borrowed(values),
        }
    }

    /// The matrix of a subset of nodes, in the order given.
    pub fn subset(&self, nodes: &[usize]) -> Self {
        Self::from_fn(nodes.len(), |from, to| self.at(nodes[from], nodes[to]))
    }
}

/// Every entry of a square table in other numbers, nothing on the diagonal.
fn converted<T: Default>(table: &Table, convert: impl Fn(f64) -> T) -> Vec<T> {
    let mut values = Vec::with_capacity(table.count());
    for from in 0..table.rows() {
        values.extend(table.row(from).iter().map(|&value| convert(value)));
        values[from * (table.rows() + 1)] = T::default();
    }
    values
}

impl Cells {
    /// Appends a row, in 64 bits from the first on that needs them.
    fn extend(&mut self, row: &[i64], rows: usize) {
        match self {
            Self::Narrow(values) => {
                if row.iter().fold(true, |all, &value| all & is_narrow(value)) {
                    return values.extend(row.iter().map(|&value| narrowed(value)));
                }
                let mut wide = Vec::with_capacity(row.len() * rows);
                wide.extend(values.iter().map(|&value| widened(value)));
                wide.extend_from_slice(row);
                *self = Self::Wide(wide);
            }
            Self::Wide(values) => values.extend_from_slice(row),
        }
    }
}

impl From<&Matrix<i64>> for Scaled {
    fn from(matrix: &Matrix<i64>) -> Self {
        Self::from_rows(matrix.nodes(), |from, row| row.copy_from_slice(matrix.row(from)))
    }
}

impl PartialEq for Scaled {
    fn eq(&self, other: &Self) -> bool {
        match (&self.cells, &other.cells) {
            (Cells::Narrow(one), Cells::Narrow(two)) => one == two,
            (Cells::Wide(one), Cells::Wide(two)) => one == two,
            // One that fits 32 bits is held in them.
            _ => false,
        }
    }
}

impl Eq for Scaled {}

impl<'a> Row<'a> {
    /// The entry to `to`.
    #[inline]
    pub fn at(self, to: usize) -> i64 {
        match self.0 {
            Part::Narrow(values) => widened(values[to]),
            Part::Wide(values) => values[to],
        }
    }

    /// All entries.
    pub fn values(self) -> Cow<'a, [i64]> {
        match self.0 {
            Part::Narrow(values) => values.iter().map(|&value| widened(value)).collect(),
            Part::Wide(values) => Cow::Borrowed(values),
        }
    }

    /// All entries in other numbers, one after the other, into a list; no copy is made on the way.
    #[inline]
    pub fn append_to<T>(self, list: &mut Vec<T>, convert: impl Fn(i64) -> T) {
        match self.0 {
            Part::Narrow(values) => list.extend(values.iter().map(|&value| convert(widened(value)))),
            Part::Wide(values) => list.extend(values.iter().map(|&value| convert(value))),
        }
    }

    /// Lowers each of `least` to the entry at its place, where that is less.
    pub fn lower(self, least: &mut [i64]) {
        match self.0 {
            Part::Narrow(values) => {
                for (least, &value) in least.iter_mut().zip(values) {
                    *least = widened(value).min(*least);
                }
            }
            Part::Wide(values) => {
                for (least, &value) in least.iter_mut().zip(values) {
                    *least = value.min(*least);
                }
            }
        }
    }

    /// How many arcs cannot be driven.
    pub fn missing_arcs(self) -> usize {
        match self.0 {
            Part::Narrow(values) => values.iter().filter(|&&value| value == NO_ARC).count(),
            Part::Wide(values) => values.iter().filter(|&&value| value == UNREACHABLE).count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry() -> impl Strategy<Value = i64> {
        let edge = i64::from(i32::MAX);
        prop_oneof![8 => 0..1000_i64, 1 => edge - 2..=edge + 2, 1 => Just(UNREACHABLE), 1 => Just(1 << 50)]
    }

    prop_compose! {
        fn matrix()(nodes in 0_usize..5)(values in prop::collection::vec(entry(), nodes * nodes), nodes in Just(nodes))
            -> Matrix<i64>
        {
            Matrix::from_values(nodes, values).expect("square")
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        /// Whatever it is held in, every way to read it gives the integers that were put in.
        #[test]
        fn the_width_cannot_be_told(matrix in matrix()) {
            let scaled = Scaled::from(&matrix);
            let fits = matrix.values().iter().all(|&value| value == UNREACHABLE || value < i64::from(i32::MAX));
            prop_assert_eq!(matches!(scaled.cells, Cells::Narrow(_)), fits);
            prop_assert_eq!(scaled.values(), matrix.values());
            let driven = matrix.values().iter().copied().filter(|&value| value < UNREACHABLE);
            prop_assert_eq!(scaled.largest(), driven.max().unwrap_or(0));
            for (from, row) in scaled.rows().enumerate() {
                prop_assert_eq!(&*row.values(), matrix.row(from));
                prop_assert_eq!(row.missing_arcs(), matrix.row(from).iter().filter(|&&arc| arc == UNREACHABLE).count());
                let mut list = vec![-1];
                row.append_to(&mut list, |value| value);
                prop_assert_eq!(&list[1..], matrix.row(from));
                let mut least = vec![500; matrix.nodes()];
                row.lower(&mut least);
                prop_assert!(least.iter().zip(matrix.row(from)).all(|(&least, &value)| least == value.min(500)));
                for to in 0..matrix.nodes() {
                    prop_assert_eq!((scaled.at(from, to), row.at(to)), (matrix.at(from, to), matrix.at(from, to)));
                }
            }
            let turned: Vec<usize> = (0..matrix.nodes()).rev().collect();
            prop_assert_eq!(&scaled.subset(&turned), &Scaled::from(&matrix.subset(&turned)));
            prop_assert!(matrix.nodes() < 2 || (scaled == scaled.subset(&turned)) == (matrix == matrix.subset(&turned)));
        }
    }
}
