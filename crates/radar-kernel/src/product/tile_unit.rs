//! The tile unit of x86-64 (AMX).

use std::arch::asm;
use std::arch::x86_64::*;

use super::tile::{Lines, Pairs, TILE, Tiles, Unit};
use crate::simd::{SIDE, Simd, Square};

/// The configured unit of this thread; released when dropped, so that the system need not save its eight
/// kibibytes whenever the thread is interrupted later.
pub(super) struct Hardware(());

#[repr(C, align(64))]
struct Configuration([u8; 64]);

/// Palette 1, and eight tiles of sixteen lines of 64 bytes.
static CONFIGURATION: Configuration = {
    let mut bytes = [0; 64];
    bytes[0] = 1;
    let mut tile = 0;
    while tile < 8 {
        bytes[16 + 2 * tile] = 64;
        bytes[48 + tile] = 16;
        tile += 1;
    }
    Configuration(bytes)
};

impl Hardware {
    /// Configures the unit. Only called where [`Isa::Amx`](crate::isa::Isa::Amx) was found.
    pub(super) fn configured() -> Self {
        assert_eq!(crate::isa::Isa::best(), crate::isa::Isa::Amx, "no tile unit");
        // SAFETY: the unit is there and granted; the instruction reads the 64 bytes.
        unsafe { asm!("ldtilecfg [{}]", in(reg) &raw const CONFIGURATION.0, options(nostack, readonly)) };
        Self(())
    }
}

impl Drop for Hardware {
    fn drop(&mut self) {
        // SAFETY: the unit is there and configured by this thread: the value does not leave it.
        unsafe { asm!("tilerelease", options(nostack, nomem)) };
    }
}

/// Words of two vectors by turns.
static BY_TURNS: [u16; 2 * SIDE] = {
    let mut places = [0; 2 * SIDE];
    let mut at = 0;
    while at < SIDE {
        places[2 * at] = at as u16;
        places[2 * at + 1] = (at + SIDE) as u16;
        at += 1;
    }
    places
};

/// Rounds by instructions for that; numbers below the least normal one become 0.
///
/// # Safety
/// The features must be there.
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
unsafe fn round(lines: Lines, tiles: &mut [Square]) {
    // SAFETY: sixteen places are read.
    let places = unsafe { _mm512_loadu_si512(BY_TURNS.as_ptr().cast()) };
    lines.write(tiles, |Pairs { low, high, step, to, to_step }, count| {
        for number in 0..count {
            let at = number * step;
            // Of sixteen numbers, those that the line has.
            let there = |line: &[f32]| match line.len().saturating_sub(at) {
                rest @ ..SIDE => (1_u16 << rest) - 1,
                _ => u16::MAX,
            };
            // SAFETY: no number beyond the lines is read, and the places are there, as `Lines::write` says. Every
            // bit pattern is a value of both types of vectors.
            unsafe {
                let low = _mm512_maskz_loadu_ps(there(low), low.as_ptr().wrapping_add(at));
                let high = _mm512_maskz_loadu_ps(there(high), high.as_ptr().wrapping_add(at));
                let rounded: __m512i = std::mem::transmute(_mm512_cvtne2ps_pbh(high, low));
                let by_turns = _mm512_permutexvar_epi16(places, rounded);
                _mm512_storeu_si512(to.add(number * to_step).cast(), by_turns);
            }
        }
    });
}

impl Unit for Hardware {
    #[inline(always)]
    fn round<S: Simd>(_: S, lines: Lines, tiles: &mut [Square]) {
        // SAFETY: they are among those of `Isa::Amx`, which alone rounds for this unit.
        unsafe { round(lines, tiles) }
    }

    unsafe fn multiply(&mut self, tiles: Tiles) {
        // SAFETY: as the caller vouches.
        unsafe {
            match tiles.columns {
                2 => two_by_two(tiles),
                _ => four_by_one(tiles),
            }
        }
    }
}

/// Bytes of a tile.
const BYTES: usize = TILE * size_of::<f32>();

/// Where a row of tiles of A begins; rows that are not there are the last one again, and come to the same.
fn row_of_a(tiles: &Tiles, row: usize) -> *const f32 {
    tiles.a.wrapping_add(row.min(tiles.rows - 1) * tiles.depth * TILE)
}

/// The same of C.
fn row_of_c(tiles: &Tiles, row: usize) -> *mut f32 {
    tiles.out.wrapping_add(row.min(tiles.rows - 1) * SIDE * tiles.out_step)
}

/// Two tiles beside each other, and two below or none.
///
/// # Safety
/// As [`Unit::multiply`].
unsafe fn two_by_two(tiles: Tiles) {
    // SAFETY: the loop reads `depth` tiles of each row of A and of both columns of B, and reads and writes four tiles
    // of C, all of which the caller vouches for. Sums are in tiles 0 to 3, row by row, A in 4 and 5, B in 6 and 7.
    unsafe {
        asm!(
            "test {line:e}, {line:e}",
            "mov {line:e}, 64",
            "jnz 3f",
            "tilezero tmm0",
            "tilezero tmm1",
            "tilezero tmm2",
            "tilezero tmm3",
            "jmp 2f",
            "3:",
            "tileloadd tmm0, [{c0} + {step}*1]",
            "tileloadd tmm1, [{c0} + {step}*1 + 64]",
            "tileloadd tmm2, [{c1} + {step}*1]",
            "tileloadd tmm3, [{c1} + {step}*1 + 64]",
            "2:",
            "tileloadd tmm4, [{a0} + {line}*1]",
            "tileloadd tmm6, [{b0} + {line}*1]",
            "tdpbf16ps tmm0, tmm4, tmm6",
            "tileloadd tmm7, [{b1} + {line}*1]",
            "tdpbf16ps tmm1, tmm4, tmm7",
            "tileloadd tmm5, [{a1} + {line}*1]",
            "tdpbf16ps tmm2, tmm5, tmm6",
            "tdpbf16ps tmm3, tmm5, tmm7",
            "add {a0}, {tile}",
            "add {a1}, {tile}",
            "add {b0}, {tile}",
            "add {b1}, {tile}",
            "dec {count}",
            "jnz 2b",
            "tilestored [{c0} + {step}*1], tmm0",
            "tilestored [{c0} + {step}*1 + 64], tmm1",
            "tilestored [{c1} + {step}*1], tmm2",
            "tilestored [{c1} + {step}*1 + 64], tmm3",
            a0 = inout(reg) row_of_a(&tiles, 0) => _,
            a1 = inout(reg) row_of_a(&tiles, 1) => _,
            b0 = inout(reg) tiles.b => _,
            b1 = inout(reg) tiles.b.add(tiles.depth_of_b * TILE) => _,
            c0 = in(reg) row_of_c(&tiles, 0),
            c1 = in(reg) row_of_c(&tiles, 1),
            step = in(reg) tiles.out_step * size_of::<f32>(),
            // Whether to add at first, then how far lines of A and B are apart.
            line = inout(reg) usize::from(tiles.add) => _,
            count = inout(reg) tiles.depth => _,
            tile = const BYTES,
            out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
            out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
            options(nostack),
        );
    }
}

/// Up to four tiles below each other.
///
/// # Safety
/// As [`Unit::multiply`].
unsafe fn four_by_one(tiles: Tiles) {
    // SAFETY: as above. Sums are in tiles 0 to 3, A in 4 to 6 by turns, B in 7.
    unsafe {
        asm!(
            "test {line:e}, {line:e}",
            "mov {line:e}, 64",
            "jnz 3f",
            "tilezero tmm0",
            "tilezero tmm1",
            "tilezero tmm2",
            "tilezero tmm3",
            "jmp 2f",
            "3:",
            "tileloadd tmm0, [{c0} + {step}*1]",
            "tileloadd tmm1, [{c1} + {step}*1]",
            "tileloadd tmm2, [{c2} + {step}*1]",
            "tileloadd tmm3, [{c3} + {step}*1]",
            "2:",
            "tileloadd tmm7, [{b} + {line}*1]",
            "tileloadd tmm4, [{a0} + {line}*1]",
            "tdpbf16ps tmm0, tmm4, tmm7",
            "tileloadd tmm5, [{a1} + {line}*1]",
            "tdpbf16ps tmm1, tmm5, tmm7",
            "tileloadd tmm6, [{a2} + {line}*1]",
            "tdpbf16ps tmm2, tmm6, tmm7",
            "tileloadd tmm4, [{a3} + {line}*1]",
            "tdpbf16ps tmm3, tmm4, tmm7",
            "add {a0}, {tile}",
            "add {a1}, {tile}",
            "add {a2}, {tile}",
            "add {a3}, {tile}",
            "add {b}, {tile}",
            "dec {count}",
            "jnz 2b",
            "tilestored [{c0} + {step}*1], tmm0",
            "tilestored [{c1} + {step}*1], tmm1",
            "tilestored [{c2} + {step}*1], tmm2",
            "tilestored [{c3} + {step}*1], tmm3",
            a0 = inout(reg) row_of_a(&tiles, 0) => _,
            a1 = inout(reg) row_of_a(&tiles, 1) => _,
            a2 = inout(reg) row_of_a(&tiles, 2) => _,
            a3 = inout(reg) row_of_a(&tiles, 3) => _,
            b = inout(reg) tiles.b => _,
            c0 = in(reg) row_of_c(&tiles, 0),
            c1 = in(reg) row_of_c(&tiles, 1),
            c2 = in(reg) row_of_c(&tiles, 2),
            c3 = in(reg) row_of_c(&tiles, 3),
            step = in(reg) tiles.out_step * size_of::<f32>(),
            // Whether to add at first, then how far lines of A and B are apart.
            line = inout(reg) usize::from(tiles.add) => _,
            count = inout(reg) tiles.depth => _,
            tile = const BYTES,
            out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
            out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
            options(nostack),
        );
    }
}
