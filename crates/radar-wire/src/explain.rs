//! What is in the way of a stop or a plan, and the least change that would admit it.

use radar::{Instance, Kind, Problem, Report, Routes, Severity};
use radar_check::{Clause, Explanation};
use serde_json::{Value, json};

use crate::failure::{Blame, Failure};
use crate::message::Message;

/// What was found, for people and for programs.
#[derive(Clone, Debug, Default)]
pub struct Explained {
    /// Whether the plan breaks something.
    pub refused: bool,
    /// Whether a stop cannot be served.
    pub blocked: bool,
    /// One object for each thing explained.
    pub items: Vec<Value>,
    /// The same in words.
    pub words: Vec<String>,
}

impl Explained {
    fn explanation(&mut self, subject: &str, explanation: &Explanation) {
        let blocks: Vec<String> = explanation.blocks.iter().map(ToString::to_string).collect();
        let remedies: Vec<String> = explanation.remedies.iter().map(ToString::to_string).collect();
        self.words.push(explanation.to_string());
        self.items.push(json!({
            "subject": subject, "fits": explanation.fits(), "headline": explanation.headline,
            "blocked": blocks, "enough": remedies, "do": explanation.advice,
        }));
    }

    fn served(&mut self, subject: &str) {
        self.words.push(format!("{subject} is served by the plan"));
        self.items.push(json!({ "subject": subject, "fits": true, "headline": "it is served by the plan" }));
    }

    fn finding(&mut self, message: &Message) {
        self.blocked = true;
        self.words.push(message.lines());
        self.items.push(json!(message));
    }
}

/// Explains a plan, or where the named stops would fit in it, or every stop that no plan can serve.
pub fn explain(problem: Problem, plan: Option<&Routes>, stops: &[usize]) -> Result<Explained, Failure> {
    explain_report(&problem.validate(), plan, stops)
}

/// The same of a problem that was validated already.
pub fn explain_report(report: &Report, plan: Option<&Routes>, stops: &[usize]) -> Result<Explained, Failure> {
    let Some(instance) = &report.instance else {
        return Err(Failure::findings(Blame::Input, &report.findings));
    };
    let mut said = Explained::default();
    if let Some(plan) = plan.filter(|_| stops.is_empty()) {
        said.refused = !radar_check::check(instance, plan).feasible();
        said.explanation("plan", &radar_check::explain_plan(instance, plan));
    }
    let nothing = Routes::default();
    let base = plan.unwrap_or(&nothing);
    let asked = match (plan, stops) {
        (_, [_, ..]) => stops.to_vec(),
        (None, []) => blocked(report),
        (Some(plan), []) => missing(instance, plan),
    };
    for &stop in &asked {
        if base.iter().any(|route| route.contains(&stop)) {
            said.served(&instance.label(stop));
            continue;
        }
        let explanation = radar_check::explain_stop(instance, stop, base);
        said.blocked |= !explanation.fits();
        said.explanation(&instance.label(stop), &explanation);
    }
    if stops.is_empty() {
        // What is about a stop has been explained; what is about the fleet belongs to none.
        for finding in report.of(Severity::Blocker).filter(|finding| finding.nodes.is_empty()) {
            said.finding(&Message::from(finding));
        }
    }
    Ok(said)
}

/// The first stops that a plan leaves out; beyond so many nobody reads on.
fn missing(instance: &Instance, plan: &Routes) -> Vec<usize> {
    const EXPLAINED: usize = 20;
    let verdict = radar_check::check(instance, plan);
    let missing = verdict.violations.iter().filter(|violation| violation.clause == Clause::MissingStop);
    missing.filter_map(|violation| violation.node).take(EXPLAINED).collect()
}

fn blocked(report: &Report) -> Vec<usize> {
    let mut stops: Vec<usize> =
        report.of(Severity::Blocker).flat_map(|finding| finding.nodes.clone()).collect();
    stops.sort_unstable();
    stops.dedup();
    stops
}

/// The stop with an id, or else with a number.
pub fn node(problem: &Problem, id: &str) -> Result<usize, Failure> {
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
        0 if problem.kind == Kind::Vrp => {
            Err(Failure::input("depot-is-no-stop", format!("`{id}` is the depot"), "give a stop"))
        }
        node => Ok(node),
    }
}
