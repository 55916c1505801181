//! Entropic transport: how mass is sent from rows to columns when every row sends one unit, every column
//! gets one unit, and cheap pairs are preferred as strictly as a temperature asks. A depot sends and gets as
//! much as is cheapest, but not less than some amount.
//!
//! At temperature 0 this is the assignment problem. Above, the plan is unique, smooth in the costs, and the same
//! for every order of the nodes: `ln plan = (u + v - cost) / temperature`, with prices `u` of the rows and `v`
//! of the columns by Sinkhorn's iterations. The temperature falls by halves, and prices are kept from one
//! to the next, so that few iterations do at each. They are few: columns get their unit, rows within a tenth,
//! and the plan of the way back is nearly, not quite, this plan turned round.
//!
//! The prices of a depot's row and column together draw routes home where there would be too few; where there may
//! be more they are 0.

use crate::attention::sweep;
use crate::isa::Isa;
use crate::simd::{Kernel, Lanes, Simd, exp};

/// Iterations at each temperature.
const ITERATIONS: usize = 20;

/// How often the temperature is halved at most, beginning with the mean cost.
const HALVINGS: usize = 14;

/// How a plan is made.
#[derive(Clone, Copy, Debug)]
pub struct Transport<'a> {
    /// Rows and columns.
    pub nodes: usize,
    /// Row by row (nodes, nodes); none below 0. Those of nodes to themselves are not looked at: nothing is
    /// sent there.
    pub costs: &'a [f32],
    /// If the first node is a depot, what it sends and gets at least; then no cost counts from any other zero.
    pub depot: Option<f32>,
    /// The last temperature, as a part of what one unit costs in the plan.
    pub coolness: f32,
}

/// Prices of rows and of columns (nodes, at least): what is sent is e^((row + column - cost) / temperature).
#[derive(Clone, Debug)]
pub struct Prices {
    /// Of what is sent from a node.
    pub rows: Vec<f32>,
    /// Of what gets there.
    pub columns: Vec<f32>,
    /// The last temperature; 0 if there is nothing to choose from or by.
    pub temperature: f32,
    /// What the first node sends and gets.
    pub amount: f32,
}

impl Transport<'_> {
    /// Minus the logarithm of every entry of the plan (nodes, nodes); from a node to itself the largest of all.
    pub fn surprise(&self, isa: Isa) -> Vec<f32> {
        self.surprise_until(isa, &|| false).unwrap_or_default()
    }

    /// The same, or nothing when it was stopped: asked at every temperature.
    pub fn surprise_until(&self, isa: Isa, stop: &dyn Fn() -> bool) -> Option<Vec<f32>> {
        let (nodes, costs) = (self.nodes, self.costs);
        let Prices { rows, columns, temperature, .. } = self.prices_until(isa, stop)?;
        if temperature == 0.0 {
            return Some(vec![0.0; nodes * nodes]);
        }
        let inverse = temperature.recip();
        let entry = |at: usize| (costs[at] - rows[at / nodes] - columns[at % nodes]) * inverse;
        let mut surprise: Vec<f32> = (0..costs.len()).map(entry).collect();
        let of_others = surprise.iter().enumerate().filter(|(at, _)| at / nodes != at % nodes);
        let most = of_others.map(|(_, &one)| one).fold(0.0, f32::max);
        (0..nodes).for_each(|node| surprise[node * nodes + node] = most);
        Some(surprise)
    }

    /// The prices of the plan, or nothing when it was stopped.
    pub fn prices_until(&self, isa: Isa, stop: &dyn Fn() -> bool) -> Option<Prices> {
        let nodes = self.nodes;
        assert!(self.costs.len() == nodes * nodes, "one cost per pair");
        let pairs = (nodes * nodes.saturating_sub(1)).max(1) as f64;
        let rows = self.costs.chunks_exact(nodes.max(1)).enumerate();
        let off_diagonal = |(row, costs): (usize, &[f32])| {
            costs.iter().map(|&c| f64::from(c)).sum::<f64>() - f64::from(costs[row])
        };
        let mean = (rows.map(off_diagonal).sum::<f64>() / pairs) as f32;
        if nodes < 2 || !(f32::MIN_POSITIVE..f32::MAX).contains(&mean) {
            // Nothing to choose from, or nothing to choose by.
            let free = vec![0.0; nodes];
            let amount = self.depot.unwrap_or(1.0);
            return Some(Prices { rows: free.clone(), columns: free, temperature: 0.0, amount });
        }
        isa.run(Annealing { of: self, stride: nodes.next_multiple_of(isa.lanes()), mean, stop })
    }
}

struct Annealing<'a> {
    of: &'a Transport<'a>,
    stride: usize,
    mean: f32,
    stop: &'a dyn Fn() -> bool,
}

impl Annealing<'_> {
    /// The least prices that leave no pair below 0 and every row and column with a pair at 0: no exponential of
    /// a whole row or column vanishes then, however far apart the costs are.
    fn prices(&self) -> Prices {
        let nodes = self.of.nodes;
        let (rows, columns) = (vec![0.0; nodes], vec![f32::INFINITY; self.stride]);
        let mut prices = Prices { rows, columns, temperature: self.mean, amount: 1.0 };
        for (row, costs) in self.of.costs.chunks_exact(nodes).enumerate() {
            let others = || costs.iter().enumerate().filter(|&(column, _)| column != row);
            let least = others().map(|(_, &cost)| cost).fold(f32::INFINITY, f32::min);
            prices.rows[row] = least;
            others()
                .for_each(|(column, cost)| prices.columns[column] = prices.columns[column].min(cost - least));
        }
        prices
    }

    /// Writes e^((u + v - cost) / temperature), 0 from a node to itself.
    #[inline(always)]
    fn exponentials<S: Simd>(&self, simd: S, prices: &Prices, temperature: f32, kernel: &mut [f32]) {
        let nodes = self.of.nodes;
        let inverse = simd.splat(temperature.recip());
        let rows = kernel.chunks_exact_mut(self.stride).zip(self.of.costs.chunks_exact(nodes));
        for (row, (kernel, costs)) in rows.enumerate() {
            kernel[..nodes].copy_from_slice(costs);
            let price = simd.splat(prices.rows[row]);
            let vectors = kernel.chunks_exact_mut(S::LANES).zip(prices.columns.chunks_exact(S::LANES));
            for (vector, column) in vectors {
                let gain = price - simd.load(vector) + simd.load(column);
                exp(simd, gain * inverse).store(vector);
            }
            kernel[row] = 0.0;
            kernel[nodes..].fill(0.0);
        }
    }

    /// What one unit costs in the plan `rows kernel columns`.
    fn spent(&self, kernel: &[f32], rows: &[f32], columns: &[f32]) -> f32 {
        let (mut spent, mut sent) = (0.0_f64, 0.0_f64);
        let lines = kernel.chunks_exact(self.stride).zip(self.of.costs.chunks_exact(self.of.nodes));
        for ((kernel, costs), &factor) in lines.zip(rows) {
            let (mut of_row, mut mass) = (0.0, 0.0);
            for ((&entry, &cost), &column) in kernel.iter().zip(costs).zip(columns) {
                mass += entry * column;
                of_row += entry * column * cost;
            }
            spent += f64::from(factor) * f64::from(of_row);
            sent += f64::from(factor) * f64::from(mass);
        }
        (spent / sent) as f32
    }
}

impl Kernel for Annealing<'_> {
    type Output = Option<Prices>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<Prices> {
        let Transport { nodes, depot, coolness, .. } = *self.of;
        let mut prices = self.prices();
        let mut kernel = vec![0.0; nodes * self.stride];
        let (mut rows, mut columns, mut sums) =
            (vec![1.0; nodes], vec![0.0; self.stride], vec![0.0; self.stride]);
        let mut temperature = self.mean;
        // What the first node sends and gets.
        let mut amount = depot.unwrap_or(1.0);
        for halving in 0..=HALVINGS {
            if (self.stop)() {
                return None;
            }
            self.exponentials(simd, &prices, temperature, &mut kernel);
            columns[..nodes].fill(1.0);
            // The product of the depot's factors at which its prices are 0 together.
            let floor = libm::expf(-(prices.rows[0] + prices.columns[0]) / temperature);
            for _ in 0..ITERATIONS {
                sweep(
                    simd,
                    &kernel,
                    &columns,
                    &mut sums,
                    #[inline(always)]
                    |row, sum| {
                        rows[row] = if row == 0 { amount / sum } else { 1.0 / sum };
                        rows[row]
                    },
                );
                columns[..nodes].iter_mut().zip(&sums).for_each(|(column, &sum)| *column = 1.0 / sum);
                if let Some(least) = depot {
                    let of_row = amount / rows[0];
                    amount = least.max((floor * of_row * sums[0]).sqrt());
                    columns[0] = amount / sums[0];
                }
            }
            prices
                .rows
                .iter_mut()
                .zip(&rows)
                .for_each(|(price, &factor)| *price += temperature * libm::logf(factor));
            prices.columns.iter_mut().zip(&columns[..nodes]).for_each(|(price, &factor)| {
                *price += temperature * libm::logf(factor);
            });
            let goal = coolness * self.spent(&kernel, &rows, &columns);
            if temperature <= goal || halving == HALVINGS {
                break;
            }
            temperature = goal.max(0.5 * temperature);
        }
        Some(Prices { temperature, amount, ..prices })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assignment::solve;
    use crate::random::Stream;

    fn costs(nodes: usize, seed: u64, spread: f64) -> Vec<f32> {
        let mut stream = Stream::new(seed, "costs", nodes as u64);
        (0..nodes * nodes).map(|_| (stream.unit().powf(spread)) as f32).collect()
    }

    fn plan(isa: Isa, nodes: usize, costs: &[f32], depot: Option<f32>, coolness: f32) -> Vec<f64> {
        let transport = Transport { nodes, costs, depot, coolness };
        let sent = |(at, &surprise): (usize, &f32)| match at / nodes == at % nodes {
            true => 0.0,
            false => (-f64::from(surprise)).exp(),
        };
        transport.surprise(isa).iter().enumerate().map(sent).collect()
    }

    /// What each node sends, and what each gets.
    fn sums(plan: &[f64], nodes: usize) -> (Vec<f64>, Vec<f64>) {
        let sent = plan.chunks_exact(nodes).map(|row| row.iter().sum());
        let got = (0..nodes).map(|column| plan.iter().skip(column).step_by(nodes).sum());
        (sent.collect(), got.collect())
    }

    #[test]
    fn rows_and_columns_have_their_units() {
        for isa in Isa::available() {
            for (nodes, spread) in [(2, 1.0), (3, 1.0), (8, 1.0), (21, 2.0), (50, 8.0)] {
                // A tour, or a depot that several vehicles leave and enter.
                for depot in [None, (nodes > 4).then_some(3.0)] {
                    let plan = plan(isa, nodes, &costs(nodes, 1, spread), depot, 0.01);
                    let (sent, got) = sums(&plan, nodes);
                    for at in usize::from(depot.is_some())..nodes {
                        assert!((got[at] - 1.0).abs() < 1e-3, "{isa} {nodes}: {}", got[at]);
                        assert!((sent[at] - 1.0).abs() < 0.2, "{isa} {nodes}: {}", sent[at]);
                    }
                    if let Some(least) = depot {
                        assert!(got[0] > f64::from(least) - 1e-2, "{isa} {nodes}: {}", got[0]);
                        assert!(
                            (sent[0] / got[0] - 1.0).abs() < 0.2,
                            "{isa} {nodes}: {} {}",
                            sent[0],
                            got[0]
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_depot_is_used_as_often_as_it_is_cheap() {
        let nodes = 12;
        let used = |to_depot: f32, least: f32| {
            let cost = |at: usize| if at < nodes || at.is_multiple_of(nodes) { to_depot } else { 1.0 };
            let costs: Vec<f32> = (0..nodes * nodes).map(cost).collect();
            sums(&plan(Isa::best(), nodes, &costs, Some(least), 0.01), nodes).1[0]
        };
        // Every stop on its own, where that costs less than to go on; no oftener than must be, where it costs more.
        assert!((used(0.3, 2.0) - 11.0).abs() < 0.1, "{}", used(0.3, 2.0));
        assert!((used(3.0, 2.0) - 2.0).abs() < 0.1, "{}", used(3.0, 2.0));
        assert!((used(3.0, 5.0) - 5.0).abs() < 0.1, "{}", used(3.0, 5.0));
    }

    #[test]
    fn a_cold_plan_is_nearly_the_cheapest_assignment() {
        let nodes = 30;
        let costs = costs(nodes, 2, 1.0);
        let mut whole: Vec<i32> = costs.iter().map(|&cost| (1e6 * cost) as i32).collect();
        (0..nodes).for_each(|node| whole[node * nodes + node] = i32::MAX);
        let cheapest = solve(nodes, &whole).expect("there is one").cost as f64 / 1e6;
        let spent = |coolness: f32| -> f64 {
            let plan = plan(Isa::best(), nodes, &costs, None, coolness);
            plan.iter().zip(&costs).map(|(sent, &cost)| sent * f64::from(cost)).sum::<f64>() / cheapest
        };
        assert!(spent(0.05) < 1.1 && spent(0.05) < spent(0.5), "{} {}", spent(0.05), spent(0.5));
    }

    #[test]
    fn the_order_of_the_nodes_does_not_matter() {
        let nodes = 17;
        let costs = costs(nodes, 3, 1.0);
        let turned: Vec<f32> = (0..nodes * nodes)
            .map(|at| costs[(at / nodes + 5) % nodes * nodes + (at % nodes + 5) % nodes])
            .collect();
        let of = |costs: &[f32]| plan(Isa::best(), nodes, costs, None, 0.1);
        let (one, other) = (of(&costs), of(&turned));
        for at in 0..nodes * nodes {
            let there = (at / nodes + 5) % nodes * nodes + (at % nodes + 5) % nodes;
            assert!((one[there] - other[at]).abs() < 1e-4);
        }
    }

    #[test]
    fn odd_costs_give_numbers() {
        type Entry = fn(usize, usize) -> f32;
        let odd: [(usize, Entry); 7] = [
            (1, |_, _| 0.0),
            (2, |_, _| 0.0),
            (12, |_, _| 0.0),
            (12, |_, _| 7.0),
            (12, |row, column| 10_f32.powi(((row * 5 + column * 3) % 11) as i32)),
            (12, |row, column| if row == 3 || column == 5 { 1e12 } else { 1.0 }),
            (300, |row, column| ((row + column) % 2) as f32),
        ];
        for (nodes, entry) in odd {
            let costs: Vec<f32> = (0..nodes * nodes).map(|at| entry(at / nodes, at % nodes)).collect();
            for depot in [None, Some(1.0), Some(3.0)] {
                let transport = Transport { nodes, costs: &costs, depot, coolness: 0.05 };
                let surprise = transport.surprise(Isa::best());
                assert!(surprise.iter().all(|one| one.is_finite() && *one > -2.0), "{nodes} {depot:?}");
            }
        }
    }
}
