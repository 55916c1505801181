//! The decoder: from the encoder's output and the state of a route to a probability for every node.

use super::Case;
use super::linear::{dot, linear};
use crate::config::Task;
use crate::weights::Weights;

/// The state of one route at one step, as the decoder sees it. Who made the mask is no concern of it.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Which nodes may come next (N).
    pub feasible: &'a [bool],
    /// Numbers about the route so far ([`crate::Config::context`]).
    pub context: &'a [f64],
    /// How surprising every node is to the vehicle (N), or nothing.
    pub surprises: &'a [f64],
    /// Where the vehicle is.
    pub current: usize,
    /// Where it will end: a tour's first node, the depot.
    pub home: usize,
}

/// What is computed once per instance.
pub struct Decoder<'a> {
    weights: &'a Weights,
    case: &'a Case,
    h: &'a [f64],
    keys: Vec<f64>,
    values: Vec<f64>,
}

impl<'a> Decoder<'a> {
    /// For an instance and its encoding `h` (N, d).
    pub fn new(weights: &'a Weights, case: &'a Case, h: &'a [f64]) -> Self {
        let width = weights.config().width;
        let (keys, values) =
            (linear(weights, "decoder.Wk", h, width), linear(weights, "decoder.Wv", h, width));
        Self { weights, case, h, keys, values }
    }

    /// The probability of each node (N); all 0 when none is feasible.
    pub fn probabilities(&self, step: &Step<'_>) -> Vec<f64> {
        let config = self.weights.config();
        let width = config.width;
        let glimpse = self.glimpse(&self.query(step), step.feasible);
        let logit = |node: usize| {
            let affinity = dot(&glimpse, self.row(self.h, node)) / (width as f64).sqrt();
            config.clip * (affinity - self.terms(step, node)).tanh()
        };
        masked_softmax((0..self.case.nodes).map(logit), step.feasible)
    }

    /// The query (d): where the vehicle is and what is left; on tours also where it began.
    fn query(&self, step: &Step<'_>) -> Vec<f64> {
        let config = self.weights.config();
        let input = [self.row(self.h, step.current), step.context].concat();
        let query = linear(self.weights, "decoder.Wq_0", &input, config.width + config.context());
        match config.task {
            Task::Atsp => {
                let first = linear(self.weights, "decoder.Wq_1", self.row(self.h, step.home), config.width);
                super::linear::sum(&query, &first)
            }
            Task::Acvrp | Task::Vrp => query,
        }
    }

    /// Attention of the query over the feasible nodes, and its output map (d).
    fn glimpse(&self, query: &[f64], feasible: &[bool]) -> Vec<f64> {
        let config = self.weights.config();
        let (width, size) = (config.width, config.head_width());
        let mut heads = vec![0.0; width];
        for head in 0..config.heads {
            let slice = head * size..(head + 1) * size;
            let score = |node: usize| {
                let key = &self.row(&self.keys, node)[slice.clone()];
                dot(&query[slice.clone()], key) / (size as f64).sqrt()
            };
            let shares = masked_softmax((0..self.case.nodes).map(score), feasible);
            for (node, share) in shares.into_iter().enumerate() {
                for at in slice.clone() {
                    heads[at] += share * self.row(&self.values, node)[at];
                }
            }
        }
        linear(self.weights, "decoder.multi_head_combine", &heads, width)
    }

    /// What the configured terms take off the score of a node.
    fn terms(&self, step: &Step<'_>, node: usize) -> f64 {
        let mut total = 0.0;
        for term in &self.weights.config().terms {
            let amount = (term.part().naive)(self.case, step, node);
            let mut weight = f64::from(self.weights.of(&format!("decoder.terms.{term}"))[0]);
            for (at, number) in step.context.iter().enumerate() {
                weight += f64::from(self.weights.of(&format!("decoder.terms.{term}.context"))[at]) * number;
            }
            total += weight * amount;
        }
        total
    }

    fn row<'b>(&self, matrix: &'b [f64], node: usize) -> &'b [f64] {
        let width = self.weights.config().width;
        &matrix[node * width..(node + 1) * width]
    }
}

fn masked_softmax(scores: impl Iterator<Item = f64>, feasible: &[bool]) -> Vec<f64> {
    let scores = scores.zip(feasible).map(|(score, &may)| if may { score } else { f64::NEG_INFINITY });
    let scores: Vec<f64> = scores.collect();
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weight = |score: &f64| if score.is_finite() { (score - most).exp() } else { 0.0 };
    let total: f64 = scores.iter().map(weight).sum();
    scores.iter().map(|score| if total > 0.0 { weight(score) / total } else { 0.0 }).collect()
}
