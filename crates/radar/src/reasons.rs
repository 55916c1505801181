//! Why stops are left out, and what would let them in.

use radar_check::Explanation;
use radar_problem::{Finding, Instance, Severity};
use radar_rollout::Stop;

use crate::plan::Plan;
use crate::solution::Unserved;

/// Explaining a stop weighs every place it could take; beyond so many stops that takes too long.
const EXPLAINED: usize = 20;

/// How many nodes a plan may have for a stop to be explained after the deadline.
const QUICKLY_EXPLAINED: usize = 300;

/// What keeps stops out, for the first of them. A stop that turns out to fit as things are is put where it
/// fits, and the others are explained anew.
pub(crate) fn explain(instance: &Instance, plan: &mut Plan, stop: Stop<'_>) -> Vec<Explanation> {
    loop {
        let mut explanations = Vec::new();
        for (at, &node) in plan.unserved.iter().enumerate().take(EXPLAINED) {
            // The first is worth its time, unless the plan is large.
            if (at == 0 && instance.nodes() <= QUICKLY_EXPLAINED) || !stop() {
                explanations.push(radar_check::explain_stop(instance, node, &plan.routes));
            }
        }
        let fitted = plan.unserved.iter().zip(&explanations).find_map(|(&node, explanation)| {
            let remedy = explanation.remedies.iter().find(|remedy| remedy.relaxations.is_empty())?;
            plan.with(instance, remedy.place.apply(node, &plan.routes))
        });
        match fitted {
            Some(better) if !stop() => *plan = better,
            _ => return explanations,
        }
    }
}

/// Why each stop is left out, and what would let it in.
pub(crate) fn reasons(plan: &Plan, findings: &[Finding], explanations: Vec<Explanation>) -> Vec<Unserved> {
    let proved = |node: usize| {
        let about = findings
            .iter()
            .filter(move |finding| finding.severity() == Severity::Blocker && finding.nodes.contains(&node));
        about.map(|finding| finding.cause.clone())
    };
    let mut explanations = explanations.into_iter();
    let unserved = plan.unserved.iter().map(|&node| {
        let mut reasons: Vec<String> = proved(node).collect();
        let mut remedies = Vec::new();
        if let Some(explanation) = explanations.next() {
            if reasons.is_empty() {
                reasons.extend(explanation.blocks.iter().map(ToString::to_string));
            }
            reasons.extend(explanation.advice);
            remedies.extend(explanation.remedies.iter().map(ToString::to_string));
        }
        if reasons.is_empty() {
            reasons.push("no place was found for it".to_owned());
        }
        Unserved { node, reasons, remedies }
    });
    unserved.collect()
}
