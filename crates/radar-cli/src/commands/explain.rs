//! `radar explain`.

use std::path::PathBuf;

use radar::{Instance, Problem, Routes, Severity};
use radar_check::{Clause, Explanation};
use serde_json::{Value, json};

use crate::failure::{Exit, Failure, Message};
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
    let stops: Vec<usize> = args.stop.iter().map(|id| node(&problem, id)).collect::<Result<_, _>>()?;
    let report = problem.validate();
    let source = args.input.file.display().to_string();
    let Some(instance) = report.instance.clone() else {
        return Err(Failure::findings(Exit::BadInput, &report.findings).of(&source));
    };
    let mut said = Said { json: args.json, items: Vec::new() };
    let mut exit = Exit::Done;
    if let Some(plan) = plan.as_ref().filter(|_| stops.is_empty()) {
        if !radar_check::check(&instance, plan).feasible() {
            exit = Exit::Refused;
        }
        said.explanation("plan", &radar_check::explain_plan(&instance, plan));
    }
    let nothing = Routes::default();
    let base = plan.as_ref().unwrap_or(&nothing);
    let asked = match (&plan, stops.is_empty()) {
        (_, false) => stops,
        (None, true) => blocked(&report),
        (Some(plan), true) => missing(&instance, plan),
    };
    for &stop in &asked {
        if base.iter().any(|route| route.contains(&stop)) {
            said.served(&instance.label(stop));
            continue;
        }
        let explanation = radar_check::explain_stop(&instance, stop, base);
        if !explanation.fits() {
            exit = exit.max(Exit::Blocked);
        }
        said.explanation(&instance.label(stop), &explanation);
    }
    if args.stop.is_empty() {
        // What is about a stop has been explained; what is about the fleet belongs to none.
        for finding in report.of(Severity::Blocker).filter(|finding| finding.nodes.is_empty()) {
            exit = exit.max(Exit::Blocked);
            said.finding(Message::from(finding));
        }
    }
    if said.items.is_empty() {
        said.nothing();
    }
    said.finish();
    Ok(exit)
}

/// The first stops that a plan leaves out; beyond so many nobody reads on.
fn missing(instance: &Instance, plan: &Routes) -> Vec<usize> {
    const EXPLAINED: usize = 20;
    let verdict = radar_check::check(instance, plan);
    let missing = verdict.violations.iter().filter(|violation| violation.clause == Clause::MissingStop);
    missing.filter_map(|violation| violation.node).take(EXPLAINED).collect()
}

fn blocked(report: &radar::Report) -> Vec<usize> {
    let mut stops: Vec<usize> =
        report.of(Severity::Blocker).flat_map(|finding| finding.nodes.clone()).collect();
    stops.sort_unstable();
    stops.dedup();
    stops
}

/// The node with an id, or else with a number.
fn node(problem: &Problem, id: &str) -> Result<usize, Failure> {
    let by_id = problem.ids.iter().flatten().position(|known| known == id);
    let by_number = || id.parse().ok().filter(|&node: &usize| node < problem.nodes());
    let unknown = || {
        Failure::input(
            "unknown-stop",
            format!("no stop has the id or number `{id}`"),
            format!("give an id of the file or a number from 1 to {}", problem.nodes().saturating_sub(1)),
        )
    };
    match by_id.or_else(by_number).ok_or_else(unknown)? {
        0 if problem.kind == radar::Kind::Vrp => {
            Err(Failure::input("depot-is-no-stop", format!("`{id}` is the depot"), "give a stop"))
        }
        node => Ok(node),
    }
}

/// What is said, in one of two forms.
struct Said {
    json: bool,
    items: Vec<Value>,
}

impl Said {
    fn explanation(&mut self, subject: &str, explanation: &Explanation) {
        if !self.json {
            output::line(&explanation.to_string());
        }
        let blocks: Vec<String> = explanation.blocks.iter().map(ToString::to_string).collect();
        let remedies: Vec<String> = explanation.remedies.iter().map(ToString::to_string).collect();
        self.items.push(json!({
            "subject": subject, "fits": explanation.fits(), "headline": explanation.headline,
            "blocked": blocks, "enough": remedies, "do": explanation.advice,
        }));
    }

    fn served(&mut self, subject: &str) {
        if !self.json {
            output::line(&format!("{subject} is served by the plan"));
        }
        self.items.push(json!({ "subject": subject, "fits": true, "headline": "it is served by the plan" }));
    }

    fn finding(&mut self, message: Message) {
        if !self.json {
            output::line(&message.lines());
        }
        self.items.push(message.to_json());
    }

    fn nothing(&mut self) {
        if !self.json {
            output::line("nothing is proved to be in the way of a complete plan");
        }
    }

    fn finish(self) {
        if self.json {
            output::line(&Value::Array(self.items).to_string());
        }
    }
}
