//! Reduced costs and multipliers in fixed point.

use crate::Weight;
use crate::reduced::Reduced;

/// What leaving and entering each stop is worth on top of the prices, in parts of a unit of cost. The depot
/// has none: it is left and entered as often as there are routes in every relaxed plan as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Multipliers {
    pub leave: Vec<i64>,
    pub enter: Vec<i64>,
}

/// A table of reduced costs, finer than whole units, so that multipliers need no rounding.
pub(super) struct Scaled<'a, W> {
    reduced: &'a Reduced<W>,
    /// Parts per unit of cost.
    pub parts: i64,
    /// No arc costs more than this, in whole units. Only absent arcs are lowered to it, and a relaxation
    /// may give those any cost.
    lid: i64,
}

/// How fine multipliers are where the numbers leave room for it.
const FINEST: i64 = 1 << 10;

impl<'a, W: Weight> Scaled<'a, W> {
    /// The table, or `None` when sums over it might overflow.
    ///
    /// With multipliers within [`Self::farthest`], four times the lid, an arc costs at most nine times the
    /// lid; so a tree of `n` stops, at most 2 `n` ways of the depot, 2 `n` multipliers and `n` prices of a
    /// route stay within 36 `n` times the larger of the lid and that price.
    pub fn of(reduced: &'a Reduced<W>) -> Option<Self> {
        let nodes = reduced.nodes();
        let mut dearest = 1;
        for from in 0..nodes {
            let present = (0..nodes).filter(|&to| !reduced.is_absent(from, to));
            dearest = present.map(|to| reduced.at(from, to).to_i64()).fold(dearest, i64::max);
        }
        let lid = dearest.checked_mul(2)?;
        let largest = i128::from(lid).max(i128::from(reduced.per_route()).abs());
        let fits = |parts: i64| 64 * nodes as i128 * largest * i128::from(parts) < 1 << 61;
        let parts = [FINEST, 1].into_iter().find(|&parts| fits(parts))?;
        Some(Self { reduced, parts, lid })
    }

    pub fn nodes(&self) -> usize {
        self.reduced.nodes()
    }

    /// The cost of an arc without multipliers.
    #[inline(always)]
    pub fn at(&self, from: usize, to: usize) -> i64 {
        self.reduced.at(from, to).to_i64().min(self.lid) * self.parts
    }

    /// The magnitude that no multiplier may exceed.
    pub fn farthest(&self) -> i64 {
        4 * self.lid * self.parts
    }
}
