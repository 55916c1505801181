//! Sixteen lanes of AVX-512.
//!
//! The soundness of all intrinsics here rests on one fact: [`Avx512`] and [`Sixteen`] have private
//! constructors that only [`run`] reaches, and `run` is called where the features were found.

use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{Kernel, Lanes, SIDE, Simd, Square};

#[derive(Clone, Copy)]
pub(super) struct Avx512(());

#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Sixteen(__m512);

/// Runs a kernel. The machine must have the features.
#[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Avx512(()))
}

/// The mask of the first `count` lanes.
#[inline(always)]
fn mask(count: usize) -> __mmask16 {
    assert!(count <= 16, "more numbers than lanes");
    ((1_u32 << count) - 1) as __mmask16
}

impl Simd for Avx512 {
    type Lanes = Sixteen;

    #[inline(always)]
    fn splat(self, value: f32) -> Sixteen {
        // SAFETY: the feature is there, see the head of the file.
        Sixteen(unsafe { _mm512_set1_ps(value) })
    }

    #[inline(always)]
    fn load(self, from: &[f32]) -> Sixteen {
        // SAFETY: the slice has sixteen numbers.
        unsafe { self.read(from[..16].as_ptr()) }
    }

    #[inline(always)]
    fn load_part(self, from: &[f32]) -> Sixteen {
        // SAFETY: only lanes of the slice are read; the feature is there.
        Sixteen(unsafe { _mm512_maskz_loadu_ps(mask(from.len()), from.as_ptr()) })
    }

    #[inline(always)]
    unsafe fn read(self, from: *const f32) -> Sixteen {
        // SAFETY: the caller vouches for sixteen numbers.
        Sixteen(unsafe { _mm512_loadu_ps(from) })
    }

    #[inline(always)]
    fn pair(self, low: Sixteen, high: Sixteen) -> Sixteen {
        // SAFETY: the feature is there, see the head of the file.
        unsafe {
            let low = _mm512_srli_epi32::<16>(rounded(low.0));
            let high = _mm512_and_si512(rounded(high.0), _mm512_set1_epi32(0xffff_0000_u32 as i32));
            Sixteen(_mm512_castsi512_ps(_mm512_or_si512(low, high)))
        }
    }

    #[inline(always)]
    fn transpose(self, square: &mut Square) {
        // SAFETY: rows hold sixteen numbers; the feature is there.
        unsafe {
            let mut rows = [_mm512_setzero_ps(); SIDE];
            for (row, from) in rows.iter_mut().zip(&*square) {
                *row = _mm512_loadu_ps(from.as_ptr());
            }
            for (column, to) in transposed(rows).into_iter().zip(square) {
                _mm512_storeu_ps(to.as_mut_ptr(), column);
            }
        }
    }
}

/// The nearest bfloat16 in the upper half of every word; what is below it means nothing.
///
/// # Safety
/// The feature must be there.
#[inline(always)]
unsafe fn rounded(values: __m512) -> __m512i {
    // SAFETY: as the caller vouches.
    unsafe {
        let bits = _mm512_castps_si512(values);
        let odd = _mm512_and_si512(_mm512_srli_epi32::<16>(bits), _mm512_set1_epi32(1));
        let nearest = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), odd);
        let is_nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(values, values);
        _mm512_mask_or_epi32(nearest, is_nan, bits, _mm512_set1_epi32(0x0040_0000))
    }
}

/// Rows as columns: pairs of rows are interleaved, then pairs of these, then quarters of vectors change places.
///
/// # Safety
/// The feature must be there.
#[inline(always)]
unsafe fn transposed(rows: [__m512; 16]) -> [__m512; 16] {
    // SAFETY: as the caller vouches.
    unsafe {
        let mut two = rows;
        for at in (0..16).step_by(2) {
            two[at] = _mm512_unpacklo_ps(rows[at], rows[at + 1]);
            two[at + 1] = _mm512_unpackhi_ps(rows[at], rows[at + 1]);
        }
        let mut four = rows;
        for at in (0..16).step_by(4) {
            let [a, b] = [_mm512_castps_pd(two[at]), _mm512_castps_pd(two[at + 1])];
            let [c, d] = [_mm512_castps_pd(two[at + 2]), _mm512_castps_pd(two[at + 3])];
            four[at] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, c));
            four[at + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, c));
            four[at + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(b, d));
            four[at + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(b, d));
        }
        let mut columns = rows;
        for at in 0..4 {
            let low = _mm512_shuffle_f32x4::<0x44>(four[at], four[at + 4]);
            let low_end = _mm512_shuffle_f32x4::<0x44>(four[at + 8], four[at + 12]);
            let high = _mm512_shuffle_f32x4::<0xee>(four[at], four[at + 4]);
            let high_end = _mm512_shuffle_f32x4::<0xee>(four[at + 8], four[at + 12]);
            columns[at] = _mm512_shuffle_f32x4::<0x88>(low, low_end);
            columns[at + 4] = _mm512_shuffle_f32x4::<0xdd>(low, low_end);
            columns[at + 8] = _mm512_shuffle_f32x4::<0x88>(high, high_end);
            columns[at + 12] = _mm512_shuffle_f32x4::<0xdd>(high, high_end);
        }
        columns
    }
}

macro_rules! operators {
    ($($name:ident $function:ident $intrinsic:ident)*) => {$(
        impl $name for Sixteen {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                // SAFETY: the feature is there, see the head of the file.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    )*};
}
operators!(Add add _mm512_add_ps Sub sub _mm512_sub_ps Mul mul _mm512_mul_ps Div div _mm512_div_ps);

impl Neg for Sixteen {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: the feature is there, see the head of the file.
        Self(unsafe { _mm512_xor_ps(self.0, _mm512_set1_ps(-0.0)) })
    }
}

// SAFETY of every block below that gives no other reason: the feature is there, see the head of the file.
impl Lanes for Sixteen {
    const COUNT: usize = 16;

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        Self(unsafe { _mm512_fmadd_ps(self.0, factor.0, term.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(unsafe { _mm512_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(unsafe { _mm512_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(unsafe { _mm512_sqrt_ps(self.0) })
    }

    #[inline(always)]
    fn where_less(self, limit: Self, then: Self, otherwise: Self) -> Self {
        unsafe {
            let less = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0, limit.0);
            Self(_mm512_mask_blend_ps(less, otherwise.0, then.0))
        }
    }

    #[inline(always)]
    fn low_bits_to_exponent(self) -> Self {
        Self(unsafe { _mm512_castsi512_ps(_mm512_slli_epi32::<23>(_mm512_castps_si512(self.0))) })
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        unsafe {
            let order = _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
            Self(_mm512_permutexvar_ps(order, self.0))
        }
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        unsafe { _mm512_reduce_add_ps(self.0) }
    }

    #[inline(always)]
    fn largest(self) -> f32 {
        unsafe { _mm512_reduce_max_ps(self.0) }
    }

    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        // SAFETY: the slice has room for sixteen numbers.
        unsafe { self.write(to[..16].as_mut_ptr()) }
    }

    #[inline(always)]
    fn store_part(self, to: &mut [f32]) {
        // SAFETY: only lanes of the slice are written.
        unsafe { _mm512_mask_storeu_ps(to.as_mut_ptr(), mask(to.len()), self.0) }
    }

    #[inline(always)]
    unsafe fn write(self, to: *mut f32) {
        // SAFETY: the caller vouches for room for sixteen numbers.
        unsafe { _mm512_storeu_ps(to, self.0) }
    }
}
