//! How weights follow gradients.

use serde::Serialize;
use serde_json::Value;

use super::section::{self, Section};
use crate::error::TrainError;

/// Which optimiser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Adam, decay added to the gradient: the paper's.
    Adam,
    /// Adam, decay taken off the weights.
    AdamW,
    /// Orthogonal steps for matrices, AdamW for the rest.
    Muon,
}

/// The optimiser and its constants.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Optimiser {
    /// Which one.
    pub kind: Kind,
    /// The rate, before the schedule.
    pub lr: f64,
    /// Decays of the running means of gradient and square.
    pub betas: [f64; 2],
    /// Keeps quotients finite.
    pub eps: f64,
    /// Decay of the weights.
    pub weight_decay: f64,
    /// Decay of the running mean of a matrix's gradient.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub momentum: Option<f64>,
    /// How many times as far the weights of terms go in a step.
    pub terms: f64,
    /// The largest length of a gradient; longer ones are shortened.
    #[serde(serialize_with = "section::or_none")]
    pub clip: Option<f64>,
}

impl Default for Optimiser {
    fn default() -> Self {
        Self {
            kind: Kind::Adam,
            lr: 4e-4,
            betas: [0.9, 0.999],
            eps: 1e-8,
            weight_decay: 1e-6,
            momentum: None,
            terms: 1.0,
            clip: None,
        }
    }
}

impl Optimiser {
    pub(super) fn read(mut table: Section) -> Result<Self, TrainError> {
        let usual = Self::default();
        let kinds = [("adam", Kind::Adam), ("adamw", Kind::AdamW), ("muon", Kind::Muon)];
        let kind = table.choice("kind", &kinds)?.unwrap_or(usual.kind);
        let optimiser = Self {
            kind,
            lr: table.number("lr", 0.0..=10.0)?.unwrap_or(usual.lr),
            betas: table.read("betas", "two numbers from 0 to below 1", betas)?.unwrap_or(usual.betas),
            eps: table.number("eps", 1e-30..=1.0)?.unwrap_or(usual.eps),
            weight_decay: table.number("weight_decay", 0.0..=1.0)?.unwrap_or(usual.weight_decay),
            momentum: match kind {
                Kind::Muon => Some(table.number("momentum", 0.0..=0.9999)?.unwrap_or(0.95)),
                Kind::Adam | Kind::AdamW => None,
            },
            terms: table.number("terms", 0.0..=1000.0)?.unwrap_or(usual.terms),
            clip: table
                .or_word("none", "clip", |table, key| table.number(key, 0.0..=1e9))?
                .filter(|&clip| clip > 0.0),
        };
        table.finish()?;
        Ok(optimiser)
    }
}

fn betas(value: &Value) -> Option<[f64; 2]> {
    let beta = |at: usize| value.get(at).and_then(Value::as_f64).filter(|beta| (0.0..1.0).contains(beta));
    let two = value.as_array().is_some_and(|list| list.len() == 2);
    if two { Some([beta(0)?, beta(1)?]) } else { None }
}
