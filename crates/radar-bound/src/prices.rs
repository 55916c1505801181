//! Prices of leaving and entering nodes under which no arc has a negative cost.

use radar_kernel::assignment;

use crate::arcs::Arcs;
use crate::{Stop, Weight};

/// What it is worth to leave and to enter each node. The depot's prices hold for every route.
pub(crate) struct Prices<W> {
    pub leave: Vec<W>,
    pub enter: Vec<W>,
    /// Where the assignment goes from each node of a tour.
    pub successor: Option<Vec<u32>>,
}

impl<W: Weight> Prices<W> {
    /// The fewest routes of a plan, given what all plans cost at least by these prices.
    pub fn fewest(&self, arcs: &Arcs<W>) -> usize {
        let of_stops = self.leave.iter().skip(1).chain(self.enter.iter().skip(1));
        let base = of_stops.map(|price| price.to_i64()).sum();
        let more = self.per_route();
        let by_costs = arcs.allowances.iter().map(|allowance| allowance.fewest(base, more)).max();
        arcs.least.max(by_costs.unwrap_or(0)).min(arcs.most)
    }

    fn per_route(&self) -> i64 {
        self.leave[0].to_i64() + self.enter[0].to_i64()
    }
}

/// An expanded table of more rows than this times the nodes is not solved for the sake of a few routes.
const MOST_COPIES: usize = 2;

/// The prices of a cheapest assignment: of nodes to nodes on a tour; of stops and one copy of the depot
/// per route to each other on routes. `None` when the numbers leave no room for prices, or when told to stop.
pub(crate) fn by_assignment<W: Weight>(arcs: &Arcs<W>, stop: Stop) -> Option<Prices<W>> {
    if arcs.is_tour {
        let found = assignment::solve_until(arcs.nodes, &arcs.costs, stop).ok()?;
        let successor = found.column_of.iter().map(|&to| to as u32).collect();
        return Some(Prices { leave: found.rows, enter: found.columns, successor: Some(successor) });
    }
    // Open routes often gain by being more than must be.
    let ends_free = (1..arcs.nodes).all(|from| arcs.costs[from * arcs.nodes].to_i64() <= 0);
    let mut spare = if ends_free { (arcs.least / 2 + 4).min(arcs.most - arcs.least) } else { 0 };
    let mut best = None;
    loop {
        let Some(prices) = with_copies(arcs, spare, stop) else { return best };
        let next = (2 * spare + 4).min(arcs.most - arcs.least);
        if prices.per_route() >= 0 || next == spare || arcs.least + next > MOST_COPIES * arcs.nodes {
            return Some(prices);
        }
        best = Some(prices);
        spare = next;
    }
}

/// The prices of the assignment with `least + spare` copies of the depot, of which the spare ones may
/// stay at home.
fn with_copies<W: Weight>(arcs: &Arcs<W>, spare: usize, stop: Stop) -> Option<Prices<W>> {
    let (nodes, stops) = (arcs.nodes, arcs.nodes - 1);
    let must = stops + arcs.least;
    let size = must + spare;
    let mut costs = Vec::with_capacity(size * size);
    for row in 0..size {
        let from = if row < stops { row + 1 } else { 0 };
        let of = &arcs.costs[from * nodes..(from + 1) * nodes];
        costs.extend_from_slice(&of[1..]);
        let home = if from == 0 { arcs.absent } else { of[0] };
        costs.resize((row + 1) * size - spare, home);
        costs.resize((row + 1) * size, if row >= must { W::ZERO } else { home });
    }
    let found = assignment::solve_until(size, &costs, stop).ok()?;
    let mut leave = vec![W::ZERO; nodes];
    let mut enter = vec![W::ZERO; nodes];
    leave[1..].copy_from_slice(&found.rows[..stops]);
    enter[1..].copy_from_slice(&found.columns[..stops]);
    Some(depot_priced(arcs, leave, enter))
}

/// Prices by the least cost into each node, then the least of what is left out of each: far from the best,
/// but in one pass over the table.
pub(crate) fn by_minima<W: Weight>(arcs: &Arcs<W>) -> Prices<W> {
    let nodes = arcs.nodes;
    let mut enter = vec![W::FORBIDDEN; nodes];
    for row in arcs.costs.chunks_exact(nodes) {
        for (least, &cost) in enter.iter_mut().zip(row) {
            *least = (*least).min(cost);
        }
    }
    let rows = arcs.costs.chunks_exact(nodes);
    let least = |row: &[W]| row.iter().zip(&enter).fold(W::FORBIDDEN, |least, (&c, &v)| least.min(c - v));
    let leave: Vec<W> = rows.map(least).collect();
    if arcs.is_tour { Prices { leave, enter, successor: None } } else { depot_priced(arcs, leave, enter) }
}

/// The greatest prices of the depot that leave no arc of it negative.
fn depot_priced<W: Weight>(arcs: &Arcs<W>, mut leave: Vec<W>, mut enter: Vec<W>) -> Prices<W> {
    let out = arcs.costs[..arcs.nodes].iter().zip(&enter).skip(1);
    leave[0] = out.fold(W::FORBIDDEN, |least, (&cost, &price)| least.min(cost - price));
    let back = arcs.costs.iter().step_by(arcs.nodes).zip(&leave).skip(1);
    enter[0] = back.fold(W::FORBIDDEN, |least, (&cost, &price)| least.min(cost - price));
    Prices { leave, enter, successor: None }
}
