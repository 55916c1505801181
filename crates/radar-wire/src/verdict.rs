//! What the checker says of a given plan.

use radar::{Instance, Routes};
use radar_check::Verdict;
use radar_format::write::{About, Answer};
use serde_json::{Value, json};

/// A given plan as an answer: with its schedule, without a bound.
pub fn given(instance: &Instance, routes: &Routes, verdict: &Verdict) -> Answer {
    let about = About { method: "given".to_owned(), ..About::default() };
    Answer::new(instance, routes, verdict, about)
}

/// The verdict: whether the plan holds, its cost and schedule, every violated clause.
pub fn verdict(instance: &Instance, routes: &Routes, verdict: &Verdict) -> Value {
    let violations: Vec<Value> = verdict
        .violations
        .iter()
        .map(|violation| {
            json!({
                "clause": violation.clause.as_str(),
                "route": violation.route,
                "position": violation.position,
                "node": violation.node,
                "excess": violation.stated_excess(instance),
                "text": violation.to_string(),
            })
        })
        .collect();
    json!({
        "feasible": verdict.feasible(), "cost": verdict.cost, "violations": violations,
        "schedule": given(instance, routes, verdict).schedule,
    })
}
