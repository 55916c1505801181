//! The running mean of the weights, which is often better than any of them.

use rayon::prelude::*;

use super::SHARE;

/// A running mean that forgets the beginning quickly.
pub struct Average {
    decay: f64,
    values: Vec<f32>,
}

impl Average {
    /// Begins at the given weights.
    pub fn new(decay: f64, weights: &[f32]) -> Self {
        Self { decay, values: weights.to_vec() }
    }

    /// Takes in the weights after a step (from 1).
    pub fn take(&mut self, weights: &[f32], step: u64) {
        // Early weights are poor: the mean reaches no further back than a tenth of the run so far.
        let step = step as f64;
        let decay = self.decay.min((1.0 + step) / (10.0 + step));
        let fresh = (1.0 - decay) as f32;
        let values = self.values.par_iter_mut().zip(weights).with_min_len(SHARE);
        values.for_each(|(mean, &weight)| *mean += fresh * (weight - *mean));
    }

    /// The mean.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The mean, to be filled with what was saved.
    pub fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_follows_slowly() {
        let mut average = Average::new(0.5, &[0.0]);
        average.take(&[11.0], 1); // 1 - 2/11
        assert!((average.values()[0] - 9.0).abs() < 1e-6);
        average.take(&[1.0], 1000); // 1 - 0.5
        assert!((average.values()[0] - 5.0).abs() < 1e-6);
    }
}
