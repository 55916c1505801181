//! The pieces of attention on matrices: scores mixed from several matrices, their normalisation over rows
//! and columns, and masked softmax. Each forward function has its backward beside it.

mod mixing;
mod pointer;
mod sinkhorn;
#[cfg(test)]
mod tests;

pub use mixing::{Mixing, MixingGradient, mix, mix_backward};
pub use pointer::{Chosen, clipped_choice, clipped_choice_backward, masked_softmax, softmax_backward};
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
