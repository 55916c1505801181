//! Why there is no answer.

use radar_net::NetError;
use radar_problem::{Finding, Routes};

use crate::solution::Unserved;

/// Why a solve gave no plan.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The problem is malformed.
    #[error("the problem is malformed: {}", listed(.0))]
    Malformed(Vec<Finding>),
    /// Some stops, or the fleet, make a complete plan impossible; proved.
    #[error("no plan serves every stop: {}", listed(.0))]
    Blocked(Vec<Finding>),
    /// No complete plan was found, which proves nothing unless it says so.
    #[error(
        "{}: {} left out{}",
        if *.proved { "no plan serves every stop, and the best was found" } else { "no plan that serves every stop was found" },
        .unserved.len(),
        .vehicles_needed.map(|needed| format!("; {needed} vehicles are known to be enough")).unwrap_or_default()
    )]
    Incomplete {
        /// The best attempt.
        routes: Routes,
        /// The stops that the best attempt left out, with reasons.
        unserved: Vec<Unserved>,
        /// A fleet for which a complete plan was found, when the fleet is the obstacle.
        vehicles_needed: Option<usize>,
        /// Whether there is no complete plan, by weighing every one.
        proved: bool,
        /// What validation had to say.
        findings: Vec<Finding>,
    },
    /// The beginnings of routes that are to stay break something by themselves.
    #[error("the frozen beginnings cannot stay as they are: {0}")]
    Frozen(String),
    /// The network cannot be used on this problem.
    #[error("the network cannot be used: {}", .0.cause)]
    Model(NetError),
    /// A plan was made that the checker refuses: a defect of this program.
    #[error("internal error: a plan failed its check ({0}); please report the problem file")]
    Internal(String),
}

fn listed(findings: &[Finding]) -> String {
    findings.iter().map(Finding::to_string).collect::<Vec<_>>().join("\n")
}
