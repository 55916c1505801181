//! What stops get and give, in vehicles.

use radar_problem::Instance;

use super::{Loads, share};

/// The amounts of an instance of routes as shares of what a vehicle holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shares {
    /// What a stop gets (0) and gives (1), by node (N).
    pub of: [Vec<f32>; 2],
    /// The mean of each, over the stops that have any.
    pub means: [f32; 2],
}

impl Shares {
    pub fn of(instance: &Instance) -> Self {
        let capacity = Loads::of(instance).capacity;
        let by_node = |amount: &dyn Fn(usize) -> i64| -> Vec<f32> {
            (0..instance.nodes()).map(|node| share(amount(node), capacity)).collect()
        };
        let of = [by_node(&|node| instance.demand(node)), by_node(&|node| instance.backhaul(node))];
        let mean = |shares: &Vec<f32>| {
            let count = shares.iter().filter(|&&share| share > 0.0).count();
            shares.iter().sum::<f32>() / count.max(1) as f32
        };
        Self { means: [mean(&of[0]), mean(&of[1])], of }
    }
}
