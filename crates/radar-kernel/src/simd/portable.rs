//! Four lanes in plain Rust: the width that the baseline of every common architecture has in a register.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{Lanes, Simd};

#[derive(Clone, Copy)]
pub(super) struct Portable;

#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Four([f32; 4]);

impl Four {
    #[inline(always)]
    fn zip(self, other: Self, of: impl Fn(f32, f32) -> f32) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([of(a, e), of(b, f), of(c, g), of(d, h)])
    }
}

impl Simd for Portable {
    type Lanes = Four;

    const IS_FUSED: bool = cfg!(any(target_arch = "aarch64", target_feature = "fma"));

    #[inline(always)]
    fn splat(self, value: f32) -> Four {
        Four([value; 4])
    }

    #[inline(always)]
    fn load(self, from: &[f32]) -> Four {
        Four([from[0], from[1], from[2], from[3]])
    }

    #[inline(always)]
    fn load_part(self, from: &[f32]) -> Four {
        let mut lanes = [0.0; 4];
        lanes[..from.len()].copy_from_slice(from);
        Four(lanes)
    }

    #[inline(always)]
    unsafe fn read(self, from: *const f32) -> Four {
        // SAFETY: the caller vouches for four numbers.
        Four(unsafe { from.cast::<[f32; 4]>().read_unaligned() })
    }
}

macro_rules! operators {
    ($($name:ident $function:ident $sign:tt)*) => {$(
        impl $name for Four {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                self.zip(other, #[inline(always)] |a, b| a $sign b)
            }
        }
    )*};
}
operators!(Add add + Sub sub - Mul mul * Div div /);

impl Neg for Four {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|lane| -lane))
    }
}

impl Lanes for Four {
    const COUNT: usize = 4;

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        // Where the baseline cannot fuse, f32::mul_add would be a call into the C library.
        #[cfg(any(target_arch = "aarch64", target_feature = "fma"))]
        return Self(std::array::from_fn(|lane| self.0[lane].mul_add(factor.0[lane], term.0[lane])));
        #[cfg(not(any(target_arch = "aarch64", target_feature = "fma")))]
        return self * factor + term;
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }

    #[inline(always)]
    fn where_less(self, limit: Self, then: Self, otherwise: Self) -> Self {
        let pick = |lane: usize| if self.0[lane] < limit.0[lane] { then.0[lane] } else { otherwise.0[lane] };
        Self([pick(0), pick(1), pick(2), pick(3)])
    }

    #[inline(always)]
    fn low_bits_to_exponent(self) -> Self {
        Self(self.0.map(|lane| f32::from_bits(lane.to_bits() << 23)))
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([d, c, b, a])
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        let [a, b, c, d] = self.0;
        (a + c) + (b + d)
    }

    #[inline(always)]
    fn largest(self) -> f32 {
        let [a, b, c, d] = self.0;
        a.max(c).max(b.max(d))
    }

    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        to[..4].copy_from_slice(&self.0);
    }

    #[inline(always)]
    fn store_part(self, to: &mut [f32]) {
        to.copy_from_slice(&self.0[..to.len()]);
    }

    #[inline(always)]
    unsafe fn write(self, to: *mut f32) {
        // SAFETY: the caller vouches for room for four numbers.
        unsafe { to.cast::<[f32; 4]>().write_unaligned(self.0) }
    }
}
