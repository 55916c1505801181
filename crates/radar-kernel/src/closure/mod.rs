//! Shortest-path closure of a dense matrix, in place.
//!
//! Floyd and Warshall's algorithm by blocks of pivots. Once the rows of a block are closed among
//! themselves, every other row `i` needs only `min(d[i][j], min_k d[i][k] + d[k][j])` over the pivots
//! `k` of the block, in any order: a product in the (min, +) sense, whose tiles stay in registers. A
//! matrix of 1000 nodes is thereby read from memory some thirty times instead of a thousand.

mod block;

use crate::path::Path;

/// The entry of a pair that no way connects.
pub const UNREACHABLE: u32 = u32::MAX;

/// The longest way that can be told from [`UNREACHABLE`]: 2^31 - 2. Two of them fit into a u32, so the
/// kernels add without checking.
pub const LONGEST: u32 = FAR - 1;

/// What stands for [`UNREACHABLE`] while the kernels run: the sum of any two entries stays below 2^32,
/// and the minimum with an entry takes it back.
const FAR: u32 = (1 << 31) - 1;

/// Why a matrix was not closed. It is left as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// There are not `nodes * nodes` values.
    WrongLength {
        /// How many values there are.
        values: usize,
        /// How many nodes were announced.
        nodes: usize,
    },
    /// An entry above [`LONGEST`] that is not [`UNREACHABLE`].
    TooLong {
        /// Its row.
        from: usize,
        /// Its column.
        to: usize,
    },
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::WrongLength { values, nodes } => write!(f, "{values} values for {nodes} nodes"),
            Self::TooLong { from, to } => write!(f, "the entry from {from} to {to} exceeds {LONGEST}"),
        }
    }
}

impl std::error::Error for Refused {}

/// The path that [`close`] takes on this machine.
pub fn path() -> Path {
    Path::best()
}

/// Replaces every entry of a row-major matrix by the length of the shortest way.
///
/// Entries are at most [`LONGEST`], or [`UNREACHABLE`]. Pairs that no way connects stay
/// [`UNREACHABLE`]; so do those whose shortest way is longer than [`LONGEST`], which cannot happen when
/// every pair has an arc. The diagonal becomes 0 whatever stood there.
///
/// ```
/// use radar_kernel::closure::{UNREACHABLE, close};
/// let mut ways = [0, 1, 9, UNREACHABLE, 0, 2, 5, UNREACHABLE, 0];
/// close(3, &mut ways).unwrap();
/// assert_eq!(ways, [0, 1, 3, 7, 0, 2, 5, 6, 0]);
/// ```
pub fn close(nodes: usize, values: &mut [u32]) -> Result<(), Refused> {
    close_on(path(), nodes, values)
}

/// [`close`] on a chosen path, for tests and measurements. A path that this machine lacks is replaced
/// by the portable one; the result is the same on all.
pub fn close_on(path: Path, nodes: usize, values: &mut [u32]) -> Result<(), Refused> {
    if nodes.checked_mul(nodes) != Some(values.len()) {
        return Err(Refused::WrongLength { values: values.len(), nodes });
    }
    let off_diagonal = |at: usize| at / nodes != at % nodes;
    let is_long = |value: u32| value > LONGEST && value != UNREACHABLE;
    let long = values.iter().enumerate().find(|&(at, &value)| is_long(value) && off_diagonal(at));
    if let Some((at, _)) = long {
        return Err(Refused::TooLong { from: at / nodes, to: at % nodes });
    }
    let mut board = block::Board::load(nodes, values);
    path.run(&mut board);
    board.store(values);
    Ok(())
}

#[cfg(test)]
mod tests;
