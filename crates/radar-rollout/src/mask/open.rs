//! Open routes: nobody drives home.

use radar_problem::{Instance, Scaled};

/// What the way home from each node adds on `matrix`: nothing on open routes. Where no arc leads home
/// the entry means nothing; the rule on missing arcs has removed such stops before anyone adds it.
pub(super) fn home(instance: &Instance, matrix: &Scaled) -> Vec<i64> {
    if instance.is_open() {
        vec![0; matrix.nodes()]
    } else {
        (0..matrix.nodes()).map(|node| matrix.at(node, 0)).collect()
    }
}
