//! What searches of tours and of routes have in common.

use radar_bound::{Reduced, Weight};

use crate::fleet::{FleetSearch, Record};
use crate::pace::Pace;
use crate::tour::TourSearch;

/// One search. Plans are lists of stops per vehicle without the depot; a tour is one list with it.
pub(crate) trait Engine: Send {
    /// Local search of everything.
    fn settle(&mut self, pace: &dyn Pace);
    /// Takes steps until this much of the budget is spent.
    fn advance(&mut self, until: f64, pace: &dyn Pace);
    /// How many steps were taken.
    fn steps(&self) -> u64;
    /// The best plan and its cost in full; `None` before there is a feasible one.
    fn best(&self) -> Option<(Vec<Vec<u32>>, i64)>;
    /// The plan as it stands, feasible or not.
    fn current(&self) -> Vec<Vec<u32>>;
    /// The cost of the best plan in full.
    fn best_cost(&self) -> Option<i64>;
    /// Goes on from another plan.
    fn adopt(&mut self, plan: &[Vec<u32>]);
}

/// A tour search, with what makes its costs whole.
pub(crate) struct Touring<'a, W> {
    pub search: TourSearch<'a, W>,
    pub reduced: &'a Reduced<W>,
    /// A tour that costs as much drives where one cannot.
    pub ceiling: i64,
}

impl<W: Weight + Send + Sync> Engine for Touring<'_, W> {
    fn settle(&mut self, pace: &dyn Pace) {
        self.search.settle(pace);
    }

    fn advance(&mut self, until: f64, pace: &dyn Pace) {
        self.search.advance(until, pace);
    }

    fn steps(&self) -> u64 {
        self.search.steps()
    }

    fn best(&self) -> Option<(Vec<Vec<u32>>, i64)> {
        let cost = self.best_cost()?;
        Some((vec![self.search.best().0.to_vec()], cost))
    }

    fn current(&self) -> Vec<Vec<u32>> {
        vec![self.search.best().0.to_vec()]
    }

    fn best_cost(&self) -> Option<i64> {
        let cost = self.search.best().1 + self.reduced.worth(1);
        (cost < self.ceiling).then_some(cost)
    }

    fn adopt(&mut self, plan: &[Vec<u32>]) {
        if let [tour] = plan {
            self.search.adopt(tour);
        }
    }
}

impl<W: Weight + Send + Sync, R: Record> Engine for FleetSearch<'_, W, R> {
    fn settle(&mut self, pace: &dyn Pace) {
        FleetSearch::settle(self, pace);
    }

    fn advance(&mut self, until: f64, pace: &dyn Pace) {
        FleetSearch::advance(self, until, pace);
    }

    fn steps(&self) -> u64 {
        FleetSearch::steps(self)
    }

    fn best(&self) -> Option<(Vec<Vec<u32>>, i64)> {
        FleetSearch::best(self).map(|(routes, cost)| (routes.to_vec(), cost))
    }

    fn current(&self) -> Vec<Vec<u32>> {
        FleetSearch::current(self).to_vec()
    }

    fn best_cost(&self) -> Option<i64> {
        FleetSearch::best(self).map(|(_, cost)| cost)
    }

    fn adopt(&mut self, plan: &[Vec<u32>]) {
        FleetSearch::adopt(self, plan);
    }
}
