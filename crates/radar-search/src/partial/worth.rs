//! What stops, costs and breaches are worth to each other, in one unit.

use radar_problem::{Instance, UNREACHABLE};

use crate::fleet::{Needs, Penalties, Yard};

/// What it is worth to serve a stop, whichever it is.
const STOP: f64 = 1e6;
/// How much more a stop of mean priority is worth, where priorities differ.
const PRIORITY: f64 = 16.0;

/// The worth of things. Serving a stop is worth more than any detour to it, so that cost only chooses among
/// plans that miss as much.
pub(super) struct Worth {
    stops: Vec<i64>,
    /// Of a unit of cost.
    unit: f64,
    /// Of a stop on average, and of an average arc.
    pub stop: f64,
    pub arc: f64,
}

impl Worth {
    pub fn of_instance(instance: &Instance) -> Self {
        let (mean_cost, greatest) = survey(instance.nodes(), |from, to| instance.cost().at(from, to));
        let priorities: Vec<f64> = instance.stops().map(|stop| instance.priority(stop)).collect();
        let mean = priorities.iter().sum::<f64>() / priorities.len().max(1) as f64;
        let is_even = priorities.iter().all(|&priority| priority == mean) || mean <= 0.0 || !mean.is_finite();
        let share = |node: usize| match is_even {
            true => 0.0,
            false => (PRIORITY * instance.priority(node) / mean).clamp(0.0, 1e6),
        };
        let stops: Vec<i64> = (0..instance.nodes()).map(|node| (STOP * (1.0 + share(node))) as i64).collect();
        let unit = STOP / (4.0 * greatest.max(1.0));
        let stop = if is_even { STOP } else { STOP * (1.0 + PRIORITY) };
        Self { stops, unit, stop, arc: unit * mean_cost }
    }

    /// What serving a stop is worth.
    #[inline]
    pub fn of(&self, stop: usize) -> i64 {
        self.stops[stop]
    }

    /// What a cost is worth.
    #[inline]
    pub fn of_cost(&self, cost: i64) -> i64 {
        (cost as f64 * self.unit) as i64
    }

    /// Fines at which breaking something for one more stop is a toss-up.
    pub fn penalties(&self, yard: &Yard<'_>) -> Penalties {
        let instance = yard.instance();
        let amounts = instance.stops().map(|stop| instance.demand(stop).max(instance.backhaul(stop)));
        let amounts: Vec<f64> = amounts.filter(|&amount| amount > 0).map(|amount| amount as f64).collect();
        let amount = (amounts.iter().sum::<f64>() / amounts.len().max(1) as f64).max(1.0);
        let mean = |value: &dyn Fn(usize, usize) -> i64| survey(instance.nodes(), value).0;
        let length = if yard.is_limited() { mean(&|from, to| yard.length(from, to)) } else { 1.0 };
        let time = if yard.needs() == Needs::All { mean(&|from, to| yard.travel(from, to)) } else { 1.0 };
        let per = |typical: f64| self.stop / typical.max(1.0);
        Penalties::new([per(amount), 1.5 * self.stop, per(length), per(time)])
    }
}

/// The mean and the greatest of what can be driven.
fn survey(nodes: usize, value: impl Fn(usize, usize) -> i64) -> (f64, f64) {
    let (mut sum, mut count, mut greatest) = (0.0, 0_u64, 0);
    for from in 0..nodes {
        for to in 0..nodes {
            let value = value(from, to);
            if from != to && value < UNREACHABLE {
                sum += value as f64;
                count += 1;
                greatest = greatest.max(value);
            }
        }
    }
    (sum / count.max(1) as f64, greatest as f64)
}
