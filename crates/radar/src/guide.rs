//! A network before a search: a plan to start from, and how sure it is of every arc. The one that is given, or the one that comes along
//! where that measured better than none.

use std::sync::Arc;

use radar_net::decode::Starts;
use radar_net::{Confidence, Decoded, Decoding};
use radar_problem::{Instance, Routes};
use radar_search::{EdgePrior, Pace};

use crate::companion::{Expense, SHARE, is_quick};
use crate::error::SolveError;
use crate::neural::{Model, decoded};
use crate::options::{Guide, Method, Options};
use crate::pace::{Allowance, exhausting_steps};
use crate::plan::Plan;
use crate::solution::Warning;
use crate::task::Task;

/// What a network said before the search, in the numbers of the part that can be served.
pub(crate) struct Guidance {
    /// The name on its card.
    pub model: String,
    /// Its best plan, if the search is to start from it.
    pub start: Option<Routes>,
    /// How sure it is of every arc, if the search is to hear of that.
    pub beliefs: Option<Beliefs>,
    /// What it contributed, in words.
    pub said: String,
}

impl Guidance {
    /// A plan that was found with it says so.
    pub fn sign(self, plan: &mut Plan) {
        plan.method = format!("{}; then {}", self.said, plan.method);
        plan.model = Some(self.model);
    }
}

/// How sure a network is of every arc.
pub(crate) struct Beliefs(Confidence);

impl EdgePrior for Beliefs {
    fn belief(&self, from: usize, to: usize) -> f32 {
        self.0.at(from, to)
    }
}

/// Refuses a network that is not for such a problem, also where none would be asked.
pub(crate) fn refuse_unsuited(part: &Instance, options: &Options) -> Result<(), SolveError> {
    let model = options.model.as_ref().filter(|_| options.method == Method::Auto);
    model.map_or(Ok(()), |model| model.network().suits(part).map_err(SolveError::Model))
}

/// Asks the network of the options, or the one that comes along where it is a `companion`. `None` where there is none, where beginnings
/// are frozen, or where there is too little time for it.
pub(crate) fn ask(
    task: &Task<'_>,
    part: &Instance,
    options: &Options,
    companion: Option<&Arc<Model>>,
    allowance: &Allowance<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Guidance>, SolveError> {
    // Tiny tours are solved exactly within the search.
    if options.method != Method::Auto || options.freeze.is_some() || exhausting_steps(part).is_some() {
        return Ok(None);
    }
    let Some(model) = options.model.as_ref().or(companion) else { return Ok(None) };
    let fewest = options.starts.unwrap_or(1);
    let expense = Expense::of(model, part);
    let need = expense.seconds(part.nodes(), fewest, options.augment);
    let is_late = allowance.left().is_some_and(|left| SHARE * left.as_secs_f64() < need);
    if options.model.is_none() {
        // Nobody asked for it, so nobody wants to hear what kept it from helping; a fleet that is too small would.
        let quiet = &mut Vec::new();
        let is_worth_trying =
            !is_late && !task.is_fleet_too_small && is_quick(&expense, part.nodes(), options);
        let asked = is_worth_trying.then(|| decode(task, part, options, allowance, model, &expense, quiet));
        let found = asked.and_then(Result::ok).flatten();
        return Ok(found.map(|found| guidance(task, options, model, found)));
    }
    if is_late {
        let text = "there is too little time for the network: the search goes without";
        warnings.push(Warning::new("network-failed", text));
        return Ok(None);
    }
    let found = decode(task, part, options, allowance, model, &expense, warnings)?;
    Ok(found.map(|found| guidance(task, options, model, found)))
}

/// The best plan of a network, and all that came of it.
fn decode(
    task: &Task<'_>,
    part: &Instance,
    options: &Options,
    allowance: &Allowance<'_>,
    model: &Model,
    expense: &Expense,
    warnings: &mut Vec<Warning>,
) -> Result<Option<(Routes, Decoded)>, SolveError> {
    let soon = allowance.until(SHARE);
    let stop = || (task.stop)() || soon.is_over();
    let (nodes, augment) = (part.nodes(), options.augment.max(1));
    let affordable = || expense.starts(nodes, augment, allowance.left());
    let starts = options.starts.unwrap_or_else(affordable);
    let decoding = Decoding {
        starts: Starts::AtMost(starts),
        augment,
        seed: options.seed,
        confidence: options.guide.takes_arcs(),
        ..Decoding::default()
    };
    decoded(model, part, &decoding, &stop, warnings)
}

/// What a search hears of what a network found.
fn guidance(
    task: &Task<'_>,
    options: &Options,
    model: &Model,
    (routes, decoded): (Routes, Decoded),
) -> Guidance {
    let model = model.card().name.clone();
    let mut plan = task.plan(routes.clone(), &[], String::new());
    let cost = radar_check::check(task.whole, &plan.routes).cost.unwrap_or(f64::NAN);
    // Sums of decimals end in noise.
    let (cost, made) = ((1e6 * cost).round() / 1e6, decoded.trajectories);
    let trajectories = if made == 1 { "trajectory" } else { "trajectories" };
    let said = format!("network `{model}`: {cost}, best of {made} {trajectories}");
    // It may be the answer, if there is no time left for a search.
    (plan.method, plan.model) = (said.clone(), Some(model.clone()));
    (task.better)(&plan);
    Guidance {
        said,
        model,
        start: options.guide.takes_start().then_some(routes),
        beliefs: decoded.confidence.map(Beliefs),
    }
}

impl Guide {
    fn takes_start(self) -> bool {
        self != Self::Arcs
    }

    fn takes_arcs(self) -> bool {
        self != Self::Start
    }
}
