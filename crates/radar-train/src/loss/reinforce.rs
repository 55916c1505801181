//! REINFORCE: what was cheaper than the mean over the starts becomes more likely.

/// Loss = mean of (cost - mean cost) times log-probability.
pub(super) fn weigh(costs: &[f64], log_probs: &[f64], weights: &mut [f64]) -> f64 {
    let count = costs.len().max(1) as f64;
    let mean = costs.iter().sum::<f64>() / count;
    for (weight, cost) in weights.iter_mut().zip(costs) {
        *weight = (cost - mean) / count;
    }
    weights.iter().zip(log_probs).map(|(weight, log)| weight * log).sum()
}
