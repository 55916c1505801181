//! REINFORCE with more weight on the best trajectories: a policy that is judged by its best start may be bold
//! elsewhere.

use super::reinforce;

/// As REINFORCE, with the `leaders` cheapest (the first of equals) counted `1 + extra` times and all others
/// `rest` times.
pub(super) fn weigh(
    (extra, leaders, rest): (f64, usize, f64),
    costs: &[f64],
    log_probs: &[f64],
    weights: &mut [f64],
) -> f64 {
    reinforce::weigh(costs, log_probs, weights);
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by(|&one, &other| costs[one].total_cmp(&costs[other]));
    for (place, &at) in order.iter().enumerate() {
        weights[at] *= if place < leaders { 1.0 + extra } else { rest };
    }
    weights.iter().zip(log_probs).map(|(weight, log)| weight * log).sum()
}
