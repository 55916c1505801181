//! The decimal grid of a table. Windows and limits are drawn in whole steps of it, so that what is
//! feasible on paper is feasible in the integers of validation.

use radar_problem::{Precision, Scale, Table};

use crate::ground::Measure;

/// Steps that the mean entry has at least: finer than the table itself if the table is coarse.
const STEPS_PER_MEAN: f64 = 1000.0;

/// Whole steps for the entries of a table.
pub(crate) struct Ruler<'a> {
    table: &'a Table,
    factor: f64,
    largest: i64,
    mean: i64,
}

impl<'a> Ruler<'a> {
    pub(crate) fn of(table: &'a Table) -> Self {
        let nodes = table.rows();
        let values = table.values();
        let entries = values.iter().enumerate().filter(|(at, _)| at / nodes != at % nodes);
        let finite = entries.map(|(_, value)| value).filter(|value| value.is_finite());
        let (mut largest, mut total, mut count) = (0.0_f64, 0.0, 0.0);
        for &value in finite.clone() {
            largest = largest.max(value);
            total += value;
            count += 1.0;
        }
        let mean = if count > 0.0 { total / count } else { 0.0 };
        let own = Scale::choose(nodes, finite.map(|value| (value, Precision::Double)));
        let mut digits = own.map_or(0, Scale::digits);
        // A table of zeros has no mean to resolve.
        while mean > 0.0 && mean * power(digits) < STEPS_PER_MEAN {
            digits += 1;
        }
        let factor = power(digits);
        let whole = |value: f64| (value * factor).round() as i64;
        Self { table, factor, largest: whole(largest), mean: whole(mean).max(1) }
    }

    /// The entry in steps; one that cannot be driven counts as the largest.
    pub(crate) fn at(&self, from: usize, to: usize) -> i64 {
        let value = self.table.at(from, to);
        if value.is_finite() { self.steps(value) } else { self.largest }
    }

    /// There and back again.
    pub(crate) fn round_trip(&self, stop: usize) -> i64 {
        self.at(0, stop) + self.at(stop, 0)
    }

    /// A length of the table's unit in steps.
    fn steps(&self, value: f64) -> i64 {
        (value * self.factor).round() as i64
    }

    /// A share of the unit that the published generators mean.
    pub(crate) fn times(&self, measure: Measure, share: f64) -> i64 {
        match measure {
            Measure::Absolute => self.steps(share),
            Measure::Largest => (self.largest() as f64 * share).round() as i64,
        }
    }

    /// Steps as the decimal to state.
    pub(crate) fn stated(&self, steps: i64) -> f64 {
        steps as f64 / self.factor
    }

    /// The largest entry, at least one step.
    fn largest(&self) -> i64 {
        self.largest.max(1)
    }

    /// The mean entry off the diagonal, at least one step.
    pub(crate) fn mean(&self) -> i64 {
        self.mean
    }

    /// The nodes of the table.
    pub(crate) fn nodes(&self) -> usize {
        self.table.rows()
    }
}

fn power(digits: u32) -> f64 {
    10.0_f64.powi(digits as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factor(values: [f64; 4]) -> f64 {
        Ruler::of(&Table::from_values(2, 2, values.to_vec())).factor
    }

    #[test]
    fn the_grid_is_the_tables_or_finer() {
        assert_eq!(factor([0.0, 0.046_001, 0.03, 0.0]), 1e6);
        assert_eq!(factor([0.0, 600.0, 700.0, 0.0]), 10.0);
        assert_eq!(factor([0.0, 12_345.25, 700.0, 0.0]), 100.0);
        assert_eq!(factor([0.0; 4]), 1.0);
    }

    #[test]
    fn entries_that_cannot_be_driven_count_as_the_largest() {
        let table = Table::from_values(2, 2, vec![0.0, f64::INFINITY, 40.0, 0.0]);
        let ruler = Ruler::of(&table);
        assert_eq!(ruler.at(0, 1), ruler.largest());
        assert_eq!(ruler.stated(ruler.round_trip(1)), 80.0);
    }
}
