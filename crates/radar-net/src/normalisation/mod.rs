//! How scores become weights of attention.
//!
//! A new normalisation is a file here and a line in the table; its fast form is one of the kernels'.

use radar_kernel::attention::Normalisation as Kernel;

use crate::config::Config;
use crate::family::family;

family! {
    /// How scores become weights of attention.
    Normalisation {
        /// Rows and columns in turn.
        Sinkhorn = "sinkhorn" in sinkhorn,
        /// Rows alone.
        Softmax = "softmax" in softmax,
    }
}

/// What a normalisation is.
pub(crate) struct Part {
    /// It in the kernels' words.
    pub kernel: fn(&Config) -> Kernel,
    /// It in a card's words.
    pub words: fn(&Config) -> String,
    /// Scores (N, N) of N nodes to weights (N, N), in f64.
    pub naive: fn(&Config, &[f64], usize) -> Vec<f64>,
}

#[cfg(test)]
mod tests {
    use radar_kernel::random::Stream;

    use super::Normalisation;
    use crate::config::{Config, Ends};

    fn softmax(scores: &[f64], nodes: usize) -> Vec<f64> {
        (Normalisation::Softmax.part().naive)(&Config::default(), scores, nodes)
    }

    fn sinkhorn(scores: &[f64], nodes: usize, sinkhorn_iterations: usize, ends_on: Ends) -> Vec<f64> {
        let config = Config { sinkhorn_iterations, ends_on, ..Config::default() };
        (Normalisation::Sinkhorn.part().naive)(&config, scores, nodes)
    }

    fn scores(nodes: usize, spread: f64) -> Vec<f64> {
        let mut stream = Stream::new(5, "scores", 0);
        (0..nodes * nodes).map(|_| spread * stream.normal()).collect()
    }

    fn sums(weights: &[f64], nodes: usize) -> (Vec<f64>, Vec<f64>) {
        let rows = weights.chunks(nodes).map(|row| row.iter().sum()).collect();
        let columns = (0..nodes).map(|column| weights.iter().skip(column).step_by(nodes).sum()).collect();
        (rows, columns)
    }

    fn worst(sums: &[f64]) -> f64 {
        sums.iter().map(|sum| (sum - 1.0).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn the_last_marginal_is_exact_and_the_other_converges() {
        for spread in [0.5, 2.0, 30.0] {
            let scores = scores(7, spread);
            let (rows, columns) = sums(&sinkhorn(&scores, 7, 2, Ends::Columns), 7);
            assert!(worst(&columns) < 1e-12 && worst(&rows) > 1e-6);
            let (rows, columns) = sums(&sinkhorn(&scores, 7, 2, Ends::Rows), 7);
            assert!(worst(&rows) < 1e-12 && worst(&columns) > 1e-6);
        }
        let (rows, _) = sums(&sinkhorn(&scores(7, 1.0), 7, 500, Ends::Columns), 7);
        assert!(worst(&rows) < 1e-9);
    }

    #[test]
    fn the_ends_are_each_others_transpose() {
        let scores = scores(5, 2.0);
        let back = |matrix: &[f64]| (0..25).map(|at| matrix[at % 5 * 5 + at / 5]).collect::<Vec<f64>>();
        let (one, other) =
            (sinkhorn(&scores, 5, 3, Ends::Columns), sinkhorn(&back(&scores), 5, 3, Ends::Rows));
        assert!(one.iter().zip(back(&other)).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn a_shift_of_a_row_changes_nothing() {
        let plain = scores(6, 1.0);
        let mut shifted = plain.clone();
        shifted[6..12].iter_mut().for_each(|score| *score += 800.0);
        for (a, b) in [
            (softmax(&plain, 6), softmax(&shifted, 6)),
            (sinkhorn(&plain, 6, 10, Ends::Columns), sinkhorn(&shifted, 6, 10, Ends::Columns)),
        ] {
            assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-11));
        }
    }
}
