//! AdamW (Loshchilov and Hutter, 2019): decay is taken off the weights, not put on the gradients.

use rayon::prelude::*;

use super::{Means, Optimiser, SHARE, Turn};
use crate::config;

/// Adam with decoupled decay.
pub struct AdamW {
    config: config::Optimiser,
    first: Vec<f32>,
    second: Vec<f32>,
}

impl AdamW {
    /// One for so many weights, without memories.
    pub fn new(config: &config::Optimiser, count: usize) -> Self {
        Self { config: *config, first: vec![0.0; count], second: vec![0.0; count] }
    }
}

/// One step on weights that lie together.
pub(super) fn step(
    config: &config::Optimiser,
    turn: Turn,
    weights: &mut [f32],
    gradient: &[f32],
    first: &mut [f32],
    second: &mut [f32],
) {
    let means = Means::at(config, turn);
    let kept = (1.0 - turn.rate * config.weight_decay) as f32;
    weights.par_iter_mut().zip(gradient).zip(first.par_iter_mut().zip(second)).with_min_len(SHARE).for_each(
        |((weight, &gradient), (first, second))| {
            *weight = kept * *weight - means.suggest(first, second, gradient);
        },
    );
}

impl Optimiser for AdamW {
    fn step(&mut self, weights: &mut [f32], gradient: &[f32], turn: Turn) {
        step(&self.config, turn, weights, gradient, &mut self.first, &mut self.second);
    }

    fn memory(&self) -> Vec<(&'static str, &[f32])> {
        vec![("first", &self.first), ("second", &self.second)]
    }

    fn memory_mut(&mut self) -> Vec<(&'static str, &mut [f32])> {
        vec![("first", &mut self.first), ("second", &mut self.second)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decay_does_not_pass_through_the_means() {
        let config = config::Optimiser { weight_decay: 0.5, ..config::Optimiser::default() };
        let mut adamw = AdamW::new(&config, 2);
        let mut weights = [2.0_f32, -4.0];
        adamw.step(&mut weights, &[3.0, 0.0], Turn { step: 1, rate: 0.1 });
        // 2 (1 - 0.05) - 0.1, and decay alone where the gradient is 0.
        assert!((weights[0] - 1.8).abs() < 1e-6 && (weights[1] + 3.8).abs() < 1e-6, "{weights:?}");
    }
}
