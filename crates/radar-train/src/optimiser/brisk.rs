//! Longer steps for single numbers. What an optimiser of Adam's kind changes in a step is about the rate, whatever the
//! weight is: of a matrix thousands of entries move together, but the weight of a term moves alone and would need
//! thousands of steps to get anywhere.

use std::ops::Range;

use radar_net::Parameter;

use super::{Optimiser, Turn};

/// An optimiser that lets the weights of terms go some times as far.
pub struct Brisk {
    inner: Box<dyn Optimiser>,
    terms: Vec<Range<usize>>,
    pace: f32,
}

impl Brisk {
    /// `inner`, whose steps on terms are made `pace` times as long.
    pub fn new(inner: Box<dyn Optimiser>, parameters: &[Parameter], pace: f64) -> Self {
        let (mut terms, mut end) = (Vec::new(), 0);
        for parameter in parameters {
            let place = end..end + parameter.count();
            end = place.end;
            if parameter.name.starts_with("decoder.terms.") {
                terms.push(place);
            }
        }
        Self { inner, terms, pace: pace as f32 }
    }
}

impl Optimiser for Brisk {
    fn step(&mut self, weights: &mut [f32], gradient: &[f32], turn: Turn) {
        let before: Vec<f32> = self.terms.iter().flat_map(|term| &weights[term.clone()]).copied().collect();
        self.inner.step(weights, gradient, turn);
        let places = self.terms.iter().flat_map(|term| term.clone());
        for (place, before) in places.zip(before) {
            weights[place] = before + self.pace * (weights[place] - before);
        }
    }

    fn memory(&self) -> Vec<(&'static str, &[f32])> {
        self.inner.memory()
    }

    fn memory_mut(&mut self) -> Vec<(&'static str, &mut [f32])> {
        self.inner.memory_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config;
    use crate::optimiser::build;
    use radar_kernel::isa::Isa;
    use radar_net::{Config, Weights};

    #[test]
    fn terms_go_further_and_nothing_else_does() {
        let network = Config { width: 16, heads: 2, layers: 1, ..Config::preset("small-vrp").expect("ours") };
        let network = Config { terms: vec!["edge".parse().expect("a term")], ..network };
        let weights = Weights::random(&network, 1);
        let gradient: Vec<f32> = (0..weights.values().len()).map(|at| (at % 7) as f32 - 3.5).collect();
        let stepped = |terms: f64| {
            let config = config::Optimiser { terms, weight_decay: 0.0, ..config::Optimiser::default() };
            let mut optimiser = build(&config, weights.parameters(), Isa::Portable);
            let mut values = weights.values().to_vec();
            optimiser.step(&mut values, &gradient, Turn { step: 1, rate: 1e-3 });
            values
        };
        let (usual, brisk) = (stepped(1.0), stepped(10.0));
        let mut end = 0;
        for parameter in weights.parameters() {
            for place in end..end + parameter.count() {
                let [usual, brisk] = [&usual, &brisk].map(|values| values[place] - weights.values()[place]);
                let pace = if parameter.name.starts_with("decoder.terms.") { 10.0 } else { 1.0 };
                assert!((brisk - pace * usual).abs() < 1e-6, "{}", parameter.name);
            }
            end += parameter.count();
        }
    }
}
