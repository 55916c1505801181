//! Whether the network that comes along goes before a search that nobody asked it for, and how long a network will take.

use std::sync::Arc;
use std::time::Duration;

use radar_net::decode::Isa;
use radar_net::input::may_run_out;
use radar_problem::{Instance, Kind, Objective, Problem, Table};

use crate::neural::Model;
use crate::options::{Method, Options};
use crate::shipped::shipped;

/// The share of the time by which a network must be done.
pub(crate) const SHARE: f64 = 0.5;
/// From how many nodes it starts unless said, of routes the likeliest: as many of these as take so much of the time.
pub(crate) const STARTS: usize = 4;
const SHARE_OF_STARTS: f64 = 0.125;

/// The share of the time that the one that comes along may take: of a time limit, and of about as long as a search takes when nobody
/// says how long.
const WORTH: f64 = 0.33;
const USUAL: Duration = Duration::from_millis(1500);
/// Up to so many nodes it was measured.
const MOST: usize = 1000;
/// Under a time limit it saves a search more time than it takes from so many stops on, on matrices whose two directions differ by such a
/// part of a mean entry: the paper's do (0.33 to 0.5), those of roads do not (0.05 to 0.28 on 17 windows), and there it does not.
const FEWEST: usize = 100;
const ASYMMETRY: f64 = 0.3;

/// The network that comes along, if it goes before the search for a problem: where that measured better than to go without
/// (docs/models.md), and there is time for it, so far as a look at the problem tells. With steps counted, answers are to be the same on
/// machines of every kind, which networks are not to the last bit.
pub fn companion(options: &Options, problem: &Problem) -> Option<Arc<Model>> {
    let is_free = options.method == Method::Auto && options.model.is_none() && options.budget.steps.is_none();
    let begins = options.warm.is_none() && options.freeze.is_none() && options.prior.is_none();
    let nodes = problem.nodes();
    if problem.kind != Kind::Vrp || !is_free || !begins || nodes > MOST {
        return None;
    }
    let time = options.budget.time;
    let is_quick = is_quick(&Expense::telling(problem.limit.is_some()), nodes, options);
    let costs = match (options.objective, &problem.duration) {
        (Objective::Duration, Some(duration)) => duration,
        _ => &problem.distance,
    };
    let is_better = || time.is_none() || nodes > FEWEST && asymmetry(costs) >= ASYMMETRY;
    if is_quick && is_better() { shipped(Kind::Vrp, Isa::best()) } else { None }
}

/// Whether the network that comes along is done soon enough.
pub(crate) fn is_quick(expense: &Expense, nodes: usize, options: &Options) -> bool {
    let within = WORTH * options.budget.time.unwrap_or(USUAL).as_secs_f64();
    expense.seconds(nodes, options.starts.unwrap_or(1), options.augment) <= within
}

/// The mean difference of the two directions as a part of the mean entry, of pairs that can be driven both ways.
fn asymmetry(table: &Table) -> f64 {
    let (mut difference, mut sum) = (0.0, 0.0);
    let nodes = if table.is_square() { table.rows() } else { 0 };
    for from in 0..nodes {
        for to in 0..from {
            let (there, back) = (table.at(from, to), table.at(to, from));
            if there.is_finite() && back.is_finite() {
                difference += 2.0 * (there - back).abs();
                sum += there + back;
            }
        }
    }
    if sum > 0.0 { difference / sum } else { 0.0 }
}

/// About how many seconds a network takes for an entry of the matrix, and for an entry from each of its starts: not every part of it
/// hears a stop, so one that would overstay is not asked at all.
pub(crate) struct Expense {
    entry: f64,
    start: f64,
}

impl Expense {
    /// Of one of width 128 that tells vehicles on their way what to do; where more than room may run out, it sums over what is left of
    /// that, too.
    fn telling(more_may_run_out: bool) -> Self {
        match more_may_run_out {
            false => Self { entry: 7.3e-7, start: 1.3e-7 },
            true => Self { entry: 1e-5, start: 3.5e-6 },
        }
    }

    /// Of a network for an instance.
    pub fn of(model: &Model, instance: &Instance) -> Self {
        let config = &model.card().config;
        let Self { entry, start } = match config.has_journeys() {
            true => Self::telling(may_run_out(instance)),
            false => Self { entry: 6e-7, start: 2e-8 },
        };
        let width = config.width as f64 / 128.0;
        Self { entry: width * entry, start: width * start }
    }

    /// From so many starts of each of some sketches.
    pub fn seconds(&self, nodes: usize, starts: usize, sketches: usize) -> f64 {
        const ALWAYS: f64 = 0.004;
        /// A machine may be so much slower than the one that this was measured on.
        const SLOWER: f64 = 1.5;
        let entries = (nodes as f64).powi(2) * sketches.max(1) as f64;
        SLOWER * (ALWAYS + entries * (self.entry + self.start * starts.min(nodes) as f64))
    }

    /// As many starts as it is worth to wait for.
    pub fn starts(&self, nodes: usize, sketches: usize, left: Option<Duration>) -> usize {
        let within = left.map_or(f64::INFINITY, |left| SHARE_OF_STARTS * left.as_secs_f64());
        (2..=STARTS).rev().find(|&starts| self.seconds(nodes, starts, sketches) <= within).unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asymmetry_is_the_mean_difference_over_the_mean() {
        let table = |values: &[f64]| Table::from_values(3, 3, values.to_vec());
        assert_eq!(asymmetry(&table(&[0.0, 1.0, 2.0, 3.0, 0.0, 4.0, 2.0, 4.0, 0.0])), 4.0 / 16.0);
        assert_eq!(asymmetry(&table(&[0.0, 1.0, f64::INFINITY, 3.0, 0.0, 4.0, 2.0, 4.0, 0.0])), 4.0 / 12.0);
        assert_eq!(asymmetry(&table(&[0.0; 9])), 0.0);
        assert_eq!(asymmetry(&table(&[f64::NAN; 9])), 0.0);
    }

    #[test]
    fn fewer_starts_where_there_is_less_time() {
        let starts =
            |millis: u64| Expense::telling(false).starts(200, 1, Some(Duration::from_millis(millis)));
        assert_eq!([10, 530, 10_000].map(starts), [1, 2, STARTS]);
        assert_eq!(Expense::telling(true).starts(200, 1, None), STARTS);
        let absurd = Expense::telling(true).seconds(usize::MAX, usize::MAX, usize::MAX);
        assert!(absurd > 1e30);
    }
}
