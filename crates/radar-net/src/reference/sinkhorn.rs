//! Scores to weights: by rows alone, or by rows and columns in turn, in the domain of logarithms.

use crate::config::Ends;

/// Each row of the scores (N, N) to positive numbers that sum to 1.
pub fn softmax(scores: &[f64], nodes: usize) -> Vec<f64> {
    let mut logs = scores.to_vec();
    rows(&mut logs, nodes);
    logs.iter().map(|log| log.exp()).collect()
}

/// Rows and columns of the scores (N, N) normalised in turn; the kind that comes last sums to 1 exactly.
pub fn sinkhorn(scores: &[f64], nodes: usize, iterations: usize, ends: Ends) -> Vec<f64> {
    let mut logs = scores.to_vec();
    for _ in 0..iterations {
        match ends {
            Ends::Columns => {
                rows(&mut logs, nodes);
                columns(&mut logs, nodes);
            }
            Ends::Rows => {
                columns(&mut logs, nodes);
                rows(&mut logs, nodes);
            }
        }
    }
    logs.iter().map(|log| log.exp()).collect()
}

fn rows(logs: &mut [f64], nodes: usize) {
    for row in logs.chunks_mut(nodes) {
        let total = log_sum_exp(row.iter().copied());
        row.iter_mut().for_each(|log| *log -= total);
    }
}

fn columns(logs: &mut [f64], nodes: usize) {
    for column in 0..nodes {
        let total = log_sum_exp(logs.iter().copied().skip(column).step_by(nodes));
        logs.iter_mut().skip(column).step_by(nodes).for_each(|log| *log -= total);
    }
}

fn log_sum_exp(logs: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    most + logs.map(|log| (log - most).exp()).sum::<f64>().ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use radar_kernel::random::Stream;

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
