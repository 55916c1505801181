//! Networks that get more parts than they were trained with, and go on from there.

use crate::checkpoint::Checkpoint;
use crate::config::{Config, Mix, Term};
use crate::error::NetError;
use crate::weights::Weights;

impl Checkpoint {
    /// The same network with more mix inputs, which count nothing yet, and more terms, which begin as in a new network.
    pub fn extended(&self, mix: &[Mix], terms: &[Term]) -> Result<Self, NetError> {
        let mut card = self.card.clone();
        card.config.mix.extend(mix);
        card.config.terms.extend(terms);
        card.config.validate()?;
        let weights = grown(&self.weights, &card.config);
        Ok(Self { card, weights })
    }
}

/// Weights of a larger configuration, whose further parts stand behind those that are there.
fn grown(weights: &Weights, config: &Config) -> Weights {
    let mut grown = Weights::random(config, 0);
    for parameter in weights.parameters() {
        let from = weights.of(&parameter.name);
        let Some(to) = grown.tensor_mut(&parameter.name) else { continue };
        // Mix weights have one line per input and head: (H, inputs, m).
        let heads = if from.len() == to.len() { 1 } else { parameter.shape[0] };
        to.fill(0.0);
        let of_heads = to.chunks_exact_mut(to.len() / heads).zip(from.chunks_exact(from.len() / heads));
        of_heads.for_each(|(to, from)| to[..from.len()].copy_from_slice(from));
    }
    grown
}
