//! Recorded cases: what another implementation computed, held against one of ours.
//!
//! A case is a safetensors file with inputs (`in.*`), weights (`weight.*`), activations (`act.*`) and
//! the rollout of given actions (`rollout.*`). Anything that implements [`Subject`] can be put through it.

mod case;
mod compare;
mod fast;
mod features;
mod gradients;
mod program;
mod reference;

pub use case::{Case, Question};
pub use compare::{Line, Report};
pub use fast::Fast;
pub use gradients::{GRADIENT_TOLERANCE, run_gradients};
pub use program::{Outcome, program};
pub use reference::Reference;

use std::collections::BTreeMap;

use crate::config::Config;
use crate::error::NetError;
use crate::weights::Weights;

/// The largest absolute difference that passes.
pub const TOLERANCE: f64 = 1e-4;

/// What a subject computed for one instance, by the names of the case and without its batch extent:
/// `act.embedding` (N, d), `act.encoder.L.attention` and `act.encoder.L` (N, d) of every block,
/// `rollout.step_probabilities` (P, decided steps, N), `rollout.cost` (P).
pub type Answer = BTreeMap<String, Vec<f64>>;

/// An implementation of the network.
pub trait Subject {
    /// The init columns and node features (N, F) from the raw matrix, by the exact decomposition.
    fn features(&self, config: &Config, question: &Question<'_>) -> Result<Vec<f64>, String>;

    /// Every activation and probability for the recorded features and actions; one answer per question.
    fn answer(&self, weights: &Weights, questions: &[Question<'_>]) -> Result<Vec<Answer>, String>;
}

/// Puts a subject through the case in a file's content. An error is a file that is no complete case.
pub fn run(bytes: &[u8], subject: &dyn Subject) -> Result<Report, NetError> {
    let case = Case::open(bytes)?;
    Ok(compare::compare(&case, subject))
}
