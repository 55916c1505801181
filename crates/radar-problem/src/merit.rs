//! What plans are compared by.

use std::cmp::Ordering;

use crate::instance::Instance;

/// How good a plan is: the priority of the stops it leaves out, their number, its cost. Less is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Merit {
    /// The priorities of the stops left out, together.
    pub missed: f64,
    /// How many stops are left out.
    pub unserved: usize,
    /// The scaled cost.
    pub cost: i64,
}

impl Merit {
    /// The merit of a plan that leaves out `unserved` and costs `cost`.
    pub fn new(instance: &Instance, unserved: &[usize], cost: i64) -> Self {
        let missed = unserved.iter().map(|&stop| instance.priority(stop)).sum();
        Self { missed, unserved: unserved.len(), cost }
    }

    /// Whether this is strictly better.
    pub fn beats(&self, other: &Self) -> bool {
        let missed = self.missed.total_cmp(&other.missed);
        let order = missed.then(self.unserved.cmp(&other.unserved)).then(self.cost.cmp(&other.cost));
        order == Ordering::Less
    }
}

/// How far a cost may be above the best, as a fraction of the cost, when nothing costs less than `bound`.
pub fn gap(cost: f64, bound: f64) -> f64 {
    if cost == 0.0 { 0.0 } else { (cost - bound) / cost }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_a_fraction_of_the_cost() {
        assert_eq!((gap(8.0, 6.0), gap(5.0, 5.0), gap(0.0, 0.0)), (0.25, 0.0, 0.0));
    }

    #[test]
    fn priority_goes_before_number_and_number_before_cost() {
        let merit = |missed, unserved, cost| Merit { missed, unserved, cost };
        let order =
            [merit(0.0, 0, 9), merit(0.0, 1, 3), merit(1.0, 1, 5), merit(1.0, 1, 6), merit(2.0, 1, 0)];
        for (at, better) in order.iter().enumerate() {
            assert!(order[at + 1..].iter().all(|worse| better.beats(worse)));
            assert!(order[..=at].iter().all(|other| !better.beats(other)));
        }
    }
}
