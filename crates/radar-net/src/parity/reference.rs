//! The naive network as a subject.

use super::{Answer, Question, Subject};
use crate::config::{Config, Init, Scaling, Task};
use crate::reference::environment::{Seen, cost, routes, tour};
use crate::reference::{Case, Decoder, Step, encode, scale, svd};
use crate::weights::Weights;

/// The network of [`mod@crate::reference`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Reference;

impl Subject for Reference {
    fn features(&self, config: &Config, question: &Question<'_>) -> Result<Vec<f64>, String> {
        if config.init != Init::Svd || config.scaling != Scaling::ZScore {
            return Err("features are recomputed for svd and z-score only".to_owned());
        }
        let scaled = scale(config.scaling, &wide(question.distance));
        let pairs = svd::features(&scaled, question.nodes, config.rank);
        let demand = wide(question.demand);
        // Shares come from amounts over the capacity as well as from amounts: what is left of the
        // difference is the 1e-6, which is far below the tolerance.
        let total = demand.iter().sum::<f64>() + 1e-6;
        let shares = std::iter::once(0.0).chain(demand.iter().map(|amount| amount / total));
        let rows = pairs.chunks(2 * config.rank);
        Ok(match config.task {
            Task::Atsp => pairs,
            _ => rows.zip(shares).flat_map(|(row, share)| [row, &[share]].concat()).collect(),
        })
    }

    fn answer(&self, weights: &Weights, questions: &[Question<'_>]) -> Result<Vec<Answer>, String> {
        Ok(questions.iter().map(|question| answer(weights, question)).collect())
    }
}

fn answer(weights: &Weights, question: &Question<'_>) -> Answer {
    let config = weights.config();
    let (distance, demand) = (wide(question.distance), wide(question.demand));
    let case = Case::new(config, &distance, &distance, wide(question.features));
    let encoding = encode(weights, &case);
    let decoder = Decoder::new(weights, &case, encoding.output());
    let (mut probabilities, mut costs) = (Vec::new(), Vec::new());
    for &actions in &question.trajectories {
        let steps = match config.task {
            Task::Atsp => tour(question.nodes, actions),
            Task::Acvrp | Task::Vrp => routes(&demand, actions),
        };
        for Seen { feasible, context, current, home } in &steps {
            let step = Step { feasible, context, surprises: &[], current: *current, home: *home };
            probabilities.extend(decoder.probabilities(&step));
        }
        costs.push(cost(&distance, question.nodes, actions));
    }
    let named = encoding.named().into_iter().map(|(name, values)| (name, values.to_vec()));
    let rollout = [("rollout.step_probabilities", probabilities), ("rollout.cost", costs)];
    named.chain(rollout.map(|(name, values)| (name.to_owned(), values))).collect()
}

fn wide(values: &[f32]) -> Vec<f64> {
    values.iter().map(|&value| f64::from(value)).collect()
}
