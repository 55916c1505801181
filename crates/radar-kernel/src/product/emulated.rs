//! What the tile unit computes, for machines without one: slow, to the same rounding of the factors.

use super::tile::{TILE, Tiles, Unit};
use crate::simd::SIDE;

/// A tile unit in plain Rust.
pub(super) struct Emulated;

impl Unit for Emulated {
    unsafe fn multiply(&mut self, tiles: Tiles) {
        // Of a pair of bfloat16s, the one below and the one above.
        let low = |pair: f32| f32::from_bits(pair.to_bits() << 16);
        let high = |pair: f32| f32::from_bits(pair.to_bits() & 0xffff_0000);
        for (row, column) in (0..tiles.rows).flat_map(|r| (0..tiles.columns).map(move |c| (r, c))) {
            for (i, j) in (0..SIDE).flat_map(|i| (0..SIDE).map(move |j| (i, j))) {
                // SAFETY: the caller vouches for the tiles and the output.
                unsafe {
                    let out = tiles.out.add((row * SIDE + i) * tiles.out_step + column * SIDE + j);
                    let mut sum = if tiles.add { *out } else { 0.0 };
                    for depth in 0..tiles.depth {
                        let a = tiles.a.add((row * tiles.depth + depth) * TILE + i * SIDE);
                        let b = tiles.b.add((column * tiles.depth_of_b + depth) * TILE + j);
                        for k in 0..SIDE {
                            let (a, b) = (*a.add(k), *b.add(k * SIDE));
                            sum += low(a) * low(b) + high(a) * high(b);
                        }
                    }
                    *out = sum;
                }
            }
        }
    }
}
