//! Which instructions a kernel may use, decided when it runs.
#![allow(unsafe_code)] // Functions compiled for more than the baseline are unsafe to call.

/// A set of instructions that kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Path {
    /// What every machine of the architecture has.
    Portable,
    /// x86-64 with 256-bit integers.
    Avx2,
    /// x86-64 with 512-bit integers.
    Avx512,
}

/// Portable code that is compiled once per path. `run` must be `#[inline(always)]`, and so must all
/// that it spends its time in: only what is inlined is compiled with the features of the path.
pub(crate) trait Kernel {
    fn run(self);
}

impl Path {
    /// Every path, the best last.
    pub const ALL: [Path; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// Whether this machine has the instructions.
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => is_x86_feature_detected!("avx512f"),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The best path of this machine.
    pub fn best() -> Self {
        Self::ALL.into_iter().rev().find(|path| path.is_available()).unwrap_or(Self::Portable)
    }

    /// Runs `kernel` on this path, or on the portable one where the machine lacks it.
    pub(crate) fn run(self, kernel: impl Kernel) {
        match if self.is_available() { self } else { Self::Portable } {
            // SAFETY: the features that the function needs were just found on this machine.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => unsafe { avx2(kernel) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => unsafe { avx512(kernel) },
            _ => kernel.run(),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(kernel: impl Kernel) {
    kernel.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn avx512(kernel: impl Kernel) {
    kernel.run();
}
