//! REINFORCE with more weight on the best trajectory: a policy that is judged by its best start may be bold
//! elsewhere.

use super::reinforce;

/// As REINFORCE, with the first of the cheapest counted `1 + extra` times.
pub(super) fn weigh(extra: f64, costs: &[f64], log_probs: &[f64], weights: &mut [f64]) -> f64 {
    let loss = reinforce::weigh(costs, log_probs, weights);
    let best = costs.iter().enumerate().min_by(|one, other| one.1.total_cmp(other.1));
    let Some((best, _)) = best else { return loss };
    let more = extra * weights[best];
    weights[best] += more;
    loss + more * log_probs[best]
}
