//! The pieces of attention on matrices: scores mixed from several matrices, their normalisation over rows
//! and columns, and choices under masks. Each forward function has its backward beside it.
#![allow(unsafe_code)] // Loops whose sums stay in registers only where nothing in them can fail.

mod choice;
mod context;
mod factors;
mod mixing;
mod sinkhorn;
#[cfg(test)]
mod tests;

pub use choice::{Bent, Chosen, clipped_choice, clipped_choice_backward};
pub use context::{InContext, weigh_in_context};
pub use factors::{FAINT, Factors, Places, Weighed, exponentials, row_products, weigh, weigh_backward};
pub use mixing::{Mixing, MixingGradient, mix, mix_backward};
pub(crate) use sinkhorn::sweep;
pub use sinkhorn::{Last, Normalisation, Scaling, normalise, normalise_backward};

use crate::simd::{Lanes, Simd};

/// A vector from the start of `values`, or what there is of it and zeros.
#[inline(always)]
pub(crate) fn load<S: Simd>(simd: S, values: &[f32]) -> S::Lanes {
    if values.len() >= S::LANES { simd.load(values) } else { simd.load_part(values) }
}

/// Writes a vector to the start of `to`, or as much of it as there is room for.
#[inline(always)]
pub(crate) fn store<S: Simd>(vector: S::Lanes, to: &mut [f32]) {
    if to.len() >= S::LANES { vector.store(to) } else { vector.store_part(to) }
}

/// A vector, or the first `count` lanes of one and zeros.
///
/// # Safety
/// `from` must be valid for as many numbers.
#[inline(always)]
pub(crate) unsafe fn read<S: Simd>(simd: S, from: *const f32, count: usize) -> S::Lanes {
    // SAFETY: a whole vector is only read where the count allows it.
    unsafe {
        match count >= S::LANES {
            true => simd.read(from),
            false => simd.load_part(std::slice::from_raw_parts(from, count)),
        }
    }
}

/// Writes a vector, or its first `count` lanes.
///
/// # Safety
/// `to` must be valid for as many numbers.
#[inline(always)]
pub(crate) unsafe fn write<S: Simd>(vector: S::Lanes, to: *mut f32, count: usize) {
    // SAFETY: a whole vector is only written where the count allows it.
    unsafe {
        match count >= S::LANES {
            true => vector.write(to),
            false => vector.store_part(std::slice::from_raw_parts_mut(to, count)),
        }
    }
}
