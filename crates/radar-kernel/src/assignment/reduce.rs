//! The cheap phases: they assign most rows and leave prices from which little augmentation is needed.

use super::cost::{Cost, least, place_of};
use super::{Market, NOBODY};

impl<C: Cost> Market<'_, C> {
    /// Prices every column at its cheapest row, gives it to that row if the row has none yet, and lets
    /// rows that are the cheapest of one column only undercut by what they can. Returns the free rows.
    #[inline(always)]
    pub(super) fn reduce_columns(&mut self) -> Vec<usize> {
        let nodes = self.nodes;
        if nodes == 0 {
            return Vec::new();
        }
        let mut cheapest = vec![C::ZERO; nodes];
        self.prices.fill(C::FORBIDDEN);
        for (row, costs) in self.costs.chunks_exact(nodes).enumerate() {
            let row = C::from_i64(row as i64);
            for ((price, cheapest), &cost) in self.prices.iter_mut().zip(&mut cheapest).zip(costs) {
                *cheapest = if cost < *price { row } else { *cheapest };
                *price = (*price).min(cost);
            }
        }
        let mut courted = vec![0_u32; nodes];
        for column in (0..nodes).rev() {
            let row = cheapest[column].to_i64() as usize;
            courted[row] += 1;
            if courted[row] == 1 {
                self.assign(row, column);
            }
        }
        let mut margins = vec![C::ZERO; nodes];
        for row in (0..nodes).filter(|&row| courted[row] == 1) {
            let column = self.column_of[row];
            self.margins(row, &mut margins);
            margins[column] = C::FORBIDDEN;
            let next = least(&margins);
            if next < C::FORBIDDEN {
                // The margin on its own column is 0 until now, so the row stays content.
                self.prices[column] = self.prices[column] - next;
            }
        }
        (0..nodes).filter(|&row| courted[row] == 0).collect()
    }

    /// What `row` pays for each column on top of the column's price.
    #[inline(always)]
    fn margins(&self, row: usize, margins: &mut [C]) {
        let costs = &self.costs[row * self.nodes..][..self.nodes];
        for ((margin, &cost), &price) in margins.iter_mut().zip(costs).zip(&self.prices) {
            *margin = cost - price;
        }
    }

    /// Augmenting row reduction: every free row takes its best column, lowers its price until the
    /// second best is as good, and sets the former owner free, who competes at once if the price fell
    /// and in the next round if not. Returns the rows that are free at the end.
    #[inline(always)]
    pub(super) fn compete(&mut self, free: Vec<usize>) -> Vec<usize> {
        // Prices fall by at least 1 each time, which may take long when costs are large.
        let mut patience = 20 * self.nodes;
        let mut losers = Vec::new();
        let mut margins = vec![C::ZERO; self.nodes];
        let mut passes = 0_u32;
        for first in free {
            let mut row = first;
            loop {
                passes += 1;
                self.is_stopped = self.is_stopped || (passes.is_multiple_of(64) && (self.stop)());
                if self.is_stopped {
                    return losers;
                }
                self.margins(row, &mut margins);
                let best = least(&margins);
                let mut column = place_of(&margins, best);
                margins[column] = C::FORBIDDEN;
                let second = least(&margins);
                let fell = best < second;
                if fell {
                    self.prices[column] = self.prices[column] - (second - best);
                } else if self.owner_of[column] != NOBODY {
                    column = place_of(&margins, second);
                }
                let former = self.owner_of[column];
                self.assign(row, column);
                if former == NOBODY {
                    break;
                }
                self.column_of[former] = NOBODY;
                patience = patience.saturating_sub(1);
                if !fell || patience == 0 {
                    losers.push(former);
                    break;
                }
                row = former;
            }
        }
        losers
    }
}
