//! What a caller may ask for.

use radar_problem::{Objective, Routes};

use crate::budget::Budget;

/// How plans are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The best there is for the problem and the budget.
    #[default]
    Auto,
    /// Classical construction from many starts.
    Construct,
}

/// Options of a solve; the defaults suit most.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How plans are made.
    pub method: Method,
    /// Where randomness comes from.
    pub seed: u64,
    /// When to stop.
    pub budget: Budget,
    /// What is minimised.
    pub objective: Objective,
    /// How many start nodes constructions try; unless said, all up to 512 nodes, and above as many as
    /// take about as long.
    pub starts: Option<usize>,
    /// Serve what can be served when not all can.
    pub allow_unserved: bool,
    /// A plan to start from; the answer is never worse.
    pub warm: Option<Routes>,
}
