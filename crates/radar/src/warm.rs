//! A plan to start from.

use radar_check::{Clause, Violation};
use radar_problem::{Instance, Merit, Routes};

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

/// A given plan as plans are told here: a tour is a circle, and may be given from any of its nodes.
pub(crate) fn from_first(instance: &Instance, routes: &Routes) -> Routes {
    let mut routes = routes.clone();
    let mut lists = routes.0.iter_mut().filter(|list| !list.is_empty());
    if let (true, Some(tour), None) = (instance.is_tour(), lists.next(), lists.next())
        && let Some(first) = tour.iter().position(|&node| node == 0)
    {
        tour.rotate_left(first);
    }
    routes
}

/// The given plan, or why it could not be used as it is.
pub(crate) fn plan(
    instance: &Instance,
    given: &Routes,
    use_of: Use,
    allow_unserved: bool,
) -> Result<Plan, Warning> {
    let verdict = radar_check::check(instance, given);
    let (missing, faults): (Vec<&Violation>, Vec<&Violation>) =
        verdict.violations.iter().partition(|violation| is_missing(violation));
    if !faults.is_empty() {
        let text = format!("the plan to start from is refused and was not used: {}", listed(&faults));
        return Err(Warning::new("warm-plan-refused", text));
    }
    if !missing.is_empty() && !allow_unserved {
        let what = listed(&missing);
        let text = match use_of {
            Use::Start => format!("the plan to start from is not complete, and the rest was put in: {what}"),
            Use::Comparison => format!("the plan to start from is not complete and was not used: {what}"),
        };
        return Err(Warning::new("warm-plan-incomplete", text));
    }
    let mut unserved: Vec<usize> = missing.iter().filter_map(|violation| violation.node).collect();
    unserved.sort_unstable();
    let routes = Routes(given.iter().filter(|route| !route.is_empty()).cloned().collect());
    Ok(Plan { routes, unserved, method: "the given plan".to_owned(), model: None })
}

/// Whether a plan is better than the given one, which else comes back itself: another that costs the same is summed
/// in another order, and may be told with a higher cost.
pub(crate) fn is_improved(instance: &Instance, given: &Plan, plan: &Plan) -> bool {
    // What made the same plan again may have proved something about it.
    if plan.routes == given.routes {
        return true;
    }
    let (before, after) = (given.merit(instance), plan.merit(instance));
    let served = |merit: Merit| Merit { cost: 0, ..merit };
    let told = |plan: &Plan| radar_check::check(instance, &plan.routes).cost;
    // Where costs had to be rounded, those that are told may be in another order.
    let is_told = || {
        instance.cost_scale().is_exact()
            || served(after).beats(&served(before))
            || told(plan).zip(told(given)).is_some_and(|(after, before)| after < before)
    };
    after.beats(&before) && is_told()
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
