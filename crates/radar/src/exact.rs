//! A few stops: every plan is weighed, and nothing is searched.

use radar_problem::Instance;
use radar_search::{Exact, Pace, Weighed, weigh_all};

use crate::error::SolveError;
use crate::options::Options;
use crate::pace::Allowance;
use crate::plan::Plan;
use crate::task::{Proof, Task};

/// The share of the time that weighing may take: search must have the rest if it does not come to an end.
const MOST_TIME: f64 = 0.5;

/// The best plan of the part that can be served, with its proof; `None` if there is too much to weigh.
pub(crate) fn weigh(
    task: &Task<'_>,
    part: &Instance,
    options: &Options,
    allowance: &Allowance<'_>,
) -> Result<Option<(Plan, Option<Proof>)>, SolveError> {
    let mut beginnings = match &options.freeze {
        Some(freeze) => freeze.beginnings(part).map_err(SolveError::Frozen)?.0,
        None => Vec::new(),
    };
    beginnings.retain(|stops| !stops.is_empty());
    let soon = allowance.until(MOST_TIME);
    let stop = || (task.stop)() || soon.is_over();
    let request = Exact { instance: part, beginnings: &beginnings, stop: &stop };
    let served = match weigh_all(&request) {
        Some(Weighed::Best(served)) => served,
        Some(Weighed::Nothing) => {
            let cause = "no way to go on from them is legal; every one was weighed";
            return Err(SolveError::Frozen(cause.to_owned()));
        }
        None => return Ok(None),
    };
    let words = match part.cost_scale().is_exact() {
        true => "exact search: every plan weighed",
        false => "exact search: every plan weighed, for the rounded costs",
    };
    let plan = task.plan(served.routes, &served.unserved, words.to_owned());
    (task.better)(&plan);
    Ok(Some((plan, Some(Proof { bound: served.merit.cost, optimal: true, nodes: None }))))
}

/// How many vehicles a complete plan takes at least, if there are few enough stops to weigh, and there is one.
pub(crate) fn fewest_vehicles(part: &Instance, stop: &dyn Fn() -> bool) -> Option<usize> {
    let is_enough = |vehicles: Option<usize>| {
        let instance = part.clone().with_vehicles(vehicles);
        match weigh_all(&Exact { instance: &instance, beginnings: &[], stop }) {
            Some(Weighed::Best(served)) => Some(served.unserved.is_empty()),
            _ => None,
        }
    };
    is_enough(None)?.then_some(())?;
    let mut counts = 1..=part.stops().len();
    counts.find_map(|count| match is_enough(Some(count)) {
        Some(true) => Some(Some(count)),
        Some(false) => None,
        None => Some(None),
    })?
}
