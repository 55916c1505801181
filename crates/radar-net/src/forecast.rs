//! How much memory decoding will take: asked before it begins, so that it can be refused instead of killed.

use radar_rollout::Starts;

use crate::decode::{Decoding, block};
use crate::journey;
use crate::mix;
use crate::network::Network;

impl Network {
    /// About how many bytes decoding an instance of so many nodes takes at its peak, beside the weights and the
    /// instance itself.
    pub fn memory_of(&self, nodes: usize, decoding: &Decoding, threads: usize) -> u64 {
        let config = self.weights().config();
        let starts = match decoding.starts {
            Starts::All => nodes,
            Starts::AtMost(count) => count.min(nodes),
        } as u64;
        let made = mix::own_count(config) as u64;
        let (threads, width, hidden, heads) =
            (threads as u64, config.width as u64, config.hidden as u64, config.heads as u64);
        let square = (nodes as u64).saturating_mul(nodes.next_multiple_of(self.isa().lanes()) as u64);
        let nodes = nodes as u64;

        // Two more while one of them is made.
        let scratch = if made > 0 { 2 } else { 0 };
        let input = (2 + made + scratch) * square + nodes * config.columns() as u64;
        // What every head at work has: dot products, scores, the kernel.
        let encoder = threads.min(heads) * 3 * square + nodes * (7 * width + hidden);
        let tabulated = if self.tabulates(nodes as usize) { 2 * heads * square } else { 0 };
        // Rows of the trajectories at work, and the steps that all of them took.
        let journey = if config.has_journeys() { journey::bytes(nodes as usize) } else { 0 };
        let together = starts.min(block(journey) as u64);
        // What journeys are found in takes four times as much as one.
        let at_work = threads.min(starts.div_ceil(block(journey) as u64));
        let rows = at_work * (together * (6 * nodes + 3 * width + journey / 4) + journey);
        let seen = match decoding.confidence {
            true => (starts.div_ceil(block(journey) as u64) + 1) * square,
            false => 0,
        };
        let of_terms = config.terms.iter().map(|term| term.part().matrices).sum::<u64>() * square;
        let decoder = tabulated + of_terms + nodes * 12 * width + rows + starts * 3 * nodes + seen;
        // The allocator may keep what the encoder has given back.
        4 * (input + encoder + decoder)
    }
}
