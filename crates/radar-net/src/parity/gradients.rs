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

/// Recorded tensors whose entries are all smaller count as if they had one this large: some gradients are
/// zero by algebra, and the file holds noise.
const LEAST: f64 = 1e-4;

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
    let mut loss = 0.0;
    for question in case.questions() {
        loss += learn(&network, &question, case.batch, &mut gradient);
    }
    let mut lines = vec![line("loss", &[loss as f32], case.whole("loss"))];
    for parameter in case.weights.parameters() {
        let name = format!("grad.{}", parameter.name);
        lines.push(line(&name, gradient.of(&parameter.name), case.whole(&name)));
    }
    Ok(Report { lines, ignored: case.ignored().to_vec() })
}

fn line(name: &str, found: &[f32], wanted: &[f32]) -> Line {
    if found.len() != wanted.len() {
        return fault_line(name, format!("{} entries where the case has {}", found.len(), wanted.len()));
    }
    let scale = wanted.iter().map(|&wanted| f64::from(wanted).abs()).fold(LEAST, f64::max);
    let differences = found.iter().zip(wanted).map(|(&a, &b)| distance(f64::from(a), f64::from(b)));
    let error = differences.fold(0.0, f64::max) / scale;
    Line { name: name.to_owned(), error, tolerance: GRADIENT_TOLERANCE, fault: None }
}

/// Adds one instance's share of the loss and its gradient.
fn learn(network: &Network, question: &Question<'_>, batch: usize, gradient: &mut Weights) -> f64 {
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
    let mut loss = 0.0;
    for (&actions, own) in question.trajectories.iter().zip(costs) {
        let rows = Rows::of(config, question, actions);
        let weight = share * (own - mean);
        let weights = vec![weight as f32; rows.chosen.len()];
        let mut log_probs = vec![0.0; rows.chosen.len()];
        tables.follow(&rows.step(), config.clip as f32, &mut choices);
        let chosen = Chosen { columns: &rows.chosen, weights: &weights };
        of_tables.learn(&tables, &rows.step(), choices.thoughts(), chosen, &mut log_probs, gradient);
        loss += weight * log_probs.iter().map(|&log| f64::from(log)).sum::<f64>();
    }
    let mut slopes = of_tables.finish(&tables, gradient);
    network.encode_backward(&inputs, &mut tape, &mut slopes, gradient);
    loss
}
