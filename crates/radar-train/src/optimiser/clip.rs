//! Shortening gradients that are too long.

use rayon::prelude::*;

use super::SHARE;

/// The length of a gradient. Summed in shares of a fixed size, so that threads change nothing.
pub fn norm(gradient: &[f32]) -> f64 {
    let sum = |share: &[f32]| share.iter().map(|&value| f64::from(value) * f64::from(value)).sum::<f64>();
    let sums: Vec<f64> = gradient.par_chunks(SHARE).map(sum).collect();
    sums.iter().sum::<f64>().sqrt()
}

/// Shortens a gradient to the given length if it is longer; its length before.
pub fn clip(gradient: &mut [f32], most: Option<f64>) -> f64 {
    let length = norm(gradient);
    if let Some(most) = most.filter(|&most| length > most) {
        let factor = (most / length) as f32;
        gradient.par_iter_mut().with_min_len(SHARE).for_each(|value| *value *= factor);
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_gradients_are_shortened() {
        let mut gradient = [3.0, 4.0];
        assert_eq!(clip(&mut gradient, None), 5.0);
        assert_eq!(clip(&mut gradient, Some(5.0)), 5.0);
        assert_eq!(gradient, [3.0, 4.0]);
        assert_eq!(clip(&mut gradient, Some(1.0)), 5.0);
        assert!((gradient[0] - 0.6).abs() < 1e-6 && (gradient[1] - 0.8).abs() < 1e-6);
    }
}
