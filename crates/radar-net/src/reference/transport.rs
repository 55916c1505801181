//! How surprising each arc is, naively: Sinkhorn's iterations on logarithms, while the temperature falls.

use super::logs::log_sum_exp;

/// Iterations at each temperature, how often it is halved at most, and where it ends, as a part of what an arc
/// costs.
const ITERATIONS: usize = 20;
const HALVINGS: usize = 14;
const COOLNESS: f64 = 0.01;

/// ln (1 + surprise) of every arc (N, N), from scaled distances (N, N) and how often each node is left and reached
/// (N).
pub(crate) fn surprise(distance: &[f64], shares: &[f64]) -> Vec<f64> {
    let n = shares.len();
    let pairs: Vec<(usize, usize)> =
        (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|(i, j)| i != j).collect();
    let least = pairs.iter().map(|(i, j)| distance[i * n + j]).fold(f64::INFINITY, f64::min);
    let cost = |i: usize, j: usize| distance[i * n + j] - least;
    let mean = pairs.iter().map(|&(i, j)| cost(i, j)).sum::<f64>() / pairs.len() as f64;
    if n < 2 || mean <= 0.0 {
        return vec![0.0; n * n];
    }
    let others = |node: usize| (0..n).filter(move |&other| other != node);
    let mut u: Vec<f64> =
        (0..n).map(|i| others(i).map(|j| cost(i, j)).fold(f64::INFINITY, f64::min)).collect();
    let mut v: Vec<f64> =
        (0..n).map(|j| others(j).map(|i| cost(i, j) - u[i]).fold(f64::INFINITY, f64::min)).collect();
    let mut temperature = mean;
    for halving in 0..=HALVINGS {
        let score = |i: usize, j: usize| (u[i] + v[j] - cost(i, j)) / temperature;
        let (mut f, mut g) = (vec![0.0; n], vec![0.0; n]);
        for _ in 0..ITERATIONS {
            for i in 0..n {
                f[i] = shares[i].ln() - log_sum_exp(others(i).map(|j| score(i, j) + g[j]));
            }
            for j in 0..n {
                g[j] = shares[j].ln() - log_sum_exp(others(j).map(|i| score(i, j) + f[i]));
            }
        }
        let sent = |i: usize, j: usize| (score(i, j) + f[i] + g[j]).exp();
        let spent = pairs.iter().map(|&(i, j)| sent(i, j) * cost(i, j)).sum::<f64>()
            / pairs.iter().map(|&(i, j)| sent(i, j)).sum::<f64>();
        (0..n).for_each(|i| u[i] += temperature * f[i]);
        (0..n).for_each(|j| v[j] += temperature * g[j]);
        if temperature <= COOLNESS * spent || halving == HALVINGS {
            break;
        }
        temperature = (0.5 * temperature).max(COOLNESS * spent);
    }
    let of = |i: usize, j: usize| ((cost(i, j) - u[i] - v[j]) / temperature).max(0.0).ln_1p();
    let most = pairs.iter().map(|&(i, j)| of(i, j)).fold(0.0, f64::max);
    (0..n * n).map(|at| if at / n == at % n { most } else { of(at / n, at % n) }).collect()
}
