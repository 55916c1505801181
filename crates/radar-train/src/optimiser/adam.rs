//! Adam (Kingma and Ba, 2015) with L2 decay added to the gradient, as the paper trains.

use rayon::prelude::*;

use super::{Means, Optimiser, SHARE, Turn};
use crate::config;

/// Adam with coupled decay.
pub struct Adam {
    config: config::Optimiser,
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Adam {
    /// One for so many weights, without memories.
    pub fn new(config: &config::Optimiser, count: usize) -> Self {
        Self { config: *config, first: vec![0.0; count], second: vec![0.0; count] }
    }
}

impl Optimiser for Adam {
    fn step(&mut self, weights: &mut [f32], gradient: &[f32], turn: Turn) {
        let means = Means::at(&self.config, turn);
        let decay = self.config.weight_decay as f32;
        weights
            .par_iter_mut()
            .zip(gradient)
            .zip(self.first.par_iter_mut().zip(&mut self.second))
            .with_min_len(SHARE)
            .for_each(|((weight, &gradient), (first, second))| {
                *weight -= means.suggest(first, second, gradient + decay * *weight);
            });
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
    fn steps_are_those_by_hand() {
        let config =
            config::Optimiser { weight_decay: 0.5, betas: [0.9, 0.99], ..config::Optimiser::default() };
        let mut adam = Adam::new(&config, 1);
        let mut weight = [2.0_f32];
        // Gradient 3 + 0.5 * 2 = 4: both means made up for are 4 and 16, so the step is the rate.
        adam.step(&mut weight, &[3.0], Turn { step: 1, rate: 0.1 });
        assert!((weight[0] - 1.9).abs() < 1e-6, "{}", weight[0]);
        // Gradient 1 + 0.95 = 1.95; m = 0.9 * 0.4 + 0.1 * 1.95 = 0.555, over 1 - 0.81;
        // v = 0.99 * 0.16 + 0.01 * 1.95^2 = 0.196425, over 1 - 0.9801.
        adam.step(&mut weight, &[1.0], Turn { step: 2, rate: 0.1 });
        let wanted = 1.9 - 0.1 * (0.555 / 0.19) / (0.196_425_f64 / 0.0199).sqrt();
        assert!((f64::from(weight[0]) - wanted).abs() < 1e-6, "{} against {wanted}", weight[0]);
    }

    #[test]
    fn threads_change_nothing() {
        let count = 3 * SHARE + 17;
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| {
                let mut adam = Adam::new(&config::Optimiser::default(), count);
                let mut weights: Vec<f32> = (0..count).map(|at| (at % 97) as f32 * 0.01).collect();
                let gradient: Vec<f32> = (0..count).map(|at| (at % 31) as f32 - 15.0).collect();
                (1..4).for_each(|step| adam.step(&mut weights, &gradient, Turn { step, rate: 1e-3 }));
                weights
            })
        };
        assert_eq!(run(1), run(3));
    }
}
