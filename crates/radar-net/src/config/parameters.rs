//! The one list of what a network learns: names as in the public checkpoints, shapes, initial values.
//!
//! Linear maps are stored (out, in).

use super::{Config, Task};
use crate::term::{context_name, weight_name};

/// How a parameter is filled before training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Initial {
    /// Uniform between minus and plus this.
    Uniform(f64),
    /// All entries alike.
    Constant(f32),
}

/// A tensor that is learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name in files.
    pub name: String,
    /// Its extents, the last one contiguous.
    pub shape: Vec<usize>,
    /// How it is filled before training.
    pub initial: Initial,
}

impl Parameter {
    /// How many numbers it holds.
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }
}

impl Config {
    /// Every parameter, in the order in which [`crate::Weights`] holds them.
    pub fn parameters(&self) -> Vec<Parameter> {
        let mut list = List(Vec::new());
        let width = self.width;
        if self.columns() > 0 {
            list.linear("projection", width, self.columns(), true);
        }
        if let Some(columns) = self.depot_columns() {
            list.linear("depot_projection", width, columns, true);
        }
        for layer in 0..self.layers {
            self.block(&format!("encoder.layers.{layer}"), &mut list);
        }
        list.linear("decoder.Wq_0", width, width + self.context(), false);
        if self.task == Task::Atsp {
            list.linear("decoder.Wq_1", width, width, false);
        }
        list.linear("decoder.Wk", width, width, false);
        list.linear("decoder.Wv", width, width, false);
        list.linear("decoder.multi_head_combine", width, width, true);
        for &term in &self.terms {
            list.add(weight_name(term), vec![1], Initial::Constant(term.part().initial));
            if self.context() > 0 {
                list.add(context_name(term), vec![self.context()], Initial::Constant(0.0));
            }
        }
        list.0
    }

    fn block(&self, name: &str, list: &mut List) {
        let (width, heads, inner) = (self.width, self.heads, self.mix_hidden);
        list.linear(&format!("{name}.Wq"), width, width, true);
        list.linear(&format!("{name}.Wk"), width, width, true);
        list.linear(&format!("{name}.Wv"), width, width, false);

        let inputs = 1 + self.mix.len();
        let (first, second) = self.mix_ranges();
        let mix = format!("{name}.mixed_score_MHA");
        list.add(format!("{mix}.mix1_weight"), vec![heads, inputs, inner], Initial::Uniform(first));
        list.add(format!("{mix}.mix1_bias"), vec![heads, inner], Initial::Uniform(first));
        list.add(format!("{mix}.mix2_weight"), vec![heads, inner, 1], Initial::Uniform(second));
        list.add(format!("{mix}.mix2_bias"), vec![heads, 1], Initial::Uniform(second));

        list.linear(&format!("{name}.multi_head_combine"), width, width, true);
        list.norm(&format!("{name}.add_n_normalization_1.norm"), width);
        list.linear(&format!("{name}.feed_forward.W1"), self.hidden, width, true);
        list.linear(&format!("{name}.feed_forward.W2"), width, self.hidden, true);
        list.norm(&format!("{name}.add_n_normalization_2.norm"), width);
    }

    /// The public code starts its ATSP mixing at sqrt(3 / inputs) of each layer (1 and sqrt(3/16) at the
    /// paper's sizes), and every other one at MatNet's sqrt(1/2) and sqrt(1 / inputs) (1/4).
    fn mix_ranges(&self) -> (f64, f64) {
        let (inputs, inner) = (1.0 + self.mix.len() as f64, self.mix_hidden as f64);
        match self.task {
            Task::Atsp => ((3.0 / inputs).sqrt(), (3.0 / inner).sqrt()),
            Task::Acvrp | Task::Vrp => (0.5_f64.sqrt(), (1.0 / inner).sqrt()),
        }
    }
}

struct List(Vec<Parameter>);

impl List {
    fn add(&mut self, name: String, shape: Vec<usize>, initial: Initial) {
        self.0.push(Parameter { name, shape, initial });
    }

    /// PyTorch's default: weights and biases within one over the root of the inputs.
    fn linear(&mut self, name: &str, out: usize, inputs: usize, bias: bool) {
        let initial = Initial::Uniform(1.0 / (inputs as f64).sqrt());
        self.add(format!("{name}.weight"), vec![out, inputs], initial);
        if bias {
            self.add(format!("{name}.bias"), vec![out], initial);
        }
    }

    fn norm(&mut self, name: &str, width: usize) {
        self.add(format!("{name}.weight"), vec![width], Initial::Constant(1.0));
        self.add(format!("{name}.bias"), vec![width], Initial::Constant(0.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Init, Mix, Term};

    fn count(config: &Config) -> usize {
        config.parameters().iter().map(Parameter::count).sum()
    }

    fn named(config: &Config, name: &str) -> Parameter {
        config.parameters().into_iter().find(|parameter| parameter.name == name).expect("it is there")
    }

    #[test]
    fn counts_are_the_papers() {
        assert_eq!(count(&Config::preset("paper-atsp").expect("a preset")), 2_970_792);
        assert_eq!(count(&Config::preset("paper-acvrp").expect("a preset")), 2_905_768);
    }

    #[test]
    fn mixing_starts_as_the_public_code_does() {
        let mix = |preset: &str, part: &str| {
            let name = format!("encoder.layers.0.mixed_score_MHA.{part}");
            named(&Config::preset(preset).expect("a preset"), &name).initial
        };
        let close = |initial: Initial, wanted: f64| match initial {
            Initial::Uniform(range) => (range - wanted).abs() < 1e-12,
            Initial::Constant(_) => false,
        };
        assert!(close(mix("paper-atsp", "mix1_bias"), 1.0));
        assert!(close(mix("paper-atsp", "mix2_weight"), (3.0_f64 / 16.0).sqrt()));
        assert!(close(mix("paper-acvrp", "mix1_weight"), 0.5_f64.sqrt()));
        assert!(close(mix("vrp", "mix2_bias"), 0.25));
    }

    #[test]
    fn parts_bring_their_parameters() {
        let has = |config: &Config, name: &str| config.parameters().iter().any(|one| one.name == name);
        let one_hot = Config { init: Init::OneHot, ..Config::default() };
        assert!(!has(&one_hot, "projection.weight"));
        assert!(!has(&one_hot, "depot_projection.weight"));
        let vrp = Config {
            mix: Mix::ALL.to_vec(),
            terms: Term::ALL.to_vec(),
            ..Config::preset("vrp").expect("a preset")
        };
        assert_eq!(named(&vrp, "projection.weight").shape, [256, 30]);
        assert_eq!(named(&vrp, "depot_projection.weight").shape, [256, 30]);
        assert_eq!(named(&vrp, "decoder.Wq_0.weight").shape, [256, 269]);
        assert_eq!(
            named(&vrp, "encoder.layers.4.mixed_score_MHA.mix1_weight").shape,
            [8, 1 + Mix::ALL.len(), 16]
        );
        assert_eq!(named(&vrp, "decoder.terms.edge").initial, Initial::Constant(1.0));
        assert_eq!(named(&vrp, "decoder.terms.ahead").initial, Initial::Constant(0.0));
        assert!(!has(&vrp, "decoder.Wq_1.weight"));
        let nearest = Config { init: Init::Nearest, neighbours: 7, ..Config::default() };
        assert_eq!(named(&nearest, "projection.weight").shape, [256, 14]);
    }
}
