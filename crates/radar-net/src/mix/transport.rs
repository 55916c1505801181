//! How surprising the way there is: minus the logarithm of what goes along it when every node must be left and
//! reached as often as a plan would, at nearly the least cost for all of them together. A short arc may
//! surprise, because both its ends have better; a long one may not, because nothing better is left.

use radar_kernel::transport::Transport;

use super::{Making, Part};
use crate::input::Input;
use crate::reference::Ways;

pub(super) const PART: Part = Part { own: Some(own), held: Input::distance, naive };

/// The temperature, as a part of what an arc costs.
const COOLNESS: f32 = 0.01;

/// ln (1 + surprise) of every arc (N, N). The least arc counts as free, and so do ways home that nobody drives.
pub(super) fn own(making: &Making<'_>) -> Option<Vec<f32>> {
    let Making { input, isa, stop, .. } = *making;
    let (nodes, distance) = (input.nodes(), input.distance());
    let others = distance.iter().enumerate().filter(|(at, _)| at / nodes != at % nodes);
    let least = others.map(|(_, &entry)| entry).fold(f32::INFINITY, f32::min);
    let cost = |(at, &entry): (usize, &f32)| {
        let is_free = at / nodes == at % nodes || (input.is_open() && at % nodes == 0);
        if is_free { 0.0 } else { entry - least }
    };
    let costs: Vec<f32> = distance.iter().enumerate().map(cost).collect();
    let mut shares = vec![1.0; nodes];
    shares.iter_mut().take(1).for_each(|first| *first = input.routes() as f32);
    let transport = Transport { nodes, costs: &costs, shares: &shares, coolness: COOLNESS };
    let mut surprise = transport.surprise_until(isa, stop)?;
    surprise.iter_mut().for_each(|one| *one = one.max(0.0).ln_1p());
    Some(surprise)
}

// Naively: nothing below shares code with what is above.

/// Sinkhorn's iterations on logarithms, 20 at each temperature, which falls by halves from the mean cost to a hundredth
/// of what an arc costs in the plan, 14 times at most.
pub(super) fn naive(ways: &Ways<'_>) -> Vec<f64> {
    let n = ways.nodes;
    let pairs: Vec<(usize, usize)> =
        (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|(i, j)| i != j).collect();
    let least = pairs.iter().map(|&(i, j)| ways.distance(i, j)).fold(f64::INFINITY, f64::min);
    let cost = |i: usize, j: usize| if ways.is_open && j == 0 { 0.0 } else { ways.distance(i, j) - least };
    let mean = pairs.iter().map(|&(i, j)| cost(i, j)).sum::<f64>() / pairs.len() as f64;
    if n < 2 || mean <= 0.0 {
        return vec![0.0; n * n];
    }
    let share = |node: usize| if node == 0 { ways.routes } else { 1.0 };
    let others = |node: usize| (0..n).filter(move |&other| other != node);
    let log_sum = |logs: Vec<f64>| logs.iter().map(|log| log.exp()).sum::<f64>().ln();
    let mut u: Vec<f64> =
        (0..n).map(|i| others(i).map(|j| cost(i, j)).fold(f64::INFINITY, f64::min)).collect();
    let mut v: Vec<f64> =
        (0..n).map(|j| others(j).map(|i| cost(i, j) - u[i]).fold(f64::INFINITY, f64::min)).collect();
    let mut temperature = mean;
    for halving in 0..=14 {
        let score = |i: usize, j: usize| (u[i] + v[j] - cost(i, j)) / temperature;
        let (mut f, mut g) = (vec![0.0; n], vec![0.0; n]);
        for _ in 0..20 {
            for i in 0..n {
                f[i] = share(i).ln() - log_sum(others(i).map(|j| score(i, j) + g[j]).collect());
            }
            for j in 0..n {
                g[j] = share(j).ln() - log_sum(others(j).map(|i| score(i, j) + f[i]).collect());
            }
        }
        let sent = |i: usize, j: usize| (score(i, j) + f[i] + g[j]).exp();
        let spent = pairs.iter().map(|&(i, j)| sent(i, j) * cost(i, j)).sum::<f64>()
            / pairs.iter().map(|&(i, j)| sent(i, j)).sum::<f64>();
        (0..n).for_each(|i| u[i] += temperature * f[i]);
        (0..n).for_each(|j| v[j] += temperature * g[j]);
        if temperature <= 0.01 * spent || halving == 14 {
            break;
        }
        temperature = (0.5 * temperature).max(0.01 * spent);
    }
    let of = |i: usize, j: usize| ((cost(i, j) - u[i] - v[j]) / temperature).max(0.0).ln_1p();
    let most = pairs.iter().map(|&(i, j)| of(i, j)).fold(0.0, f64::max);
    (0..n * n).map(|at| if at / n == at % n { most } else { of(at / n, at % n) }).collect()
}
