//! Logarithms that are quick rather than exact.

/// The logarithm to base 2, straight between powers of 2: cheap, continuous and increasing, which is all it is for.
pub(crate) fn straight_log(x: f32) -> f32 {
    const STEP: f32 = 1.0 / (1 << 23) as f32;
    x.max(f32::MIN_POSITIVE).to_bits() as f32 * STEP - 127.0
}
