//! Tall matrices as lists of columns in f64, and their orthonormal bases.

/// `count` columns of `length` numbers each, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    length: usize,
    values: Vec<f64>,
}

/// A column that keeps less than this share of itself beside the columns before it is their combination.
const DEPENDENT: f64 = 1e-10;

impl Columns {
    pub(super) fn zeros(length: usize, count: usize) -> Self {
        Self { length, values: vec![0.0; length * count] }
    }

    /// The columns of a row-major matrix of `count` columns.
    pub(super) fn from_rows(rows: &[f32], length: usize, count: usize) -> Self {
        let mut columns = Self::zeros(length, count);
        for (column, to) in columns.iter_mut().enumerate() {
            for (row, to) in to.iter_mut().enumerate() {
                *to = f64::from(rows[row * count + column]);
            }
        }
        columns
    }

    /// The row-major matrix, rounded.
    pub(super) fn to_rows(&self, rows: &mut [f32]) {
        let count = self.count();
        for (column, from) in self.iter().enumerate() {
            for (row, &from) in from.iter().enumerate() {
                rows[row * count + column] = from as f32;
            }
        }
    }

    pub(super) fn length(&self) -> usize {
        self.length
    }

    pub(super) fn count(&self) -> usize {
        self.values.len().checked_div(self.length).unwrap_or(0)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks_exact(self.length.max(1))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        self.values.chunks_exact_mut(self.length.max(1))
    }

    pub(super) fn at(&self, column: usize) -> &[f64] {
        &self.values[column * self.length..][..self.length]
    }

    pub(super) fn at_mut(&mut self, column: usize) -> &mut [f64] {
        &mut self.values[column * self.length..][..self.length]
    }

    /// Two different columns, the first before the second.
    pub(super) fn pair_mut(&mut self, first: usize, second: usize) -> (&mut [f64], &mut [f64]) {
        let (before, after) = self.values.split_at_mut(second * self.length);
        (&mut before[first * self.length..][..self.length], &mut after[..self.length])
    }

    /// Appends the columns of another matrix of the same length.
    pub(super) fn append(&mut self, other: &Self) {
        self.values.extend_from_slice(&other.values);
    }

    /// The columns from `first` on.
    pub(super) fn from(&self, first: usize) -> Self {
        Self { length: self.length, values: self.values[first * self.length..].to_vec() }
    }

    /// The first columns only, or all if there are fewer.
    pub(super) fn first(&self, count: usize) -> Self {
        let mut columns = self.clone();
        columns.truncate(count);
        columns
    }

    /// Drops all columns beyond the first `count`.
    pub(super) fn truncate(&mut self, count: usize) {
        self.values.truncate(count * self.length);
    }

    /// This matrix times a small one: column j is the combination by column j of `factors`.
    pub(super) fn times(&self, factors: &Self) -> Self {
        let mut product = Self::zeros(self.length, factors.count());
        for (to, factors) in product.iter_mut().zip(factors.iter()) {
            for (column, &factor) in self.iter().zip(factors) {
                add_scaled(to, factor, column);
            }
        }
        product
    }

    /// Replaces the columns from `first` on by an orthonormal basis that continues the orthonormal columns
    /// before them, and returns the upper triangle R (of columns `first..`, in terms of all columns): what
    /// was there is the basis times R. There must not be more columns than rows.
    ///
    /// A column that depends on those before it is replaced by a direction that the rest of the basis
    /// lacks, with a zero in R.
    pub(super) fn orthonormalise(&mut self, first: usize) -> Self {
        let count = self.count();
        let mut triangle = Self::zeros(count, count - first);
        for column in first..count {
            let weights = triangle.at_mut(column - first);
            let before = norm(self.at(column));
            // The second pass removes what rounding left in the first.
            for _ in 0..2 {
                for other in 0..column {
                    let (basis, vector) = self.pair_mut(other, column);
                    let share = dot(basis, vector);
                    add_scaled(vector, -share, basis);
                    weights[other] += share;
                }
            }
            let left = norm(self.at(column));
            if left > DEPENDENT * before {
                weights[column] = left;
                scale(self.at_mut(column), 1.0 / left);
            } else {
                self.replace(column);
            }
        }
        triangle
    }

    /// Puts into `column` a unit vector orthogonal to all columns before it: what is left of the axis of
    /// which they hold least.
    fn replace(&mut self, column: usize) {
        let mut held = vec![0.0; self.length];
        for basis in self.iter().take(column) {
            held.iter_mut().zip(basis).for_each(|(held, x)| *held += x * x);
        }
        let least = held.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(axis, _)| axis);
        let vector = self.at_mut(column);
        vector.fill(0.0);
        vector[least] = 1.0;
        for _ in 0..2 {
            for other in 0..column {
                let (basis, vector) = self.pair_mut(other, column);
                let share = dot(basis, vector);
                add_scaled(vector, -share, basis);
            }
            let length = norm(self.at(column));
            scale(self.at_mut(column), 1.0 / length);
        }
    }
}

/// The inner product, in eight chains so that the compiler may use vectors.
#[inline(always)]
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (groups, others) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = groups.remainder().iter().zip(others.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in groups.zip(others) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}

#[inline(always)]
pub(super) fn add_scaled(to: &mut [f64], factor: f64, from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += factor * from);
}

#[inline(always)]
pub(super) fn scale(values: &mut [f64], factor: f64) {
    values.iter_mut().for_each(|value| *value *= factor);
}

#[inline(always)]
pub(super) fn norm(values: &[f64]) -> f64 {
    dot(values, values).sqrt()
}
