//! Which instructions the numeric kernels may use, decided when they run.
#![allow(unsafe_code)] // One system call, to ask for the tile registers.

use std::fmt;
use std::str::FromStr;

/// A set of instructions, the poorest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Isa {
    /// What every machine of the architecture has.
    Portable,
    /// x86-64 with 256-bit vectors and fused multiplication.
    Avx2,
    /// x86-64 with 512-bit vectors.
    Avx512,
    /// The tile unit of x86-64: products of numbers rounded to bfloat16, everything else by 512-bit vectors.
    Amx,
}

/// A name that is not an instruction set's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownIsa(String);

impl Isa {
    /// Every set, the best last.
    pub const ALL: [Self; 4] = [Self::Portable, Self::Avx2, Self::Avx512, Self::Amx];

    /// The sets of this machine, the best last.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|isa| isa.is_available())
    }

    /// The best set of this machine; never an emulated one.
    pub fn best() -> Self {
        if Self::Amx.is_built_in() { Self::Amx } else { Self::Avx512.or_available() }
    }

    /// This set, or the next poorer one that the machine has.
    #[inline]
    pub fn or_available(self) -> Self {
        if self.is_available() {
            return self;
        }
        Self::available().take_while(|&isa| isa <= self).last().unwrap_or(Self::Portable)
    }

    /// The best set up to this one whose products keep all the digits of an f32.
    pub fn precise(self) -> Self {
        self.min(Self::Avx512).or_available()
    }

    /// How many numbers a vector of this set holds, or of the next poorer one that the machine has.
    pub fn lanes(self) -> usize {
        match self.vectors() {
            Self::Portable => 4,
            Self::Avx2 => 8,
            Self::Avx512 | Self::Amx => 16,
        }
    }

    /// The set by whose vectors everything but products is computed.
    #[inline]
    pub(crate) fn vectors(self) -> Self {
        match self.or_available() {
            Self::Amx => Self::Avx512.or_available(),
            isa => isa,
        }
    }

    /// Whether this machine has the instructions, or they are emulated.
    #[inline]
    pub fn is_available(self) -> bool {
        self.is_built_in() || (self == Self::Amx && cfg!(feature = "emulated-tiles"))
    }

    /// Whether this machine has the instructions. Asked of the machine once.
    #[inline]
    fn is_built_in(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                Self::Avx2.is_built_in()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Amx => {
                Self::Avx512.is_built_in() && is_x86_feature_detected!("avx512bf16") && tiles_granted()
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Amx => "amx",
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

impl FromStr for Isa {
    type Err = UnknownIsa;

    fn from_str(name: &str) -> Result<Self, UnknownIsa> {
        Self::ALL.into_iter().find(|isa| isa.name() == name).ok_or_else(|| UnknownIsa(name.to_owned()))
    }
}

impl fmt::Display for UnknownIsa {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "unknown instruction set \"{}\": portable, avx2, avx512 or amx", self.0)
    }
}

impl std::error::Error for UnknownIsa {}

/// Whether the processor multiplies tiles of bfloat16 and the system lets this process use them.
///
/// The leaf that describes the tile palette is not asked: some virtual machines leave it zero while the
/// unit works.
#[cfg(target_arch = "x86_64")]
fn tiles_granted() -> bool {
    static GRANTED: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    const BF16_AND_TILE: u32 = 1 << 22 | 1 << 24;
    *GRANTED.get_or_init(|| {
        let leaves = std::arch::x86_64::__cpuid(0).eax;
        leaves >= 7
            && std::arch::x86_64::__cpuid_count(7, 0).edx & BF16_AND_TILE == BF16_AND_TILE
            && request_tiles()
    })
}

/// Asks Linux for the large state that tiles need; it is granted to all threads of the process.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn request_tiles() -> bool {
    const ARCH_PRCTL: i64 = 158;
    const REQUEST_PERMISSION: i64 = 0x1023;
    const TILE_DATA: i64 = 18;
    let status: i64;
    // SAFETY: the call reads and writes no memory of the process; the registers it changes are named.
    unsafe {
        std::arch::asm!(
            "syscall",
            inlateout("rax") ARCH_PRCTL => status,
            in("rdi") REQUEST_PERMISSION,
            in("rsi") TILE_DATA,
            out("rcx") _,
            out("r11") _,
            options(nostack),
        );
    }
    status == 0
}

#[cfg(all(target_arch = "x86_64", not(target_os = "linux")))]
fn request_tiles() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for isa in Isa::ALL {
            assert_eq!(isa.to_string().parse(), Ok(isa));
        }
        let refusal = "sse9".parse::<Isa>().map_err(|unknown| unknown.to_string());
        assert!(refusal.is_err_and(|text| text.contains("sse9") && text.contains("avx512")));
    }

    #[test]
    fn the_best_is_the_last_available() {
        let available: Vec<Isa> = Isa::available().collect();
        assert_eq!(available.first(), Some(&Isa::Portable));
        assert_eq!(available.iter().rfind(|isa| isa.is_built_in()), Some(&Isa::best()));
        assert!(available.is_sorted());
        for isa in Isa::ALL {
            assert!(isa.or_available() <= isa && isa.or_available().is_available());
            assert!(isa.precise() < Isa::Amx);
        }
    }
}
