//! `radar check`.

use std::path::PathBuf;

use radar_format::ending;

use crate::failure::{Exit, Failure};
use crate::input::{self, Input};
use crate::{amounts, output, plan};

/// Judge a plan: cost, schedule, and every violated clause
///
/// The plan is an answer of `radar solve --json`, a JSON list of routes such as [[3,1],[2]], or a
/// VRPLIB .sol file. Exit code 0 when the plan is valid, 1 when it is refused.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: Input,

    /// The plan
    #[arg(value_name = "PLAN")]
    plan: PathBuf,

    /// What the cost is summed from
    #[arg(long, value_enum, default_value_t)]
    minimise: super::Minimise,

    /// Print the verdict as JSON
    #[arg(long)]
    json: bool,

    /// Write the plan with its schedule to a file, by its ending: .json .sol .csv .geojson .svg. May be repeated
    #[arg(short, long, value_name = "PATH")]
    output: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit, Failure> {
    let json = args.json;
    judge(args).map_err(|failure| failure.for_programs(json))
}

fn judge(args: Args) -> Result<Exit, Failure> {
    let (instance, routes) = super::instance_and_plan(&args.input, &args.plan, args.minimise)?;
    let verdict = radar_check::check(&instance, &routes);
    let exit = if verdict.feasible() { Exit::Done } else { Exit::Refused };
    let answer = radar_wire::given(&instance, &routes, &verdict);
    let mut inputs = args.input.stated.inputs(&args.input.file);
    inputs.push(args.plan.clone());
    for path in &args.output {
        let content = radar_format::write::answer(ending::answer(path)?, instance.input(), &answer)?;
        output::file(path, &content, &inputs)?;
    }
    if args.json {
        let verdict = radar_wire::verdict(&instance, &routes, &verdict);
        output::line(&verdict.to_string());
        return Ok(exit);
    }
    output::bytes(plan::table(&instance, &routes, &verdict).as_bytes());
    match verdict.cost {
        Some(cost) => output::line(&format!("cost {}{}", amounts::cost(cost), plan::unit(&instance))),
        None => output::line("no cost: the plan drives where no way leads"),
    }
    for violation in &verdict.violations {
        output::line(&format!("refused [{}]: {violation}", violation.clause));
    }
    if verdict.feasible() {
        output::line("the plan is valid");
    } else {
        output::line("what would admit it: `radar explain FILE --plan PLAN`");
    }
    Ok(exit)
}

/// Reads a plan for a problem.
pub fn read_plan(path: &std::path::Path, problem: &radar::Problem) -> Result<radar::Routes, Failure> {
    let plan = radar_wire::plan(&input::bytes(path)?, problem);
    plan.map_err(|failure| Failure::from(failure).of(&path.display().to_string()))
}

/// Reads routes under way.
pub fn read_freeze(path: &std::path::Path, problem: &radar::Problem) -> Result<radar::Freeze, Failure> {
    let freeze = radar_wire::freeze(&input::bytes(path)?, problem);
    freeze.map_err(|failure| Failure::from(failure).of(&path.display().to_string()))
}
