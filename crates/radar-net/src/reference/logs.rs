//! Normalisation of positive numbers (N, N) given by their logarithms, as nothing overflows there.

/// Takes off each row (N) of logarithms what makes it sum to 1.
pub(crate) fn rows(logs: &mut [f64], nodes: usize) {
    for row in logs.chunks_mut(nodes) {
        let total = log_sum_exp(row.iter().copied());
        row.iter_mut().for_each(|log| *log -= total);
    }
}

/// The same for each column.
pub(crate) fn columns(logs: &mut [f64], nodes: usize) {
    for column in 0..nodes {
        let total = log_sum_exp(logs.iter().copied().skip(column).step_by(nodes));
        logs.iter_mut().skip(column).step_by(nodes).for_each(|log| *log -= total);
    }
}

/// The logarithm to base 2 of a number that is not below the least normal f32, straight between powers of 2.
pub(crate) fn straight(x: f64) -> f64 {
    let x = x.max(f64::from(f32::MIN_POSITIVE));
    let power = x.log2().floor();
    power + x / power.exp2() - 1.0
}

/// The logarithm of the sum.
fn log_sum_exp(logs: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    most + logs.map(|log| (log - most).exp()).sum::<f64>().ln()
}
