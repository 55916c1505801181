//! The asymmetry study: Euclidean distances, each direction multiplied by a normal factor of its own.

use radar_kernel::random::Stream;
use radar_problem::Table;

use crate::ground::{Ground, Measure};

const MILLION: f64 = 1e6;

/// Points uniform in the unit square, on a grid of millionths; entries are the distances times
/// independent N(1, sigma²) factors, rounded to six decimals. Negative entries (chance 0.0004 at
/// sigma = 0.3) are set to 0 and counted. The triangle inequality is not restored.
pub(crate) fn ground(nodes: usize, sigma: f64, seed: u64, index: u64) -> Ground {
    let mut places = Stream::new(seed, "asymmetry points", index);
    let mut coordinate = || places.below(MILLION as u64) as f64 / MILLION;
    let points: Vec<[f64; 2]> = (0..nodes).map(|_| [coordinate(), coordinate()]).collect();
    let mut factors = Stream::new(seed, "asymmetry factors", index);
    let mut clamped = 0;
    let mut values = vec![0.0; nodes * nodes];
    for (at, value) in values.iter_mut().enumerate() {
        let (from, to) = (at / nodes, at % nodes);
        if from == to {
            continue;
        }
        let [across, along] = [0, 1].map(|axis| points[from][axis] - points[to][axis]);
        let length = (across * across + along * along).sqrt() * (1.0 + sigma * factors.normal());
        if length < 0.0 {
            clamped += 1;
        } else {
            *value = (length * MILLION).round() / MILLION;
        }
    }
    let distance = Table::from_values(nodes, nodes, values);
    Ground { points: Some(points), clamped, ..Ground::new(distance, Measure::Largest) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factors(sigma: f64) -> (Vec<f64>, usize, usize) {
        let (mut factors, mut clamped, mut zeros) = (Vec::new(), 0, 0);
        for index in 0..20 {
            let ground = ground(60, sigma, 9, index);
            let points = ground.points.expect("points are kept");
            clamped += ground.clamped;
            for from in 0..60 {
                for to in (0..60).filter(|&to| to != from) {
                    let length = (points[from][0] - points[to][0]).hypot(points[from][1] - points[to][1]);
                    let stated = ground.distance.at(from, to);
                    zeros += usize::from(stated == 0.0 && length > 1e-3);
                    factors.push(if length > 1e-3 { stated / length } else { 1.0 });
                }
            }
        }
        (factors, clamped, zeros)
    }

    #[test]
    fn factors_have_the_stated_moments() {
        for sigma in [0.1, 0.3] {
            let (factors, ..) = factors(sigma);
            let mean = factors.iter().sum::<f64>() / factors.len() as f64;
            let spread =
                factors.iter().map(|factor| (factor - mean).powi(2)).sum::<f64>() / factors.len() as f64;
            assert!((mean - 1.0).abs() < 0.01, "{mean}");
            assert!((spread.sqrt() - sigma).abs() < 0.01, "{spread}");
        }
    }

    #[test]
    fn negative_factors_are_clamped_and_counted() {
        let (_, clamped, zeros) = factors(0.3);
        assert_eq!(clamped, zeros);
        // 70,800 factors with a chance of 0.00043 each.
        assert!((10..60).contains(&clamped), "{clamped}");
        assert_eq!(factors(0.1).1, 0);
    }

    #[test]
    fn without_noise_it_is_the_plane() {
        let ground = ground(30, 0.0, 1, 0);
        for from in 0..30 {
            for to in 0..30 {
                assert_eq!(ground.distance.at(from, to), ground.distance.at(to, from));
            }
        }
    }
}
