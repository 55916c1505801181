//! The exact phase: each row that is still free gets a column along a shortest augmenting path.

use super::cost::{Cost, place_of};
use super::{Market, NOBODY};

/// One shortest-path search over the columns, dense on purpose: whole rows vectorise, lists do not.
struct Search<C> {
    /// The length of the way to each column, in reduced costs.
    ways: Vec<C>,
    /// The row from which each column is reached.
    reached_from: Vec<C>,
    /// `FORBIDDEN` for columns already scanned, `LEAST` for others: the maximum with a way masks it.
    scanned: Vec<C>,
    /// The same for columns that have an owner.
    owned: Vec<C>,
    /// The columns scanned, with their final ways.
    settled: Vec<(usize, C)>,
}

impl<C: Cost> Market<'_, C> {
    #[inline(always)]
    pub(super) fn augment(&mut self, free: &[usize]) {
        let nodes = self.nodes;
        let mask = |owner: &usize| if *owner == NOBODY { C::LEAST } else { C::FORBIDDEN };
        let mut search = Search {
            ways: vec![C::ZERO; nodes],
            reached_from: vec![C::ZERO; nodes],
            scanned: vec![C::LEAST; nodes],
            owned: self.owner_of.iter().map(mask).collect(),
            settled: Vec::new(),
        };
        for &row in free {
            self.is_stopped = self.is_stopped || (self.stop)();
            if self.is_stopped {
                return;
            }
            let end = self.search(row, &mut search);
            search.owned[end] = C::FORBIDDEN;
            self.trade(row, end, &search.reached_from);
        }
    }

    /// Finds the nearest column without an owner, and lowers prices so that the way to it is tight.
    #[inline(always)]
    fn search(&mut self, start: usize, search: &mut Search<C>) -> usize {
        search.ways.fill(C::FORBIDDEN);
        search.scanned.fill(C::LEAST);
        search.settled.clear();
        let (mut row, mut offset) = (start, C::ZERO);
        loop {
            let costs = &self.costs[row * self.nodes..][..self.nodes];
            let (nearest, nearest_free) = relax(row, offset, costs, &self.prices, search);
            if nearest == nearest_free {
                // A column without an owner is never scanned, so the mask of owners says it all.
                let free = |(&way, &owned): (&C, &C)| way == nearest && owned == C::LEAST;
                let places = search.ways.iter().zip(&search.owned);
                let end = places.take_while(|&place| !free(place)).count();
                for &(column, way) in &search.settled {
                    self.prices[column] = self.prices[column] + way - nearest;
                }
                return end;
            }
            let column = nearest_open(search, nearest);
            search.scanned[column] = C::FORBIDDEN;
            search.settled.push((column, nearest));
            row = self.owner_of[column];
            offset = self.costs[row * self.nodes + column] - self.prices[column] - nearest;
        }
    }

    /// Passes the columns on the way from `row` to `end` on by one.
    #[inline(always)]
    fn trade(&mut self, row: usize, end: usize, reached_from: &[C]) {
        let mut column = end;
        loop {
            let buyer = reached_from[column].to_i64() as usize;
            let given_up = self.column_of[buyer];
            self.assign(buyer, column);
            if buyer == row {
                return;
            }
            column = given_up;
        }
    }
}

/// Shortens the ways to all columns by way of `row`; returns the shortest to a column not yet scanned,
/// and to one without an owner. Scanned columns cannot get nearer, because reduced costs are not
/// negative, so they need no test.
#[inline(always)]
fn relax<C: Cost>(row: usize, offset: C, costs: &[C], prices: &[C], search: &mut Search<C>) -> (C, C) {
    let row = C::from_i64(row as i64);
    let (mut nearest, mut nearest_free) = (C::FORBIDDEN, C::FORBIDDEN);
    let columns = search.ways.iter_mut().zip(&mut search.reached_from);
    let masks = search.scanned.iter().zip(&search.owned);
    for (((way, from), (&scanned, &owned)), (&cost, &price)) in
        columns.zip(masks).zip(costs.iter().zip(prices))
    {
        let by_row = cost - price - offset;
        *from = if by_row < *way { row } else { *from };
        *way = (*way).min(by_row);
        nearest = nearest.min((*way).max(scanned));
        nearest_free = nearest_free.min((*way).max(owned));
    }
    (nearest, nearest_free)
}

/// The first column at `nearest` that is not yet scanned.
#[inline(always)]
fn nearest_open<C: Cost>(search: &Search<C>, nearest: C) -> usize {
    let mut from = 0;
    loop {
        let column = from + place_of(&search.ways[from..], nearest);
        if search.scanned[column] == C::LEAST {
            return column;
        }
        from = column + 1;
    }
}
