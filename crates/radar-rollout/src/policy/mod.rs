//! Who chooses among the legal moves.

mod nearest;
mod random;

pub use nearest::Nearest;
pub use random::Random;

use radar_kernel::random::Stream;

use crate::batch::Batch;

/// Chooses the next node of many trajectories at once.
pub trait Policy {
    /// Writes to `actions` one node out of the mask of each trajectory that has not ended; what it
    /// writes for the others is passed over. A policy that draws takes each trajectory's numbers from
    /// the trajectory's own stream, so that its neighbours in the batch do not matter, and adds the
    /// logarithm of the probability to `log_probs`, which is 0 before.
    fn choose(
        &mut self,
        batch: &Batch<'_>,
        streams: &mut [Stream],
        actions: &mut [usize],
        log_probs: &mut [f32],
    );
}
