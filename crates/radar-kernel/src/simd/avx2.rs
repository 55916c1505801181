//! Eight lanes of AVX2 with fused multiplication.
//!
//! The soundness of all intrinsics here rests on one fact: [`Avx2`] and [`Eight`] have private
//! constructors that only [`run`] reaches, and `run` is called where the features were found.

use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{Kernel, Lanes, Simd};

#[derive(Clone, Copy)]
pub(super) struct Avx2(());

#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Eight(__m256);

/// Runs a kernel. The machine must have the features.
#[target_feature(enable = "avx2,fma")]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Avx2(()))
}

/// A window into this list that begins at `8 - n` has its first `n` signs set.
const MASKS: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];

/// The mask of the first `count` lanes.
#[inline(always)]
fn mask(count: usize) -> __m256i {
    let window = &MASKS[8 - count..16 - count];
    // SAFETY: the window has eight entries; the feature is there, see the head of the file.
    unsafe { _mm256_loadu_si256(window.as_ptr().cast()) }
}

impl Simd for Avx2 {
    type Lanes = Eight;

    #[inline(always)]
    fn splat(self, value: f32) -> Eight {
        // SAFETY: the feature is there, see the head of the file.
        Eight(unsafe { _mm256_set1_ps(value) })
    }

    #[inline(always)]
    fn load(self, from: &[f32]) -> Eight {
        // SAFETY: the slice has eight numbers.
        unsafe { self.read(from[..8].as_ptr()) }
    }

    #[inline(always)]
    fn load_part(self, from: &[f32]) -> Eight {
        // SAFETY: only lanes of the slice are read; the feature is there.
        Eight(unsafe { _mm256_maskload_ps(from.as_ptr(), mask(from.len())) })
    }

    #[inline(always)]
    unsafe fn read(self, from: *const f32) -> Eight {
        // SAFETY: the caller vouches for eight numbers.
        Eight(unsafe { _mm256_loadu_ps(from) })
    }
}

macro_rules! operators {
    ($($name:ident $function:ident $intrinsic:ident)*) => {$(
        impl $name for Eight {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                // SAFETY: the feature is there, see the head of the file.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    )*};
}
operators!(Add add _mm256_add_ps Sub sub _mm256_sub_ps Mul mul _mm256_mul_ps Div div _mm256_div_ps);

impl Neg for Eight {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: the feature is there, see the head of the file.
        Self(unsafe { _mm256_xor_ps(self.0, _mm256_set1_ps(-0.0)) })
    }
}

// SAFETY of every block below that gives no other reason: the feature is there, see the head of the file.
impl Lanes for Eight {
    const COUNT: usize = 8;

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        Self(unsafe { _mm256_fmadd_ps(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(unsafe { _mm256_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(unsafe { _mm256_sqrt_ps(self.0) })
    }

    #[inline(always)]
    fn where_less(self, limit: Self, then: Self, otherwise: Self) -> Self {
        Self(unsafe { _mm256_blendv_ps(otherwise.0, then.0, _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, limit.0)) })
    }

    #[inline(always)]
    fn low_bits_to_exponent(self) -> Self {
        Self(unsafe { _mm256_castsi256_ps(_mm256_slli_epi32::<23>(_mm256_castps_si256(self.0))) })
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        Self(unsafe { _mm256_permutevar8x32_ps(self.0, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0)) })
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        unsafe {
            let four = _mm_add_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
            let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
        }
    }

    #[inline(always)]
    fn largest(self) -> f32 {
        unsafe {
            let four = _mm_max_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
            let two = _mm_max_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)))
        }
    }

    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        // SAFETY: the slice has room for eight numbers.
        unsafe { self.write(to[..8].as_mut_ptr()) }
    }

    #[inline(always)]
    fn store_part(self, to: &mut [f32]) {
        // SAFETY: only lanes of the slice are written.
        unsafe { _mm256_maskstore_ps(to.as_mut_ptr(), mask(to.len()), self.0) }
    }

    #[inline(always)]
    unsafe fn write(self, to: *mut f32) {
        // SAFETY: the caller vouches for room for eight numbers.
        unsafe { _mm256_storeu_ps(to, self.0) }
    }
}
