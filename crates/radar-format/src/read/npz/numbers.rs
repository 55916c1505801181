//! Numbers of an array in the form they came in, so that a large table is not widened on its way.

use std::ops::Range;

use radar_problem::{Table, seven_digits};

/// The numbers of an array in row order.
#[derive(Clone, Debug)]
pub(super) enum Numbers {
    /// Double precision, and whole numbers of which some need more than 32 bits.
    Double(Vec<f64>),
    /// Single precision.
    Single(Vec<f32>),
    /// Whole numbers and truths.
    Whole(Vec<i32>),
}

impl Numbers {
    /// Appends a whole number; the first that is too long makes all of them double precision.
    pub fn push_whole(&mut self, number: i128) {
        match (&mut *self, i32::try_from(number)) {
            (Self::Whole(values), Ok(number)) => values.push(number),
            (Self::Whole(values), Err(_)) => {
                *self = Self::Double(
                    values.iter().map(|&value| f64::from(value)).chain([number as f64]).collect(),
                );
            }
            (Self::Double(values), _) => values.push(number as f64),
            (Self::Single(values), _) => values.push(number as f32),
        }
    }

    /// All of them, exactly.
    pub fn iter(&self) -> impl Iterator<Item = f64> {
        self.of(0..self.len())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Double(values) => values.len(),
            Self::Single(values) => values.len(),
            Self::Whole(values) => values.len(),
        }
    }

    fn of(&self, part: Range<usize>) -> impl Iterator<Item = f64> {
        part.map(|at| match self {
            Self::Double(values) => values[at],
            Self::Single(values) => f64::from(values[at]),
            Self::Whole(values) => f64::from(values[at]),
        })
    }

    /// Whether a part of them has nothing but NaN, which marks what an instance lacks.
    pub fn is_absent(&self, part: Range<usize>) -> bool {
        !part.is_empty() && self.of(part).all(f64::is_nan)
    }

    /// The decimals that a part of them stands for.
    pub fn stated(&self, part: Range<usize>) -> Vec<f64> {
        match self {
            Self::Single(_) => self.of(part).map(seven_digits).collect(),
            _ => self.of(part).collect(),
        }
    }

    /// A part of them as a square table.
    pub fn table(&self, nodes: usize, part: Range<usize>) -> Table {
        match self {
            Self::Double(values) => Table::from_values(nodes, nodes, values[part].to_vec()),
            Self::Single(values) => Table::from_f32(nodes, nodes, values[part].to_vec()),
            Self::Whole(values) => Table::from_i32(nodes, nodes, values[part].to_vec()),
        }
    }
}
