//! A matrix of an instance in the units in which it was stated.

use radar_problem::{Scale, Scaled, UNREACHABLE};

/// A matrix in stated units, in which an arc that cannot be driven is as long as the longest that can.
pub(crate) struct Stated<'a> {
    matrix: &'a Scaled,
    scale: Scale,
    largest: i64,
    /// Whether ways to the first node count nothing.
    home_is_free: bool,
    /// Of all entries. The sum of integers is exact, so that the order of the nodes cannot be told from it.
    sum: i128,
}

impl<'a> Stated<'a> {
    pub fn new(matrix: &'a Scaled, scale: Scale) -> Self {
        let (mut largest, mut sum, mut missing) = (0, 0, 0);
        for row in matrix.rows() {
            // A row of finite entries sums below 2^53.
            let mut of_row = 0_i64;
            for &entry in row.values().iter() {
                let there = entry != UNREACHABLE;
                let entry = if there { entry } else { 0 };
                of_row += entry;
                missing += i128::from(!there);
                largest = entry.max(largest);
            }
            sum += i128::from(of_row);
        }
        Self { matrix, scale, largest, home_is_free: false, sum: sum + missing * i128::from(largest) }
    }

    /// The same, where ways to the first node count nothing: nobody drives them.
    pub fn with_free_ways_home(self) -> Self {
        let home: i128 =
            (0..self.nodes()).map(|from| i128::from(self.matrix.at(from, 0).min(self.largest))).sum();
        Self { home_is_free: true, sum: self.sum - home, ..self }
    }

    pub fn nodes(&self) -> usize {
        self.matrix.nodes()
    }

    /// The largest entry, in the integers of the instance.
    pub fn largest(&self) -> i64 {
        self.largest
    }

    /// The mean of all entries, the diagonal included.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.scale.factor() / (self.nodes() * self.nodes()).max(1) as f64
    }

    /// What lengths are counted in: the mean entry off the diagonal, or 1 where that is nothing.
    pub fn unit(&self) -> f64 {
        let arcs = self.nodes() * self.nodes().saturating_sub(1);
        if self.sum == 0 { 1.0 } else { self.sum as f64 / self.scale.factor() / arcs.max(1) as f64 }
    }

    /// The entry from `from` to `to`.
    pub fn at(&self, from: usize, to: usize) -> f64 {
        let is_free = self.home_is_free && to == 0;
        if is_free { 0.0 } else { self.scale.undo(self.matrix.at(from, to).min(self.largest)) }
    }

    /// Calls `each` with the rows in order.
    pub fn each_row(&self, mut each: impl FnMut(&[f64])) {
        let factor = self.scale.factor();
        let mut stated = vec![0.0; self.nodes()];
        for row in self.matrix.rows() {
            for (stated, &entry) in stated.iter_mut().zip(row.values().iter()) {
                *stated = entry.min(self.largest) as f64 / factor;
            }
            if self.home_is_free {
                stated.iter_mut().take(1).for_each(|home| *home = 0.0);
            }
            each(&stated);
        }
    }
}
