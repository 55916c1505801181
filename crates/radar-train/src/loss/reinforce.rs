//! REINFORCE: what was cheaper than the mean over the starts becomes more likely.

/// Loss = mean of (cost - mean cost) times log-probability.
pub(super) fn weigh(costs: &[f64], log_probs: &[f64], weights: &mut [f64]) -> f64 {
    let count = costs.len().max(1) as f64;
    // Above the first cost rather than from zero: the mean of equal costs is that cost to the last digit, and nothing
    // is learned from rounding.
    let first = costs.first().copied().unwrap_or(0.0);
    let mean = first + costs.iter().map(|cost| cost - first).sum::<f64>() / count;
    for (weight, cost) in weights.iter_mut().zip(costs) {
        *weight = (cost - mean) / count;
    }
    weights.iter().zip(log_probs).map(|(weight, log)| weight * log).sum()
}
