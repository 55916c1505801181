//! What is learned from trajectories.

use serde::Serialize;

use super::section::Section;
use crate::error::TrainError;
use crate::loss;

/// Which loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Costs against their mean over the starts: the paper's.
    Reinforce,
    /// Better trajectories before worse ones, pair by pair.
    Preference,
    /// The paper's, with more weight on the best trajectories.
    Leader,
    /// The plans of a solver.
    Imitation,
}

impl Kind {
    /// What the score of training is the mean of. The cost of plans that were given says nothing of the network.
    pub fn score(self) -> &'static str {
        match self {
            Self::Reinforce | Self::Preference | Self::Leader => "best cost of the starts",
            Self::Imitation => "cost of imitated plans",
        }
    }
}

/// The loss and what goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Loss {
    /// Which one.
    pub kind: Kind,
    /// How sharply a preference is felt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
    /// How much more the best trajectories count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra: Option<f64>,
    /// How many are the best.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaders: Option<u64>,
    /// How much the others count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<f64>,
    /// Steps of search behind a plan to be imitated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_steps: Option<u64>,
    /// The share of imitated tours that first go their own way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub astray: Option<f64>,
    /// Whether costs are divided by the running mean of their variant (imitation compares none).
    pub normalise: bool,
}

const ALPHA: f64 = 0.05;
const EXTRA: f64 = 1.0;
const LEADERS: u64 = 1;
const REST: f64 = 1.0;
const SEARCH_STEPS: u64 = 2000;

impl Default for Loss {
    fn default() -> Self {
        Self {
            kind: Kind::Reinforce,
            alpha: None,
            extra: None,
            leaders: None,
            rest: None,
            search_steps: None,
            astray: None,
            normalise: false,
        }
    }
}

impl Loss {
    pub(super) fn read(mut table: Section) -> Result<Self, TrainError> {
        let kinds = [
            ("reinforce", Kind::Reinforce),
            ("preference", Kind::Preference),
            ("leader", Kind::Leader),
            ("imitation", Kind::Imitation),
        ];
        let mut loss = Self::default();
        loss.kind = table.choice("kind", &kinds)?.unwrap_or(loss.kind);
        match loss.kind {
            Kind::Reinforce => {}
            Kind::Preference => loss.alpha = Some(table.number("alpha", 1e-6..=1e3)?.unwrap_or(ALPHA)),
            Kind::Leader => {
                loss.extra = Some(table.number("extra", 0.0..=1e3)?.unwrap_or(EXTRA));
                loss.leaders = Some(table.whole("leaders", 1..=1 << 20)?.unwrap_or(LEADERS));
                loss.rest = Some(table.number("rest", 0.0..=1e3)?.unwrap_or(REST));
            }
            Kind::Imitation => {
                loss.search_steps = Some(table.whole("search_steps", 1..=1 << 40)?.unwrap_or(SEARCH_STEPS));
                loss.astray = Some(table.number("astray", 0.0..=1.0)?.unwrap_or(0.0));
            }
        }
        loss.normalise = table.flag("normalise")?.unwrap_or(loss.normalise);
        table.finish()?;
        Ok(loss)
    }

    /// The loss in the words of a lesson.
    pub(crate) fn lesson(&self) -> loss::Loss {
        match self.kind {
            Kind::Reinforce => loss::Loss::Reinforce,
            Kind::Preference => loss::Loss::Preference { alpha: self.alpha.unwrap_or(ALPHA) },
            Kind::Leader => loss::Loss::Leader {
                extra: self.extra.unwrap_or(EXTRA),
                leaders: self.leaders.unwrap_or(LEADERS) as usize,
                rest: self.rest.unwrap_or(REST),
            },
            Kind::Imitation => loss::Loss::Imitation {
                astray: self.astray.unwrap_or(0.0),
                steps: self.search_steps.unwrap_or(SEARCH_STEPS),
            },
        }
    }

    /// How many steps of search a label takes, where there are labels.
    pub(crate) fn label_steps(&self) -> Option<u64> {
        (self.kind == Kind::Imitation).then_some(self.search_steps.unwrap_or(SEARCH_STEPS))
    }
}
