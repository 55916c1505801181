//! Scaling of a matrix before the network sees it.

use crate::config::Scaling;

/// The matrix (N, N), scaled over all its entries, the diagonal included.
pub fn scale(scaling: Scaling, matrix: &[f64]) -> Vec<f64> {
    let (shift, divisor) = (scaling.part().naive)(matrix);
    matrix.iter().map(|entry| (entry - shift) / divisor).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn z_scores_have_mean_zero_and_deviation_one() {
        let scaled = scale(Scaling::ZScore, &[0.0, 3.0, 5.0, 0.0]);
        assert!(scaled.iter().sum::<f64>().abs() < 1e-12);
        assert!((scaled.iter().map(|entry| entry * entry).sum::<f64>() / 3.0 - 1.0).abs() < 1e-8);
    }

    #[test]
    fn degenerate_matrices_scale_to_zero() {
        for scaling in [Scaling::ZScore, Scaling::MinMax] {
            assert_eq!(scale(scaling, &[0.0]), [0.0]);
            assert_eq!(scale(scaling, &[0.0; 9]), [0.0; 9]);
        }
    }

    #[test]
    fn min_max_reaches_both_ends_and_none_changes_nothing() {
        let scaled = scale(Scaling::MinMax, &[0.0, 3.0, 5.0, 0.0]);
        assert!(scaled[0] == 0.0 && (scaled[2] - 1.0).abs() < 1e-8 && (scaled[1] - 0.6).abs() < 1e-8);
        assert_eq!(scale(Scaling::None, &[0.0, 3.0, 5.0, 0.0]), [0.0, 3.0, 5.0, 0.0]);
    }
}
