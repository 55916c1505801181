//! Improvement of one tour: kicks, local search, annealing.
//!
//! Works on reduced costs, where most arcs of a good tour cost nothing, so that nearly every search for an
//! exchange ends at its first look.

mod exchange;
mod kick;
mod order;
mod patch;
mod queue;
mod reversal;
mod sequential;
mod settings;
mod start;

pub(crate) use settings::Settings;
pub(crate) use start::given;

use radar_bound::{Reduced, Weight};
use radar_kernel::random::Stream;

use crate::anneal::Anneal;
use crate::candidates::Neighbours;
use crate::pace::Pace;
use crate::prior::EdgePrior;
use exchange::Exchange;
use order::Order;
use patch::Marks;
use queue::Queue;
use sequential::Paths;

/// Steps between two looks at the pace.
const STEPS_PER_LOOK: u64 = 16;
/// Nodes that a local search examines between two looks at the pace.
const NODES_PER_LOOK: u32 = 16;

/// A search for a short tour. A function of its arguments as long as the pace is one of steps.
pub(crate) struct TourSearch<'a, W> {
    order: Order<'a, W>,
    neighbours: &'a Neighbours<W>,
    prior: Option<&'a dyn EdgePrior>,
    settings: Settings,
    anneal: Anneal,
    stream: Stream,
    queue: Queue,
    marks: Marks,
    /// The price of leaving each node less the price of entering it.
    lean: Vec<i64>,
    cost: i64,
    best: Vec<u32>,
    best_cost: i64,
    steps: u64,
    until_look: u32,
    is_over: bool,
}

impl<'a, W: Weight> TourSearch<'a, W> {
    /// A search from `tour`, which visits every node of `reduced` once. Searches with different `index`
    /// draw different random numbers under the same `seed`.
    pub fn new(
        reduced: &'a Reduced<W>,
        neighbours: &'a Neighbours<W>,
        tour: Vec<u32>,
        seed: u64,
        index: u64,
        prior: Option<&'a dyn EdgePrior>,
        settings: Settings,
    ) -> Self {
        let nodes = tour.len();
        let order = Order::new(reduced, tour);
        let cost = order.cost();
        let mean = (cost + reduced.worth(1)).max(0) as f64 / nodes.max(1) as f64;
        let prices = reduced.leave().iter().zip(reduced.enter());
        Self {
            lean: prices.map(|(leave, enter)| leave.to_i64() - enter.to_i64()).collect(),
            best: order.nodes().to_vec(),
            order,
            neighbours,
            prior,
            anneal: Anneal::new(settings.first * mean, settings.last * mean),
            settings,
            stream: Stream::new(seed, "tour search", index),
            queue: Queue::new(nodes),
            marks: Marks::new(nodes),
            cost,
            best_cost: cost,
            steps: 0,
            until_look: NODES_PER_LOOK,
            is_over: false,
        }
    }

    /// Local search from every node.
    pub fn settle(&mut self, pace: &dyn Pace) {
        for &node in self.order.nodes().iter().rev() {
            self.queue.push(node);
        }
        self.cost -= self.improve(pace);
        self.order.keep();
        self.note();
    }

    /// Steps until the pace says that `until` of the budget is spent. Returns at once when no tour can be
    /// shorter, or when the tour is too short for kicks: [`TourSearch::settle`] has seen all of it then.
    pub fn advance(&mut self, until: f64, pace: &dyn Pace) {
        self.is_over = false;
        loop {
            if self.steps.is_multiple_of(STEPS_PER_LOOK) {
                let spent = pace.spent(self.steps);
                if spent >= until.min(1.0) {
                    return;
                }
                self.anneal.cool(spent);
            }
            // No reduced cost is negative, so no tour costs less than nothing.
            if self.best_cost <= 0 || !self.step(pace) || self.is_over {
                return;
            }
        }
    }

    /// The best tour so far and its reduced cost.
    pub fn best(&self) -> (&[u32], i64) {
        (&self.best, self.best_cost)
    }

    /// How many steps were taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Goes on from another tour of the same nodes.
    pub fn adopt(&mut self, tour: &[u32]) {
        self.order.replace(tour);
        self.cost = self.order.cost();
        self.note();
    }

    /// A kick, a local search around it, and the decision to keep the result. False if there is no kick.
    fn step(&mut self, pace: &dyn Pace) -> bool {
        let Settings { kick, stride, .. } = self.settings;
        let drawn = kick::draw(&self.order, self.prior, kick, stride, &mut self.stream);
        let Some(exchange) = drawn else { return false };
        self.steps += 1;
        let mut gain = exchange.gain(&self.order);
        self.exchange(&exchange);
        gain += self.improve(pace);
        if gain >= 0 || -gain < self.anneal.allowance(&mut self.stream) {
            self.cost -= gain;
            self.order.keep();
            self.note();
        } else {
            self.order.undo();
        }
        true
    }

    fn note(&mut self) {
        if self.cost < self.best_cost {
            self.best_cost = self.cost;
            self.best.copy_from_slice(self.order.nodes());
        }
    }

    /// Takes every improvement there is around the waiting nodes; what it gained. When the time is over it
    /// ends with the tour as it is.
    fn improve(&mut self, pace: &dyn Pace) -> i64 {
        let mut total = 0;
        while let Some(node) = self.queue.pop() {
            self.until_look -= 1;
            if self.until_look == 0 {
                self.until_look = NODES_PER_LOOK;
                if pace.is_over() {
                    self.is_over = true;
                    self.queue.clear();
                    break;
                }
            }
            while let Some(gain) = self.improve_at(node) {
                total += gain;
            }
        }
        total
    }

    fn improve_at(&mut self, node: u32) -> Option<i64> {
        let mut paths = Paths::new(&self.order, self.neighbours, &self.settings, &mut self.marks);
        if let Some((exchange, gain)) = paths.find(node) {
            self.exchange(&exchange);
            return Some(gain);
        }
        let longest = self.settings.reversal;
        let (reversal, gain) = reversal::find(&self.order, self.neighbours, &self.lean, longest, node)?;
        for node in reversal.ends(&self.order) {
            self.queue.push(node);
        }
        self.order.reverse(reversal.place, reversal.length);
        Some(gain)
    }

    /// Carries out an exchange; both ends of every arc that goes are to be looked at again.
    fn exchange(&mut self, exchange: &Exchange) {
        for &tail in exchange.tails() {
            self.queue.push(tail);
            self.queue.push(self.order.ahead(tail).node);
        }
        self.order.apply(exchange);
    }
}

#[cfg(test)]
mod tests;
