//! An answer, with everything that makes it checkable.

use std::time::Duration;

use radar_check::Verdict;
use radar_problem::{Finding, Instance, Routes};

/// A stop that is left out, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Unserved {
    /// The stop.
    pub node: usize,
    /// What keeps it out.
    pub reasons: Vec<String>,
    /// What would let it in: each is enough by itself, the smallest first.
    pub remedies: Vec<String>,
}

impl Unserved {
    /// Reasons and remedies in one list, each a sentence.
    pub fn sentences(&self) -> Vec<String> {
        let remedies = self.remedies.iter().map(|remedy| format!("enough: {remedy}"));
        self.reasons.iter().cloned().chain(remedies).collect()
    }
}

/// Something worth knowing about an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Stable, for programs.
    pub code: &'static str,
    /// For people.
    pub text: String,
}

impl Warning {
    /// A warning with both parts.
    pub fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self { code, text: text.into() }
    }
}

/// Where the time went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Validation and scaling.
    pub validate: Duration,
    /// The network that went before a search.
    pub network: Duration,
    /// Making plans: construction, a network alone, or search with its set-up and bound.
    pub construct: Duration,
    /// The check of the answer and the reasons for what is left out.
    pub check: Duration,
    /// All of it.
    pub total: Duration,
}

/// A checked answer.
#[derive(Clone, Debug)]
pub struct Solution {
    /// What was solved.
    pub instance: Instance,
    /// The routes, without the depot; a tour starts at node 0.
    pub routes: Routes,
    /// The checker's verdict: cost, schedule and loads.
    pub verdict: Verdict,
    /// The cost in stated units.
    pub cost: f64,
    /// A lower bound on the cost of any plan, when one is known.
    pub bound: Option<f64>,
    /// Whether the plan serves every stop and is proved to be the best.
    pub optimal: bool,
    /// How many nodes of branching a proof took, if one was tried.
    pub proof_nodes: Option<u64>,
    /// What made the plan.
    pub method: String,
    /// The network that made the plan, or that went before its search.
    pub model: Option<String>,
    /// The seed that was used.
    pub seed: u64,
    /// Whether a time limit or a cancel ended the work, so that another run may differ.
    pub interrupted: bool,
    /// Stops that are left out, with reasons.
    pub unserved: Vec<Unserved>,
    /// What validation had to say.
    pub findings: Vec<Finding>,
    /// Anything else worth knowing.
    pub warnings: Vec<Warning>,
    /// Where the time went.
    pub timings: Timings,
}

impl Solution {
    /// How far the cost may be above the best, as a fraction of the cost.
    pub fn gap(&self) -> Option<f64> {
        self.bound.map(|bound| radar_problem::gap(self.cost, bound))
    }
}
