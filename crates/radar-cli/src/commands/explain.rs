//! `radar explain`.

use std::path::PathBuf;

use serde_json::Value;

use crate::failure::{Exit, Failure};
use crate::input::Input;
use crate::output;

/// Say what blocks a stop or a plan, and the least change that would admit it
///
/// With --plan: why the plan is refused, or where a stop that it leaves out would fit. With --stop: why
/// this stop cannot be served. With neither: every stop that no plan can serve. Each proposed change
/// has been confirmed by the checker. Exit code 0 when nothing is wrong, 1 when a plan is refused,
/// 3 when a stop cannot be served.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: Input,

    /// A plan, as for `radar check`
    #[arg(long, value_name = "PLAN")]
    plan: Option<PathBuf>,

    /// A stop, by its id or its number
    #[arg(long, value_name = "ID")]
    stop: Vec<String>,

    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit, Failure> {
    let json = args.json;
    explain(&args).map_err(|failure| failure.for_programs(json))
}

fn explain(args: &Args) -> Result<Exit, Failure> {
    let problem = args.input.load_one()?.problem;
    let plan = args.plan.as_deref().map(|path| super::check::read_plan(path, &problem)).transpose()?;
    let stops: Result<Vec<usize>, _> = args.stop.iter().map(|id| radar_wire::node(&problem, id)).collect();
    let source = args.input.file.display().to_string();
    let said = radar_wire::explain(problem, plan.as_ref(), &stops?)
        .map_err(|failure| Failure::from(failure).of(&source))?;
    match (args.json, said.items.is_empty()) {
        (true, _) => output::line(&Value::Array(said.items).to_string()),
        (false, true) => output::line("nothing is proved to be in the way of a complete plan"),
        (false, false) => said.words.iter().for_each(|line| output::line(line)),
    }
    Ok(match (said.blocked, said.refused) {
        (true, _) => Exit::Blocked,
        (false, true) => Exit::Refused,
        (false, false) => Exit::Done,
    })
}
