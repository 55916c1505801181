//! What somebody believes about the arcs of a good plan.

/// A weight per directed arc, from whoever has one: a network, statistics of past plans. It steers
/// candidates and kicks, and never decides what is accepted.
pub trait EdgePrior: Sync {
    /// How likely it is that a good plan goes from `from` to `to`, in `0.0..=1.0`.
    fn belief(&self, from: usize, to: usize) -> f32;
}
