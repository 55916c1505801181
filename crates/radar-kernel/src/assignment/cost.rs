//! Costs that assignments are solved with, and the searches over rows of them.

use std::ops::{Add, Sub};

/// An integer cost: `i32`, which is twice as fast, or `i64`.
pub trait Cost:
    Copy + Ord + Add<Output = Self> + Sub<Output = Self> + std::fmt::Debug + sealed::Sealed
{
    /// The cost of a pair that must not be used. Also the largest value of the type.
    const FORBIDDEN: Self;
    /// The smallest value of the type.
    const LEAST: Self;
    /// Nothing.
    const ZERO: Self;

    /// The value as a wide integer.
    fn to_i64(self) -> i64;

    /// The value of a wide integer that is known to fit.
    fn from_i64(value: i64) -> Self;
}

impl Cost for i32 {
    const FORBIDDEN: Self = i32::MAX;
    const LEAST: Self = i32::MIN;
    const ZERO: Self = 0;

    #[inline(always)]
    fn to_i64(self) -> i64 {
        i64::from(self)
    }

    #[inline(always)]
    fn from_i64(value: i64) -> Self {
        value as i32
    }
}

impl Cost for i64 {
    const FORBIDDEN: Self = i64::MAX;
    const LEAST: Self = i64::MIN;
    const ZERO: Self = 0;

    #[inline(always)]
    fn to_i64(self) -> i64 {
        self
    }

    #[inline(always)]
    fn from_i64(value: i64) -> Self {
        value
    }
}

/// Overflow is argued for these two types only.
mod sealed {
    pub trait Sealed {}
    impl Sealed for i32 {}
    impl Sealed for i64 {}
}

/// The least of `values`.
#[inline(always)]
pub(super) fn least<C: Cost>(values: &[C]) -> C {
    values.iter().fold(C::FORBIDDEN, |least, &value| least.min(value))
}

/// The first place of `values` that holds `wanted`. Looks at whole chunks first: a search that may
/// stop at any entry is not vectorised.
#[inline(always)]
pub(super) fn place_of<C: Cost>(values: &[C], wanted: C) -> usize {
    const CHUNK: usize = 64;
    let is_in = |chunk: &[C]| chunk.iter().fold(false, |found, &value| found | (value == wanted));
    let start = values.chunks(CHUNK).take_while(|chunk| !is_in(chunk)).count() * CHUNK;
    start + values[start..].iter().take_while(|&&value| value != wanted).count()
}
