//! Imitation: given plans become more likely, choice by choice.

/// Loss = - mean over the plans of the mean log-probability of a choice.
pub(super) fn weigh(log_probs: &[f64], steps: &[usize], weights: &mut [f64]) -> f64 {
    let count = log_probs.len().max(1) as f64;
    for (weight, &steps) in weights.iter_mut().zip(steps) {
        *weight = -1.0 / (count * steps.max(1) as f64);
    }
    weights.iter().zip(log_probs).map(|(weight, log)| weight * log).sum()
}
