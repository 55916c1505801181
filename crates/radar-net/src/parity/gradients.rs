//! The loss and every gradient of a recorded case, through the fused way back.

use radar_kernel::attention::Chosen;
use radar_kernel::isa::Isa;

use super::compare::{Line, Report, distance, fault_line};
use super::fast::{Rows, input_of};
use super::{Case, Question};
use crate::error::NetError;
use crate::network::{Choices, EncoderTape, Network, TablesGradient, Use};
use crate::reference::environment::cost;
use crate::weights::Weights;

/// The largest difference that passes, relative to the largest entry of the recorded tensor.
pub const GRADIENT_TOLERANCE: f64 = 1e-3;

/// Recorded tensors whose entries are all smaller count as if they had one this large.
const LEAST: f64 = 1e-4;

/// Gradients that are zero by algebra, of biases that a norm or a normalisation takes away again: the file holds
/// what rounding left of sums of others. They count as if they had an entry of this share of the largest of all.
const NOISE: f64 = 1e-2;
const ZERO: [&str; 3] = ["multi_head_combine.bias", "feed_forward.W2.bias", "mix2_bias"];

/// What the single precision of a recorded loss may be off by, as a share of the sum of its terms' magnitudes:
/// they cancel, for advantages sum to zero.
const CANCELLED: f64 = 4e-6;

/// Computes the REINFORCE loss with the mean over starts as baseline, and its gradient, and compares both
/// with the case in a file's content.
pub fn run_gradients(bytes: &[u8], isa: Isa) -> Result<Report, NetError> {
    let case = Case::open(bytes)?;
    if case.whole("loss").is_empty() {
        let action = "record the case with its loss and gradients";
        return Err(NetError::new("missing-tensor", "the case has no `loss` and gradients", action));
    }
    let network = Network::new(case.weights.clone(), isa, Use::Training);
    let mut gradient = Weights::zeros(case.weights.config());
    let mut terms: Vec<f64> = Vec::new();
    for question in case.questions() {
        terms.extend(learn(&network, &question, case.batch, &mut gradient));
    }
    let loss: f64 = terms.iter().sum();
    let noise = CANCELLED * terms.iter().map(|term| term.abs()).sum::<f64>();
    let mut lines = vec![line("loss", &[loss as f32], case.whole("loss"), noise / GRADIENT_TOLERANCE)];
    let named = |name: &str| format!("grad.{name}");
    let parameters = case.weights.parameters();
    let largest = parameters.iter().map(|one| magnitude(case.whole(&named(&one.name)))).fold(0.0, f64::max);
    for parameter in parameters {
        let is_zero =
            parameter.name.starts_with("encoder.") && ZERO.iter().any(|end| parameter.name.ends_with(end));
        let least = if is_zero { NOISE * largest } else { 0.0 };
        let name = named(&parameter.name);
        lines.push(line(&name, gradient.of(&parameter.name), case.whole(&name), least));
    }
    Ok(Report { lines, ignored: case.ignored().to_vec() })
}

/// The largest entry but for its sign.
fn magnitude(values: &[f32]) -> f64 {
    values.iter().map(|&value| f64::from(value).abs()).fold(0.0, f64::max)
}

/// Compares relative to the largest entry wanted; where that does not pass, to `least` if that is more, and says so.
fn line(name: &str, found: &[f32], wanted: &[f32], least: f64) -> Line {
    if found.len() != wanted.len() {
        return fault_line(name, format!("{} entries where the case has {}", found.len(), wanted.len()));
    }
    let own = magnitude(wanted).max(LEAST);
    let differences = found.iter().zip(wanted).map(|(&a, &b)| distance(f64::from(a), f64::from(b)));
    let most = differences.fold(0.0, f64::max);
    let strict = most / own;
    let (error, note) = match least > own && strict > GRADIENT_TOLERANCE {
        true => {
            (most / least, Some(format!("what is left where terms cancel: {strict:.1e} relative to itself")))
        }
        false => (strict, None),
    };
    Line { name: name.to_owned(), error, tolerance: GRADIENT_TOLERANCE, fault: None, note }
}

/// Adds one instance's share of the gradient; returns the terms of its share of the loss, one per trajectory.
fn learn(network: &Network, question: &Question<'_>, batch: usize, gradient: &mut Weights) -> Vec<f64> {
    let config = network.weights().config();
    let inputs = [input_of(config, question)];
    let mut tape = EncoderTape::default();
    let tables = network.tables(&inputs[0], network.encode_taping(&inputs, &mut tape));
    let matrix: Vec<f64> = question.distance.iter().map(|&entry| f64::from(entry)).collect();
    let costs: Vec<f64> =
        question.trajectories.iter().map(|actions| cost(&matrix, question.nodes, actions)).collect();
    let mean = costs.iter().sum::<f64>() / costs.len() as f64;
    let share = 1.0 / (batch * costs.len()) as f64;
    let mut of_tables = TablesGradient::new(&tables);
    let mut choices = Choices::default();
    let mut terms = Vec::with_capacity(costs.len());
    for (&actions, own) in question.trajectories.iter().zip(costs) {
        let rows = Rows::of(config, question, actions);
        let weight = share * (own - mean);
        let weights = vec![weight as f32; rows.chosen.len()];
        let mut log_probs = vec![0.0; rows.chosen.len()];
        tables.follow(&rows.step(), config.clip as f32, &mut choices);
        let chosen = Chosen { columns: &rows.chosen, weights: &weights };
        of_tables.learn(&tables, &rows.step(), choices.thoughts(), chosen, &mut log_probs, gradient);
        terms.push(weight * log_probs.iter().map(|&log| f64::from(log)).sum::<f64>());
    }
    let mut slopes = of_tables.finish(&tables, gradient);
    network.encode_backward(&inputs, &mut tape, &mut slopes, gradient);
    terms
}
