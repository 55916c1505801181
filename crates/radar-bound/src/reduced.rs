//! Costs less what the prices at their two ends explain.

use radar_problem::Instance;

use crate::arcs::Arcs;
use crate::prices::{self, Prices};
use crate::{Stop, Weight};

/// Reduced costs: `cost(i, j) - leave[i] - enter[j]`, never negative.
///
/// Two plans with as many routes differ by the same amount as before, and most arcs of a good plan cost
/// nothing at all, which is what makes search on them quick. The arc from the depot to itself stands for a
/// route without stops: it gives back the two prices of the depot.
#[derive(Clone, Debug)]
pub struct Reduced<W> {
    nodes: usize,
    costs: Vec<W>,
    leave: Vec<W>,
    enter: Vec<W>,
    absent: W,
    is_tour: bool,
    least: usize,
    most: usize,
    successor: Option<Vec<u32>>,
}

impl<W: Weight> Reduced<W> {
    /// Reduces by the prices of a cheapest assignment. Takes about as long as `nodes` passes over the
    /// table at worst, and usually a few dozen.
    pub fn by_assignment(arcs: Arcs<W>) -> Self {
        Self::by_assignment_until(arcs, &|| false)
    }

    /// The same while `stop` does not say otherwise; then by minima, if there is nothing better yet.
    pub fn by_assignment_until(mut arcs: Arcs<W>, stop: Stop) -> Self {
        if arcs.nodes < 2 {
            return Self::by_minima(arcs);
        }
        let Some(mut prices) = prices::by_assignment(&arcs, stop) else { return Self::by_minima(arcs) };
        let fewest = prices.fewest(&arcs);
        if fewest > arcs.least {
            // With more routes that must be, the assignment costs more.
            arcs.least = fewest;
            prices = prices::by_assignment(&arcs, stop).unwrap_or(prices);
        }
        Self::by(arcs, prices)
    }

    /// Reduces by the least cost of each column and row: two passes over the table.
    pub fn by_minima(arcs: Arcs<W>) -> Self {
        if arcs.nodes < 2 {
            let nothing = vec![W::ZERO; arcs.nodes];
            return Self::by(arcs, Prices { leave: nothing.clone(), enter: nothing, successor: None });
        }
        let prices = prices::by_minima(&arcs);
        Self::by(arcs, prices)
    }

    fn by(arcs: Arcs<W>, prices: Prices<W>) -> Self {
        let least = if arcs.nodes < 2 { arcs.least } else { prices.fewest(&arcs) };
        let Arcs { nodes, mut costs, absent, is_tour, most, .. } = arcs;
        let Prices { leave, enter, successor } = prices;
        for (from, row) in costs.chunks_exact_mut(nodes.max(1)).enumerate() {
            let price = leave[from];
            for (cost, &enter) in row.iter_mut().zip(&enter) {
                *cost = *cost - price - enter;
            }
            row[from] = absent;
        }
        if !is_tour && nodes > 0 {
            costs[0] = W::ZERO - leave[0] - enter[0];
        }
        Self { nodes, costs, leave, enter, absent, is_tour, least, most, successor }
    }

    /// How many nodes there are, the depot included.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The reduced cost from `from` to `to`.
    #[inline(always)]
    pub fn at(&self, from: usize, to: usize) -> W {
        self.costs[from * self.nodes + to]
    }

    /// The reduced costs out of `from`.
    #[inline(always)]
    pub fn row(&self, from: usize) -> &[W] {
        &self.costs[from * self.nodes..(from + 1) * self.nodes]
    }

    /// The price of leaving each node.
    pub fn leave(&self) -> &[W] {
        &self.leave
    }

    /// The price of entering each node.
    pub fn enter(&self) -> &[W] {
        &self.enter
    }

    /// The cost of an arc before it was reduced.
    #[inline]
    pub fn cost(&self, from: usize, to: usize) -> i64 {
        self.at(from, to).to_i64() + self.leave[from].to_i64() + self.enter[to].to_i64()
    }

    /// Whether no plan can use this arc.
    #[inline]
    pub fn is_absent(&self, from: usize, to: usize) -> bool {
        from == to || self.cost(from, to) >= self.absent.to_i64()
    }

    /// What an arc costs that no plan can use, before it is reduced.
    pub fn absent(&self) -> i64 {
        self.absent.to_i64()
    }

    /// Whether one tour is wanted.
    pub fn is_tour(&self) -> bool {
        self.is_tour
    }

    /// The fewest routes that hold all amounts and keep to all limits.
    pub fn least_routes(&self) -> usize {
        self.least
    }

    /// The most routes there may be.
    pub fn most_routes(&self) -> usize {
        self.most
    }

    /// Where the assignment goes from each node, on a tour.
    pub fn successor(&self) -> Option<&[u32]> {
        self.successor.as_deref()
    }

    /// What all prices are worth together on a plan of `routes` routes: add it to a reduced cost to have
    /// the cost. Routes without stops count if their arc from the depot to itself does.
    pub fn worth(&self, routes: usize) -> i64 {
        let sum = |prices: &[W]| prices.iter().map(|price| price.to_i64()).sum::<i64>();
        if self.is_tour {
            return sum(&self.leave) + sum(&self.enter);
        }
        let (stops_out, stops_in) =
            (sum(self.leave.get(1..).unwrap_or(&[])), sum(self.enter.get(1..).unwrap_or(&[])));
        stops_out + stops_in + routes as i64 * self.per_route()
    }

    /// The two prices of the depot together.
    pub fn per_route(&self) -> i64 {
        match (self.leave.first(), self.enter.first()) {
            (Some(leave), Some(enter)) => leave.to_i64() + enter.to_i64(),
            _ => 0,
        }
    }

    /// The least reduced cost of all; the depot of routes to itself is no arc.
    pub(crate) fn least(&self) -> W {
        let arcs = self.costs.get(usize::from(!self.is_tour)..).unwrap_or(&[]);
        arcs.iter().fold(W::FORBIDDEN, |least, &cost| least.min(cost))
    }

    /// What no plan costs less than, by the prices alone.
    pub fn bound(&self) -> i64 {
        // Reduced costs are never negative, so a plan costs at least the worth of its prices.
        self.worth(if self.per_route() >= 0 { self.least } else { self.most })
    }
}

/// A bound on scaled costs in stated units: lowered by what rounding may have added to every arc.
pub fn stated(instance: &Instance, bound: i64) -> f64 {
    let arcs = match instance.is_tour() {
        true => instance.nodes(),
        false => 2 * instance.stops().len(),
    };
    let scale = instance.cost_scale();
    (scale.undo(bound) - arcs as f64 * scale.rounding()).max(0.0)
}
