//! How the rate changes over the budget.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use super::section::{self, Section};
use crate::error::TrainError;

/// Which schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The same throughout.
    Constant,
    /// Times `factor` at each of `drops`.
    Step,
    /// Half a wave from the rate down to `factor` of it.
    Cosine,
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::Constant => "constant",
            Self::Step => "step",
            Self::Cosine => "cosine",
        })
    }
}

/// The rate over the budget.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Schedule {
    /// Which one.
    pub kind: Kind,
    /// Steps over which the rate rises from 0. None unless given, or [`crate::start`] begins with the weights of
    /// another run.
    #[serde(serialize_with = "section::or_auto")]
    pub warmup: Option<u64>,
    /// Shares of the budget at which the rate drops.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drops: Vec<f64>,
    /// What a drop, or the end of the wave, leaves of the rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factor: Option<f64>,
}

impl Default for Schedule {
    fn default() -> Self {
        Self { kind: Kind::Constant, warmup: None, drops: Vec::new(), factor: None }
    }
}

/// What drops leave unless said: a tenth, as published. A wave ends at a hundredth.
const DROP: f64 = 0.1;
const WAVE: f64 = 0.01;
/// Where the one drop is unless said.
const LATE: f64 = 0.9;

impl Schedule {
    pub(super) fn read(mut table: Section) -> Result<Self, TrainError> {
        let kinds = [("constant", Kind::Constant), ("step", Kind::Step), ("cosine", Kind::Cosine)];
        let mut schedule = Self::default();
        schedule.kind = table.choice("kind", &kinds)?.unwrap_or(schedule.kind);
        schedule.warmup = table.or_word("auto", "warmup", |table, key| table.whole(key, 0..=1 << 30))?;
        if schedule.kind != Kind::Constant {
            let usual = if schedule.kind == Kind::Step { DROP } else { WAVE };
            schedule.factor = Some(table.number("factor", 0.0..=1.0)?.unwrap_or(usual));
        }
        if schedule.kind == Kind::Step {
            let valid = "a list of shares of the budget, each above 0 and below 1, rising";
            schedule.drops = table.read("drops", valid, drops)?.unwrap_or_else(|| vec![LATE]);
        }
        table.finish()?;
        Ok(schedule)
    }
}

fn drops(value: &Value) -> Option<Vec<f64>> {
    let list: Vec<f64> = value.as_array()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
    let sound = list.iter().all(|share| *share > 0.0 && *share < 1.0) && list.is_sorted_by(|a, b| a < b);
    (sound && !list.is_empty()).then_some(list)
}
