//! How surprising each arc is: minus the logarithm of what goes along it when every node must be left and reached
//! as often as a plan would, at nearly the least cost for all of them together. A short arc may surprise, because
//! both its ends have better; a long one may not, because nothing better is left.

use radar_kernel::isa::Isa;
use radar_kernel::transport::Transport;
use radar_problem::{Instance, NEVER};

/// The temperature, as a part of what an arc costs.
const COOLNESS: f32 = 0.01;

/// How often a plan leaves and reaches each node (N): once, and the depot as often as loads need at least.
pub(super) fn shares(instance: &Instance) -> Vec<f32> {
    let mut shares = vec![1.0; instance.nodes()];
    if let (false, Some(depot)) = (instance.is_tour(), shares.first_mut()) {
        let total = |amount: &dyn Fn(usize) -> i64| instance.stops().map(amount).sum::<i64>();
        let amount = total(&|stop| instance.demand(stop)).max(total(&|stop| instance.backhaul(stop)));
        let loads = match instance.capacity() {
            NEVER | 0 => 1,
            capacity => amount / capacity + i64::from(amount % capacity > 0),
        };
        *depot = loads.clamp(1, instance.stops().len().max(1) as i64) as f32;
    }
    shares
}

/// ln (1 + surprise) of every arc (N, N), from a scaled matrix (N, N); the least of its arcs counts as free.
pub(super) fn surprise(isa: Isa, nodes: usize, distance: &[f32], shares: &[f32]) -> Vec<f32> {
    let others = distance.iter().enumerate().filter(|(at, _)| at / nodes != at % nodes);
    let least = others.map(|(_, &entry)| entry).fold(f32::INFINITY, f32::min);
    let above = |(at, &entry): (usize, &f32)| if at / nodes == at % nodes { 0.0 } else { entry - least };
    let costs: Vec<f32> = distance.iter().enumerate().map(above).collect();
    let transport = Transport { nodes, costs: &costs, shares, coolness: COOLNESS };
    let mut surprise = transport.surprise(isa);
    surprise.iter_mut().for_each(|one| *one = one.max(0.0).ln_1p());
    surprise
}
