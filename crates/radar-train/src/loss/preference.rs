//! Preference optimisation: of every two trajectories the cheaper should be the more likely. Costs count by
//! their order alone, so nothing needs to be normalised.

/// Loss = - mean over all pairs (p, r) of [p cheaper than r] ln sigmoid(alpha (log p - log r)).
pub(super) fn weigh(alpha: f64, costs: &[f64], log_probs: &[f64], weights: &mut [f64]) -> f64 {
    let pairs = (costs.len() * costs.len()).max(1) as f64;
    weights.fill(0.0);
    let mut loss = 0.0;
    for better in 0..costs.len() {
        for worse in (0..costs.len()).filter(|&worse| costs[better] < costs[worse]) {
            let lead = alpha * (log_probs[better] - log_probs[worse]);
            loss += softplus(-lead) / pairs;
            let slope = -alpha * sigmoid(-lead) / pairs;
            weights[better] += slope;
            weights[worse] -= slope;
        }
    }
    loss
}

/// ln(1 + e^x) without overflow.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

fn sigmoid(x: f64) -> f64 {
    let small = (-x.abs()).exp();
    if x >= 0.0 { 1.0 / (1.0 + small) } else { small / (1.0 + small) }
}
