//! Numbers that place an instance among those that weights have seen.

use radar_problem::{Instance, UNREACHABLE};

/// How far the two directions of a pair differ: the mean of |D_ij - D_ji| / (D_ij + D_ji) over the pairs
/// that can be driven both ways at some cost. 0 is symmetric, 1 the most there is.
pub fn asymmetry(instance: &Instance) -> f64 {
    let matrix = instance.cost();
    let (mut sum, mut pairs) = (0.0, 0_u64);
    for from in 0..matrix.nodes() {
        for to in 0..from {
            let (there, back) = (matrix.at(from, to), matrix.at(to, from));
            if there != UNREACHABLE && back != UNREACHABLE && (there != 0 || back != 0) {
                let (there, back) = (there as f64, back as f64);
                sum += (there - back).abs() / (there + back);
                pairs += 1;
            }
        }
    }
    if pairs == 0 { 0.0 } else { sum / pairs as f64 }
}

/// How unequal the amounts of the stops are: standard deviation over mean, delivered or picked up alike.
/// `None` when there are no amounts.
pub fn demand_spread(instance: &Instance) -> Option<f64> {
    let amounts: Vec<f64> =
        instance.stops().map(|stop| (instance.demand(stop) + instance.backhaul(stop)) as f64).collect();
    if instance.is_tour() || amounts.iter().all(|&amount| amount == 0.0) {
        return None;
    }
    let count = amounts.len() as f64;
    let mean = amounts.iter().sum::<f64>() / count;
    let variance = amounts.iter().map(|amount| (amount - mean).powi(2)).sum::<f64>() / count;
    Some(variance.sqrt() / mean)
}
