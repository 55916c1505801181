//! A plan to start from.

use radar_check::{Clause, Violation};
use radar_problem::{Instance, Routes};

use crate::plan::Plan;
use crate::solution::Warning;

/// What a given plan was used for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// The search began with it.
    Start,
    /// Nothing but a comparison at the end.
    Comparison,
}

fn is_missing(violation: &Violation) -> bool {
    violation.clause == Clause::MissingStop
}

/// Whether a search can begin with a plan: nothing is wrong with it but stops that are left out.
pub(crate) fn is_start(instance: &Instance, routes: &Routes) -> bool {
    radar_check::check(instance, routes).violations.iter().all(is_missing)
}

/// Takes the given plan when it is better; says so when it could not be used as it is.
pub(crate) fn compare(
    instance: &Instance,
    given: &Routes,
    use_of: Use,
    allow_unserved: bool,
    plan: &mut Plan,
) -> Option<Warning> {
    let verdict = radar_check::check(instance, given);
    let (missing, faults): (Vec<&Violation>, Vec<&Violation>) =
        verdict.violations.iter().partition(|violation| is_missing(violation));
    if !faults.is_empty() {
        let text = format!("the plan to start from is refused and was not used: {}", listed(&faults));
        return Some(Warning::new("warm-plan-refused", text));
    }
    if !missing.is_empty() && !allow_unserved {
        let what = listed(&missing);
        let text = match use_of {
            Use::Start => format!("the plan to start from is not complete, and the rest was put in: {what}"),
            Use::Comparison => format!("the plan to start from is not complete and was not used: {what}"),
        };
        return Some(Warning::new("warm-plan-incomplete", text));
    }
    let mut unserved: Vec<usize> = missing.iter().filter_map(|violation| violation.node).collect();
    unserved.sort_unstable();
    let method = "the given plan".to_owned();
    let given = Plan { routes: given.clone(), unserved, method, model: None };
    if given.merit(instance).beats(&plan.merit(instance)) {
        *plan = given;
    }
    None
}

/// The first few, in words.
fn listed(violations: &[&Violation]) -> String {
    const SHOWN: usize = 3;
    let mut words: Vec<String> =
        violations.iter().take(SHOWN).map(|violation| violation.to_string()).collect();
    if violations.len() > SHOWN {
        words.push(format!("and {} more", violations.len() - SHOWN));
    }
    words.join("; ")
}
