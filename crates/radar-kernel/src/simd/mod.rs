//! Vectors of f32 under one interface, so that a kernel is written once and compiled for every
//! instruction set.
//!
//! A [`Kernel`] is handed a [`Simd`], the proof that the machine has the instructions; only that makes
//! [`Lanes`], so arithmetic on lanes is safe. Everything a kernel spends its time in must be
//! `#[inline(always)]`: only what is inlined is compiled with the instructions of the set. Results on
//! one set are the same on every call; between sets they differ by rounding.
#![allow(unsafe_code)] // Functions compiled for more than the baseline are unsafe to call.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod functions;
mod portable;
mod slices;
#[cfg(test)]
mod tests;

use std::ops::{Add, Div, Mul, Neg, Sub};

pub use functions::{exp, tanh};
pub use slices::{
    add_scaled, add_scaled_with, dot, dot_with, exp_in_place, exp_in_place_with, maximum, maximum_with, sum,
    sum_with, tanh_in_place, tanh_in_place_with,
};

use crate::isa::Isa;

/// The proof that the machine has an instruction set, and the way to load vectors.
pub trait Simd: Copy + Send + Sync + 'static {
    /// The vector of the set.
    type Lanes: Lanes;

    /// How many numbers a vector holds.
    const LANES: usize = Self::Lanes::COUNT;

    /// Whether a product and a sum are one instruction, of f64 too.
    const IS_FUSED: bool = true;

    /// The same number in every lane.
    fn splat(self, value: f32) -> Self::Lanes;

    /// The first numbers of `from`, which must fill a vector.
    fn load(self, from: &[f32]) -> Self::Lanes;

    /// The numbers of `from`, at most a vector of them, then zeros.
    fn load_part(self, from: &[f32]) -> Self::Lanes;

    /// Loads without looking at a length.
    ///
    /// # Safety
    /// `from` must be valid for reading a whole vector. No alignment is needed.
    unsafe fn read(self, from: *const f32) -> Self::Lanes;

    /// Both rounded to bfloat16, in each lane the bits of `low` below those of `high`.
    #[inline(always)]
    fn pair(self, low: Self::Lanes, high: Self::Lanes) -> Self::Lanes {
        let (mut pairs, mut highs) = ([0.0; SIDE], [0.0; SIDE]);
        low.store(&mut pairs);
        high.store(&mut highs);
        for (pair, high) in pairs.iter_mut().zip(highs) {
            *pair = f32::from_bits(u32::from(bfloat16(high)) << 16 | u32::from(bfloat16(*pair)));
        }
        self.load(&pairs)
    }

    /// Exchanges rows and columns; numbers are moved as bits.
    #[inline(always)]
    fn transpose(self, square: &mut Square) {
        for row in 0..SIDE {
            for column in 0..row {
                (square[row][column], square[column][row]) = (square[column][row], square[row][column]);
            }
        }
    }
}

/// Rows and columns of a [`Square`]: no vector is longer.
pub(crate) const SIDE: usize = 16;

/// As many rows as the longest vector has lanes.
pub(crate) type Square = [[f32; SIDE]; SIDE];

/// The nearest bfloat16, the even one of two; NaN stays NaN.
#[inline(always)]
pub(crate) fn bfloat16(value: f32) -> u16 {
    let bits = value.to_bits();
    let nearest = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
    (if value.is_nan() { bits >> 16 | 0x40 } else { nearest }) as u16
}

/// A vector of f32. It can only be made by a [`Simd`].
pub trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// How many numbers it holds.
    const COUNT: usize;

    /// `self * factor + term`, rounded once where the machine can.
    fn mul_add(self, factor: Self, term: Self) -> Self;

    /// Lane by lane the greater; `other` where either is not a number.
    fn max(self, other: Self) -> Self;

    /// Lane by lane the lesser; `other` where either is not a number.
    fn min(self, other: Self) -> Self;

    /// The square root.
    fn sqrt(self) -> Self;

    /// `then` in the lanes where `self < limit`, elsewhere `otherwise`.
    fn where_less(self, limit: Self, then: Self, otherwise: Self) -> Self;

    /// The low nine bits moved to the place of sign and exponent: see [`exp`].
    fn low_bits_to_exponent(self) -> Self;

    /// The last lane first.
    fn reversed(self) -> Self;

    /// The sum of the lanes, by halves.
    fn sum(self) -> f32;

    /// The greatest lane.
    fn largest(self) -> f32;

    /// Writes to the start of `to`, which must hold a vector.
    fn store(self, to: &mut [f32]);

    /// Fills `to`, at most a vector long, with the first lanes.
    fn store_part(self, to: &mut [f32]);

    /// Stores without looking at a length.
    ///
    /// # Safety
    /// `to` must be valid for writing a whole vector. No alignment is needed.
    unsafe fn write(self, to: *mut f32);
}

/// Work that is compiled once per instruction set. `run` must be `#[inline(always)]`.
pub trait Kernel {
    /// What the work yields.
    type Output;

    /// Does the work.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

impl Isa {
    /// Runs `kernel` with the vectors of this set, or of the next poorer one that the machine has.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.vectors() {
            Isa::Portable => kernel.run(portable::Portable),
            // SAFETY: `vectors` found the features of the function on this machine.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => unsafe { avx2::run(kernel) },
            // SAFETY: as above; tiles are never what vectors are of.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 | Isa::Amx => unsafe { avx512::run(kernel) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => kernel.run(portable::Portable),
        }
    }
}
