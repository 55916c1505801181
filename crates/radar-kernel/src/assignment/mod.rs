//! Dense linear assignment with dual prices, by Jonker and Volgenant's method.
//!
//! Search on asymmetric matrices works on the reduced costs `c[i][j] - u[i] - v[j]`, which are never
//! negative and are 0 on the assignment; the sum of the prices bounds every tour from below.

mod augment;
mod cost;
mod reduce;

pub use cost::Cost;

use std::borrow::Cow;

use crate::path::{Kernel, Path};

/// A cheapest assignment of rows to columns, and prices that prove it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment<C> {
    /// The column of each row.
    pub column_of: Vec<usize>,
    /// The price of each row: `u`.
    pub rows: Vec<C>,
    /// The price of each column: `v`.
    pub columns: Vec<C>,
    /// The sum of the assigned costs, which is the sum of all prices.
    pub cost: i64,
}

/// Why there is no assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// There are not `nodes * nodes` costs.
    WrongLength {
        /// How many costs there are.
        costs: usize,
        /// How many rows and columns were announced.
        nodes: usize,
    },
    /// Costs so far apart that prices might overflow; a wider type may hold them.
    TooFarApart,
    /// Every assignment uses a forbidden pair.
    Infeasible,
    /// It was told to stop.
    Stopped,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::WrongLength { costs, nodes } => write!(f, "{costs} costs for {nodes} rows and columns"),
            Self::TooFarApart => f.write_str("the costs are too far apart for their type"),
            Self::Infeasible => f.write_str("every assignment uses a forbidden pair"),
            Self::Stopped => f.write_str("told to stop"),
        }
    }
}

impl std::error::Error for Refused {}

/// Assigns every row to a column of its own at the least total cost.
///
/// `costs` are row-major, of either sign, [`Cost::FORBIDDEN`] where a pair must not be used. Allowed
/// pairs satisfy `c[i][j] - rows[i] - columns[j] >= 0`, assigned ones with equality. The result is a
/// function of the costs alone.
///
/// The range: with `spread` the largest less the smallest allowed cost, multiplied by `nodes + 1` if
/// any pair is forbidden, `16 * spread` plus the largest magnitude must fit the type.
///
/// ```
/// use radar_kernel::assignment::{Cost, solve};
/// let no = i32::FORBIDDEN;
/// let best = solve(3, &[no, 4, 1, 2, no, 6, 3, 5, no]).unwrap();
/// assert_eq!(best.column_of, [2, 0, 1]);
/// assert_eq!(best.cost, 1 + 2 + 5);
/// ```
pub fn solve<C: Cost>(nodes: usize, costs: &[C]) -> Result<Assignment<C>, Refused> {
    solve_until(nodes, costs, &|| false)
}

/// [`solve`], unless `stop` says otherwise meanwhile; it is asked every few passes over a row, and before
/// each augmenting path.
pub fn solve_until<C: Cost>(
    nodes: usize,
    costs: &[C],
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Assignment<C>, Refused> {
    solve_with(Path::best(), nodes, costs, stop)
}

/// [`solve`] on a chosen path, for tests and measurements; the result is the same on all.
pub fn solve_on<C: Cost>(path: Path, nodes: usize, costs: &[C]) -> Result<Assignment<C>, Refused> {
    solve_with(path, nodes, costs, &|| false)
}

fn solve_with<C: Cost>(
    path: Path,
    nodes: usize,
    costs: &[C],
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Assignment<C>, Refused> {
    if nodes.checked_mul(nodes) != Some(costs.len()) {
        return Err(Refused::WrongLength { costs: costs.len(), nodes });
    }
    let mut market = Market::open(nodes, finite(nodes, costs)?, stop);
    path.run(&mut market);
    if market.is_stopped {
        return Err(Refused::Stopped);
    }
    let Market { costs: used, prices: columns, column_of, .. } = market;
    let mut total = 0;
    let mut rows = Vec::with_capacity(nodes);
    for (row, &column) in column_of.iter().enumerate() {
        let at = row * nodes + column;
        if costs[at] == C::FORBIDDEN {
            return Err(Refused::Infeasible);
        }
        total += costs[at].to_i64();
        rows.push(used[at] - columns[column]);
    }
    Ok(Assignment { column_of, rows, columns, cost: total })
}

/// The costs with every forbidden one replaced by one that no optimal assignment uses if it can be
/// helped: dearer than all allowed costs of an assignment can differ by.
fn finite<C: Cost>(nodes: usize, costs: &[C]) -> Result<Cow<'_, [C]>, Refused> {
    let (mut low, mut high, mut is_complete) = (C::FORBIDDEN, C::LEAST, true);
    for &cost in costs {
        // Without branches: this is a pass over the whole table.
        let is_allowed = cost < C::FORBIDDEN;
        low = low.min(cost);
        high = high.max(if is_allowed { cost } else { C::LEAST });
        is_complete &= is_allowed;
    }
    if high < low {
        (low, high) = (C::ZERO, C::ZERO);
    }
    let (low, high) = (i128::from(low.to_i64()), i128::from(high.to_i64()));
    let dear = if is_complete { high } else { high + (high - low) * nodes as i128 + 1 };
    let reach = 16 * (dear - low) + low.abs().max(dear.abs());
    if reach > i128::from(C::FORBIDDEN.to_i64()) {
        return Err(Refused::TooFarApart);
    }
    if is_complete {
        return Ok(Cow::Borrowed(costs));
    }
    // In range: `dear` is at most `reach`.
    let dear = C::from_i64(dear as i64);
    Ok(costs.iter().map(|&cost| if cost == C::FORBIDDEN { dear } else { cost }).collect())
}

/// Nobody owns the column, or the row has none.
const NOBODY: usize = usize::MAX;

/// Rows compete for columns; prices of columns fall until everybody is content.
struct Market<'s, C: Cost> {
    nodes: usize,
    stop: &'s (dyn Fn() -> bool + Sync),
    /// Once told to stop, nothing is done any more.
    is_stopped: bool,
    costs: Cow<'s, [C]>,
    /// Per column.
    prices: Vec<C>,
    owner_of: Vec<usize>,
    column_of: Vec<usize>,
}

impl<'s, C: Cost> Market<'s, C> {
    fn open(nodes: usize, costs: Cow<'s, [C]>, stop: &'s (dyn Fn() -> bool + Sync)) -> Self {
        let nobody = vec![NOBODY; nodes];
        let (owner_of, column_of) = (nobody.clone(), nobody);
        Self { nodes, stop, is_stopped: false, costs, prices: vec![C::ZERO; nodes], owner_of, column_of }
    }

    #[inline(always)]
    fn assign(&mut self, row: usize, column: usize) {
        self.owner_of[column] = row;
        self.column_of[row] = column;
    }
}

impl<C: Cost> Kernel for &mut Market<'_, C> {
    #[inline(always)]
    fn run(self) {
        let mut free = self.reduce_columns();
        for _ in 0..2 {
            free = self.compete(free);
        }
        self.augment(&free);
    }
}

#[cfg(test)]
mod tests;
