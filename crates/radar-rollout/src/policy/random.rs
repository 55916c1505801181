//! Any legal move, all equally likely.

use radar_kernel::random::Stream;

use super::Policy;
use crate::batch::Batch;

/// Takes any legal move, all equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Policy for Random {
    fn choose(
        &mut self,
        batch: &Batch<'_>,
        streams: &mut [Stream],
        actions: &mut [usize],
        log_probs: &mut [f32],
    ) {
        for at in (0..batch.len()).filter(|&at| !batch.ended(at)) {
            let mask = batch.mask(at);
            let count = mask.count();
            actions[at] = mask.nth(streams[at].index(count)).unwrap_or(0);
            log_probs[at] = -(count as f32).ln();
        }
    }
}
