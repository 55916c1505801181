//! One file per command.

pub mod check;
pub mod completions;
pub mod convert;
pub mod eval;
pub mod explain;
pub mod generate;
pub mod info;
pub mod model;
pub mod serve;
pub mod solve;
pub mod train;

use std::path::Path;

use radar::{Instance, Objective, Problem, Routes};

use crate::failure::{Exit, Failure};
use crate::input::Input;

/// What the cost is summed from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Minimise {
    /// The distance matrix
    #[default]
    Distance,
    /// The duration matrix; every constraint stays as it is
    Duration,
}

impl From<Minimise> for Objective {
    fn from(minimise: Minimise) -> Self {
        match minimise {
            Minimise::Distance => Self::Distance,
            Minimise::Duration => Self::Duration,
        }
    }
}

/// The instance of a problem that is not malformed.
fn instance(problem: Problem, minimise: Minimise) -> Result<Instance, Failure> {
    let report = problem.validate();
    match report.instance {
        Some(instance) => Ok(instance.with_objective(minimise.into())),
        None => Err(Failure::findings(Exit::BadInput, &report.findings)),
    }
}

/// A problem file and a plan for it.
fn instance_and_plan(input: &Input, plan: &Path, minimise: Minimise) -> Result<(Instance, Routes), Failure> {
    let problem = input.load_one()?.problem;
    let routes = check::read_plan(plan, &problem)?;
    let instance =
        instance(problem, minimise).map_err(|failure| failure.of(&input.file.display().to_string()))?;
    Ok((instance, routes))
}
