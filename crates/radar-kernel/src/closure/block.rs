//! The blocked algorithm, written once; each path compiles it for its own instructions.

use super::FAR;
use crate::path::Kernel;

/// Pivots per block: the packed panel of 1000 nodes takes 128 KiB, a quarter of a small second-level
/// cache, while the matrix is read and written once per block.
const BLOCK: usize = 32;

/// A tile of `ROWS` by `LANES` minima: eight AVX2 registers, which leaves room for the operands.
const ROWS: usize = 4;
const LANES: usize = 16;

/// The matrix with rows padded to whole tiles by [`FAR`], so that no tile has an edge.
pub(super) struct Board {
    nodes: usize,
    stride: usize,
    values: Vec<u32>,
}

impl Board {
    pub(super) fn load(nodes: usize, values: &[u32]) -> Self {
        let stride = nodes.next_multiple_of(LANES);
        let mut padded = vec![FAR; nodes.next_multiple_of(ROWS) * stride];
        if nodes > 0 {
            let rows = padded.chunks_exact_mut(stride).zip(values.chunks_exact(nodes));
            for (node, (to, from)) in rows.enumerate() {
                to.iter_mut().zip(from).for_each(|(to, &from)| *to = from.min(FAR));
                to[node] = 0;
            }
        }
        Self { nodes, stride, values: padded }
    }

    pub(super) fn store(&self, values: &mut [u32]) {
        if self.nodes == 0 {
            return;
        }
        let rows = values.chunks_exact_mut(self.nodes).zip(self.values.chunks_exact(self.stride));
        for (to, from) in rows {
            for (to, &from) in to.iter_mut().zip(from) {
                *to = if from == FAR { super::UNREACHABLE } else { from };
            }
        }
    }

    /// The plain algorithm on the rows of one block.
    #[inline(always)]
    fn close_pivots(&mut self, start: usize, length: usize) {
        let stride = self.stride;
        let rows = &mut self.values[start * stride..(start + length) * stride];
        for pivot in 0..length {
            let (before, rest) = rows.split_at_mut(pivot * stride);
            let (row, after) = rest.split_at_mut(stride);
            for other in before.chunks_exact_mut(stride).chain(after.chunks_exact_mut(stride)) {
                let way = other[start + pivot];
                // Both are at most FAR, so nothing wraps; saying so keeps the loop free of checks.
                other.iter_mut().zip(&*row).for_each(|(to, &step)| *to = (*to).min(way.wrapping_add(step)));
            }
        }
    }

    /// The rows of a block in the order in which tiles read them: `panel[tile * length + pivot]`.
    #[inline(always)]
    fn pack(&self, start: usize, length: usize, panel: &mut Vec<[u32; LANES]>) {
        panel.clear();
        for tile in (0..self.stride).step_by(LANES) {
            for pivot in start..start + length {
                let mut lanes = [0; LANES];
                lanes.copy_from_slice(&self.values[pivot * self.stride + tile..][..LANES]);
                panel.push(lanes);
            }
        }
    }
}

/// Closes the matrix.
impl Kernel for &mut Board {
    #[inline(always)]
    fn run(self) {
        let mut panel = Vec::new();
        for start in (0..self.nodes).step_by(BLOCK) {
            let length = BLOCK.min(self.nodes - start);
            self.close_pivots(start, length);
            self.pack(start, length, &mut panel);
            for (group, rows) in self.values.chunks_exact_mut(ROWS * self.stride).enumerate() {
                // Blocks begin at a multiple of ROWS: a group is a part of the block or beside it.
                if !(start..start + length).contains(&(group * ROWS)) {
                    relax(rows, self.stride, start, length, &panel);
                }
            }
        }
    }
}

/// Ways of `ROWS` rows by way of the pivots `start..start + length`.
#[inline(always)]
fn relax(rows: &mut [u32], stride: usize, start: usize, length: usize, panel: &[[u32; LANES]]) {
    let mut ways = [[0; ROWS]; BLOCK];
    for (pivot, ways) in ways[..length].iter_mut().enumerate() {
        *ways = std::array::from_fn(|row| rows[row * stride + start + pivot]);
    }
    for (tile, pivots) in panel.chunks_exact(length).enumerate() {
        let mut best = [[0; LANES]; ROWS];
        for (row, best) in best.iter_mut().enumerate() {
            best.copy_from_slice(&rows[row * stride + tile * LANES..][..LANES]);
        }
        for (pivot, ways) in pivots.iter().zip(&ways) {
            for (best, way) in best.iter_mut().zip(ways) {
                for (best, step) in best.iter_mut().zip(pivot) {
                    *best = (*best).min(way.wrapping_add(*step));
                }
            }
        }
        for (row, best) in best.iter().enumerate() {
            rows[row * stride + tile * LANES..][..LANES].copy_from_slice(best);
        }
    }
}
