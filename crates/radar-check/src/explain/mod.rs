//! What stands in the way, and the least that would have to change.
//!
//! A plan that is refused has exactly one smallest relaxation: no bound influences the schedule, so
//! each has to be raised by what it is exceeded by. For a stop that is not served, every place it
//! could take is weighed in that manner, and the smallest changes are kept.

mod describe;
mod need;
mod place;
mod plan;
mod select;
mod stop;
mod weigh;

use std::fmt;

use radar_problem::Relaxation;

use crate::clause::Violation;

pub use describe::{describe, stated_amount};
pub use place::Place;
pub use plan::explain_plan;
pub use stop::explain_stop;

/// What an explanation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A plan as it stands.
    Plan,
    /// A stop that should be added to a plan.
    Stop(usize),
}

/// A change that admits the subject, confirmed by the checker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// Where the stop goes.
    pub place: Place,
    /// What has to be loosened, all of it together; empty when nothing has to.
    pub relaxations: Vec<Relaxation>,
    sentence: String,
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.sentence)
    }
}

/// Why something is refused and what would admit it. Its `Display` says all of it in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What it is about.
    pub subject: Subject,
    /// The answer in one sentence.
    pub headline: String,
    /// What blocks the subject; for a stop, at the best place.
    pub blocks: Vec<Violation>,
    /// What would admit it: each is enough by itself, the smallest first. Empty when no bound that
    /// could be loosened is the reason.
    pub remedies: Vec<Remedy>,
    /// What to do about blocks that nothing could loosen.
    pub advice: Vec<String>,
}

impl Explanation {
    /// Whether nothing has to change.
    pub fn fits(&self) -> bool {
        self.remedies.iter().any(|remedy| remedy.relaxations.is_empty())
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.headline)?;
        for block in &self.blocks {
            write!(f, "\n  blocked: {block}")?;
        }
        // Where nothing has to change, the headline has said where it fits.
        for remedy in self.remedies.iter().filter(|remedy| !remedy.relaxations.is_empty()) {
            write!(f, "\n  enough: {remedy}")?;
        }
        for advice in &self.advice {
            write!(f, "\n  do: {advice}")?;
        }
        Ok(())
    }
}
