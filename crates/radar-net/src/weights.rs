//! The numbers of a network, in one run: training walks over all of them, layers look theirs up by name.

use std::collections::BTreeMap;
use std::ops::Range;

use radar_kernel::random::Stream;

use crate::config::{Config, Initial, Parameter};

/// All parameters of one configuration, in the order of [`Config::parameters`].
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    config: Config,
    parameters: Vec<Parameter>,
    ranges: BTreeMap<String, Range<usize>>,
    values: Vec<f32>,
}

/// One parameter's shape and numbers, the last extent contiguous.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tensor<'a> {
    /// Extents.
    pub shape: &'a [usize],
    /// Entries.
    pub values: &'a [f32],
}

impl Weights {
    /// All zero: the shape of a gradient, or of weights about to be read.
    pub fn zeros(config: &Config) -> Self {
        Self::zeros_in(config, Vec::new())
    }

    /// The same in memory that has served before: large lists of fresh memory take longer to come than to fill.
    pub fn zeros_in(config: &Config, mut memory: Vec<f32>) -> Self {
        let parameters = config.parameters();
        let mut ranges = BTreeMap::new();
        let mut end = 0;
        for parameter in &parameters {
            let start = end;
            end += parameter.count();
            ranges.insert(parameter.name.clone(), start..end);
        }
        memory.clear();
        memory.resize(end, 0.0);
        Self { config: config.clone(), parameters, ranges, values: memory }
    }

    /// As training begins. Each parameter has a random stream of its own, so that adding one part to a
    /// network leaves the others as they were.
    pub fn random(config: &Config, seed: u64) -> Self {
        let mut weights = Self::zeros(config);
        let mut rest = weights.values.as_mut_slice();
        for parameter in &weights.parameters {
            let (values, after) = rest.split_at_mut(parameter.count());
            rest = after;
            match parameter.initial {
                Initial::Constant(value) => values.fill(value),
                Initial::Uniform(range) => {
                    let mut stream = Stream::new(seed, &parameter.name, 0);
                    values.fill_with(|| stream.uniform(-range, range) as f32);
                }
            }
        }
        weights
    }

    /// What they are the weights of.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The parameters in the order of the values.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// All numbers.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// All numbers, to be changed.
    pub fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }

    /// All numbers, taken out.
    pub fn into_values(self) -> Vec<f32> {
        self.values
    }

    /// How many numbers there are.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// Where the numbers of a parameter lie in [`Self::values`].
    pub fn range(&self, name: &str) -> Option<Range<usize>> {
        self.ranges.get(name).cloned()
    }

    /// A parameter by name.
    pub fn tensor(&self, name: &str) -> Option<Tensor<'_>> {
        let parameter = self.parameters.iter().find(|parameter| parameter.name == name)?;
        Some(Tensor { shape: &parameter.shape, values: &self.values[self.range(name)?] })
    }

    /// The numbers of a parameter that the configuration is known to have.
    ///
    /// # Panics
    /// When it has none of that name.
    pub fn of(&self, name: &str) -> &[f32] {
        match self.ranges.get(name) {
            Some(range) => &self.values[range.clone()],
            None => panic!("this configuration has no parameter `{name}`"),
        }
    }

    /// The numbers of a parameter, to be changed; `None` when there is none of that name.
    pub fn tensor_mut(&mut self, name: &str) -> Option<&mut [f32]> {
        let range = self.range(name)?;
        Some(&mut self.values[range])
    }

    /// The first parameter that holds something that is no finite number.
    pub fn first_not_finite(&self) -> Option<&str> {
        let bad = |parameter: &&Parameter| self.of(&parameter.name).iter().any(|value| !value.is_finite());
        self.parameters.iter().find(bad).map(|parameter| parameter.name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Term;

    #[test]
    fn values_follow_the_order_of_the_parameters() {
        let config = Config { terms: Term::ALL.to_vec(), ..Config::preset("small-acvrp").expect("a preset") };
        let weights = Weights::random(&config, 3);
        let mut end = 0;
        for parameter in config.parameters() {
            let range = weights.range(&parameter.name).expect("a parameter");
            assert_eq!(range, end..end + parameter.count());
            end = range.end;
            let tensor = weights.tensor(&parameter.name).expect("a parameter");
            assert_eq!(tensor.shape, parameter.shape);
            assert_eq!(tensor.values, &weights.values()[range]);
        }
        assert_eq!(end, weights.count());
        assert!(weights.tensor("decoder.Wq_1.weight").is_none());
    }

    #[test]
    fn random_values_fill_their_range() {
        let weights = Weights::random(&Config::preset("small-atsp").expect("a preset"), 1);
        let values = weights.of("encoder.layers.1.feed_forward.W1.weight");
        let range = 1.0 / 128_f32.sqrt();
        let largest = values.iter().fold(0_f32, |most, value| most.max(value.abs()));
        assert!(largest <= range && largest > 0.999 * range);
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        assert!(mean.abs() < 0.01 * range);
        assert!(
            weights.of("encoder.layers.1.add_n_normalization_1.norm.weight").iter().all(|&one| one == 1.0)
        );
        assert_eq!(weights.first_not_finite(), None);
    }

    #[test]
    fn a_seed_is_a_network_and_parts_do_not_disturb_each_other() {
        let plain = Config::preset("small-atsp").expect("a preset");
        let with_terms = Config { terms: vec![Term::Edge], layers: 6, ..plain.clone() };
        let (a, b) = (Weights::random(&plain, 7), Weights::random(&with_terms, 7));
        assert_eq!(a, Weights::random(&plain, 7));
        assert_ne!(a, Weights::random(&plain, 8));
        assert_eq!(a.of("decoder.Wk.weight"), b.of("decoder.Wk.weight"));
        assert_ne!(a.of("decoder.Wk.weight"), a.of("decoder.Wv.weight"));
    }
}
