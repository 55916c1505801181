//! Capacity alone: each stop's share of all that is delivered.

use radar_problem::Instance;

use super::{Facts, share};

pub(super) fn facts(instance: &Instance) -> Facts {
    let demand = |node: usize| if node == 0 { 0 } else { instance.demand(node) };
    let total = (0..instance.nodes()).map(demand).sum();
    let nodes = (0..instance.nodes()).map(|node| share(demand(node), total)).collect();
    Facts { nodes, depot: None }
}
