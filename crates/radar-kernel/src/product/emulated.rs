//! What the tile unit computes, for machines without one: slow, to the same rounding of the factors.

use super::tile::{DEPTH, SIDE, SUMS, Sums, TILE, Tiles, Unit};

/// A tile unit in plain Rust.
pub(super) struct Emulated;

impl Unit for Emulated {
    unsafe fn multiply(&mut self, tiles: Tiles, sums: &mut Sums) {
        let widen = |half: u16| f32::from_bits(u32::from(half) << 16);
        *sums = Sums([[f32::NAN; SUMS]; 4]);
        for (row, column) in (0..tiles.rows).flat_map(|r| (0..tiles.columns).map(move |c| (r, c))) {
            let sums = &mut sums.0[2 * row + column];
            sums.fill(0.0);
            for depth in 0..tiles.depth {
                // SAFETY: the caller vouches for the tiles.
                let (a, b) = unsafe {
                    let a = tiles.a.add((row * tiles.depth + depth) * TILE);
                    let b = tiles.b.add((depth * tiles.columns + column) * TILE);
                    (std::slice::from_raw_parts(a, TILE), std::slice::from_raw_parts(b, TILE))
                };
                for (place, sum) in sums.iter_mut().enumerate() {
                    let (i, j) = (place / SIDE, place % SIDE);
                    for k in 0..DEPTH {
                        *sum += widen(a[i * DEPTH + k]) * widen(b[k / 2 * DEPTH + 2 * j + k % 2]);
                    }
                }
            }
        }
    }
}
