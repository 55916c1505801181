//! The cheapest legal move.

use radar_kernel::random::Stream;

use super::Policy;
use crate::batch::Batch;

/// Goes to the stop that costs least to reach, the lowest number among equals. It returns to the depot
/// only when no stop is legal: on open routes the way home costs nothing and would always win.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nearest;

impl Policy for Nearest {
    fn choose(&mut self, batch: &Batch<'_>, _: &mut [Stream], actions: &mut [usize], _: &mut [f32]) {
        for at in (0..batch.len()).filter(|&at| !batch.ended(at)) {
            let instance = batch.rules(at).instance();
            let row = instance.cost().row(batch.states()[at].node);
            let stops = batch.mask(at).iter().filter(|&node| node != 0 || instance.is_tour());
            actions[at] = stops.min_by_key(|&stop| row.at(stop)).unwrap_or(0);
        }
    }
}
