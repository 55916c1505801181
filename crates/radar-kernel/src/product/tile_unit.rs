//! The tile unit of x86-64 (AMX).

use std::arch::asm;

use super::tile::{Sums, TILE, Tiles, Unit};

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

impl Unit for Hardware {
    unsafe fn multiply(&mut self, tiles: Tiles, sums: &mut Sums) {
        // A block of one row or column of tiles computes it twice: the loop is always the same.
        let below = if tiles.rows == 2 { tiles.depth * TILE } else { 0 };
        let beside = if tiles.columns == 2 { TILE } else { 0 };
        // SAFETY: the loop reads `depth` tiles from each of the four addresses, which the caller vouches
        // for, and writes four tiles of sums. Sums are in tiles 0 to 3, row by row, A in 4 and 5, B in 6
        // and 7; lines are 64 bytes apart.
        unsafe {
            asm!(
                "tilezero tmm0",
                "tilezero tmm1",
                "tilezero tmm2",
                "tilezero tmm3",
                "2:",
                "tileloadd tmm4, [{above} + {line}*1]",
                "tileloadd tmm6, [{left} + {line}*1]",
                "tileloadd tmm7, [{right} + {line}*1]",
                "tdpbf16ps tmm0, tmm4, tmm6",
                "tileloadd tmm5, [{below} + {line}*1]",
                "tdpbf16ps tmm1, tmm4, tmm7",
                "tdpbf16ps tmm2, tmm5, tmm6",
                "tdpbf16ps tmm3, tmm5, tmm7",
                "add {above}, 1024",
                "add {below}, 1024",
                "add {left}, {panel}",
                "add {right}, {panel}",
                "dec {count}",
                "jnz 2b",
                "tilestored [{sums} + {line}*1], tmm0",
                "tilestored [{sums} + {line}*1 + 1024], tmm1",
                "tilestored [{sums} + {line}*1 + 2048], tmm2",
                "tilestored [{sums} + {line}*1 + 3072], tmm3",
                above = inout(reg) tiles.a => _,
                below = inout(reg) tiles.a.add(below) => _,
                left = inout(reg) tiles.b => _,
                right = inout(reg) tiles.b.add(beside) => _,
                panel = in(reg) tiles.columns * TILE * size_of::<u16>(),
                count = inout(reg) tiles.depth => _,
                sums = in(reg) sums.0.as_mut_ptr(),
                line = in(reg) 64_usize,
                out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                options(nostack),
            );
        }
    }
}
