//! The network on fused kernels as a subject.

use radar_kernel::isa::Isa;
use radar_kernel::product::View;
use radar_kernel::svd::{Triplets, exact};

use super::{Answer, Question, Subject};
use crate::config::{Config, Init, Scaling, Task};
use crate::input::Input;
use crate::network::{Choices, Network, Step, Use};
use crate::reference::environment::{Seen, cost, forced, routes, tour};
use crate::reference::scale;
use crate::weights::Weights;

/// The network of [`mod@crate::network`] on an instruction set.
#[derive(Clone, Copy, Debug)]
pub struct Fast(pub Isa);

impl Subject for Fast {
    fn features(&self, config: &Config, question: &Question<'_>) -> Result<Vec<f64>, String> {
        if config.init != Init::Svd || config.scaling != Scaling::ZScore {
            return Err("features are recomputed for svd and z-score only".to_owned());
        }
        let (nodes, rank) = (question.nodes, config.rank);
        let scaled: Vec<f32> =
            scale(config.scaling, &wide(question.distance)).into_iter().map(|entry| entry as f32).collect();
        let Triplets { u, s, v } = exact(self.0, View::new(&scaled, nodes, nodes), rank);
        let total = question.demand.iter().map(|&amount| f64::from(amount)).sum::<f64>() + 1e-6;
        let mut features = Vec::new();
        for node in 0..nodes {
            for half in [&u, &v] {
                let row = &half[node * rank..(node + 1) * rank];
                features.extend(row.iter().zip(&s).map(|(entry, value)| f64::from(entry * value.sqrt())));
            }
            if config.task != Task::Atsp {
                let amount = node.checked_sub(1).map_or(0.0, |stop| f64::from(question.demand[stop]));
                features.push(amount / total);
            }
        }
        Ok(features)
    }

    fn answer(&self, weights: &Weights, questions: &[Question<'_>]) -> Result<Vec<Answer>, String> {
        let network = Network::new(weights.clone(), self.0, Use::Inference);
        Ok(questions.iter().map(|question| answer(&network, question)).collect())
    }
}

/// The input as the case gives it.
pub(super) fn input_of(config: &Config, question: &Question<'_>) -> Input {
    let scaled = scale(config.scaling, &wide(question.distance));
    Input::raw(scaled.into_iter().map(|entry| entry as f32).collect(), question.features.to_vec())
}

/// All decided steps of one trajectory as the rows of one step: the actions are known.
pub(super) struct Rows {
    current: Vec<usize>,
    home: Vec<usize>,
    context: Vec<f32>,
    open: Vec<u64>,
    pub chosen: Vec<usize>,
}

impl Rows {
    pub fn of(config: &Config, question: &Question<'_>, actions: &[usize]) -> Self {
        let steps = match config.task {
            Task::Atsp => tour(question.nodes, actions),
            Task::Acvrp | Task::Vrp => routes(&wide(question.demand), actions),
        };
        let word = |may: &[bool]| may.iter().rev().fold(0, |word, &may| word << 1 | u64::from(may));
        let numbers = |seen: &Seen| seen.context.iter().map(|&number| number as f32).collect::<Vec<f32>>();
        Self {
            current: steps.iter().map(|seen| seen.current).collect(),
            home: steps.iter().map(|seen| seen.home).collect(),
            context: steps.iter().flat_map(numbers).collect(),
            open: steps.iter().flat_map(|seen| seen.feasible.chunks(64).map(word)).collect(),
            chosen: actions[forced(config.task)..].to_vec(),
        }
    }

    pub fn step(&self) -> Step<'_> {
        Step {
            current: &self.current,
            home: &self.home,
            context: &self.context,
            surprises: &[],
            open: &self.open,
        }
    }
}

fn answer(network: &Network, question: &Question<'_>) -> Answer {
    let config = network.weights().config();
    let input = input_of(config, question);
    let encoding = network.encode_showing(&input);
    let tables = network.tables(&input, encoding.nodes);
    let distance = wide(question.distance);
    let (mut probabilities, mut costs) = (Vec::new(), Vec::new());
    let mut choices = Choices::default();
    for &actions in &question.trajectories {
        let rows = Rows::of(config, question, actions);
        tables.choose(&rows.step(), config.clip as f32, &mut choices);
        (0..rows.chosen.len()).for_each(|row| probabilities.extend(wide(choices.probabilities(row))));
        costs.push(cost(&distance, question.nodes, actions));
    }
    let mut answer = Answer::new();
    for (at, values) in encoding.way.iter().enumerate() {
        let name = match (at, (at + 1) % 2) {
            (0, _) => "act.embedding".to_owned(),
            (at, 0) => format!("act.encoder.{}.attention", (at - 1) / 2),
            (at, _) => format!("act.encoder.{}", (at - 1) / 2),
        };
        answer.insert(name, wide(values));
    }
    answer.insert("rollout.step_probabilities".to_owned(), probabilities);
    answer.insert("rollout.cost".to_owned(), costs);
    answer
}

fn wide(values: &[f32]) -> Vec<f64> {
    values.iter().map(|&value| f64::from(value)).collect()
}
