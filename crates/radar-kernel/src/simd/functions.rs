//! Exponential and hyperbolic tangent, lane by lane, without branches.
//!
//! Both write x = n ln 2 + r with |r| <= ln 2 / 2 and take e^r - 1 from a minimax polynomial of degree
//! six, whose error (3e-9) is below the rounding of the arithmetic.

use super::{Lanes, Simd};

/// ln 2 in two parts; the first has so few digits that its product with n is exact without fusing.
const LN_2_HIGH: f32 = 0.693_359_4;
const LN_2_LOW: f32 = -2.121_944_4e-4;

/// Adding it to |x| < 2^22 rounds x to an integer that stands in the low bits: 3 * 2^22.
const ROUNDER: f32 = 12_582_912.0;

/// The exponent field of 1.
const ONE: f32 = 127.0;

/// (e^r - 1 - r) / r^2, highest power first.
const TAIL: [f32; 5] = [0.001_381_454_8, 0.008_368_747, 0.041_668_39, 0.166_665_2, 0.499_999_94];

/// Lanes whose low bits hold n plus the integer `field`, and r.
#[inline(always)]
fn reduce<S: Simd>(simd: S, x: S::Lanes, field: f32) -> (S::Lanes, S::Lanes) {
    let rounder = simd.splat(ROUNDER + field);
    let shifted = x.mul_add(simd.splat(std::f32::consts::LOG2_E), rounder);
    let n = shifted - rounder;
    let r = n.mul_add(simd.splat(-LN_2_HIGH), x);
    (shifted, n.mul_add(simd.splat(-LN_2_LOW), r))
}

/// `scale` times (e^r - 1 - r) / r^2.
#[inline(always)]
fn tail<S: Simd>(simd: S, r: S::Lanes, scale: f32) -> S::Lanes {
    let mut sum = simd.splat(scale * TAIL[0]);
    for coefficient in &TAIL[1..] {
        sum = sum.mul_add(r, simd.splat(scale * coefficient));
    }
    sum
}

/// e^x with a relative error below 1.5e-7. Results below 2^-125.5 (x < -86.99) are 0, those beyond the
/// greatest f32 are infinite; NaN stays NaN.
#[inline(always)]
pub fn exp<S: Simd>(simd: S, x: S::Lanes) -> S::Lanes {
    // The bound is first, so that a NaN passes.
    let x = simd.splat(89.0).min(simd.splat(-87.336_54).max(x));
    // 2 e^r times 2^(n - 1): the factor for n = 128 still fits, and the one for n = -126, where all
    // that underflows was moved, has the exponent field 0 and is 0.
    let (shifted, r) = reduce(simd, x, ONE - 1.0);
    let two = simd.splat(2.0);
    let double = tail(simd, r, 2.0).mul_add(r, two).mul_add(r, two);
    double * shifted.low_bits_to_exponent()
}

/// tanh x with an error below 1.5e-7, and as small relative to x around 0. NaN stays NaN.
#[inline(always)]
pub fn tanh<S: Simd>(simd: S, x: S::Lanes) -> S::Lanes {
    // Beyond 9.02 the result rounds to 1. With m = e^2x - 1 it is m / (m + 2), and m loses no digits
    // around 0.
    let double = simd.splat(18.04).min(simd.splat(-18.04).max(x + x));
    let (shifted, r) = reduce(simd, double, ONE);
    let minus_one = (tail(simd, r, 1.0) * r).mul_add(r, r);
    let power = shifted.low_bits_to_exponent();
    let m = power.mul_add(minus_one, power - simd.splat(1.0));
    m / (m + simd.splat(2.0))
}
