//! A network before a search: a plan to start from, and how sure it is of every arc. The one that is given, or the one that comes along
//! where that measured better than none.

use std::sync::Arc;
use std::time::Duration;

use radar_net::decode::{Isa, Starts};
use radar_net::{Confidence, Decoded, Decoding, asymmetry};
use radar_problem::{Feature, Instance, Kind, Problem, Routes};
use radar_search::{EdgePrior, Pace};

use crate::error::SolveError;
use crate::neural::{Model, decoded};
use crate::options::{Guide, Method, Options};
use crate::pace::{Allowance, exhausting_steps};
use crate::plan::Plan;
use crate::shipped::shipped;
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

/// The share of the time by which a network must be done.
const SHARE: f64 = 0.5;
/// From how many nodes it starts unless said, of routes the likeliest: as many of these as take so much of the time.
pub(crate) const STARTS: usize = 4;
const SHARE_OF_STARTS: f64 = 0.125;

/// About how many seconds a network of width 128 takes at all, for an entry of the matrix, and for each of its starts: not every part of it
/// hears a stop, so one that would overstay is not asked at all.
struct Expense {
    entry: f64,
    start: f64,
}

/// One that tells nobody on the way what to do; one that tells vehicles; and where length has a limit that may be tight, so that it sums
/// over what is left of it.
const SILENT: Expense = Expense { entry: 6e-7, start: 2e-8 };
const TELLING: Expense = Expense { entry: 7.3e-7, start: 1.3e-7 };
const TELLING_OF_LIMIT: Expense = Expense { entry: 1e-5, start: 3.5e-6 };
const SECONDS: f64 = 0.004;
/// A machine may be so much slower than the one that this was measured on.
const SLOWER: f64 = 1.5;

/// About how long a search takes when nobody says how long.
const USUAL: Duration = Duration::from_secs(1);
/// The network that comes along saves a search more time than it takes from so many stops on, on matrices whose two directions differ
/// by so much of their sum; on those of roads, which are nearly symmetric, it does not (docs/results.md).
const FEWEST: usize = 100;
const ASYMMETRY: f64 = 0.15;

/// Refuses a network that is not for such a problem, also where none would be asked.
pub(crate) fn refuse_unsuited(part: &Instance, options: &Options) -> Result<(), SolveError> {
    let model = options.model.as_ref().filter(|_| options.method == Method::Auto);
    model.map_or(Ok(()), |model| model.network().suits(part).map_err(SolveError::Model))
}

/// The network that comes along, if it may go before the search for a problem. With steps counted, answers are to be the same on
/// machines of every kind, which networks are not to the last bit.
pub fn companion(options: &Options, problem: &Problem) -> Option<Arc<Model>> {
    let is_free = options.method == Method::Auto && options.model.is_none() && options.budget.steps.is_none();
    let begins = options.warm.is_none() && options.freeze.is_none() && options.prior.is_none();
    let is_for_it = problem.kind == Kind::Vrp && is_free && begins;
    // Much time makes the rest of this no better.
    let fits = forecast(TELLING, problem.nodes(), 1) <= SHARE * USUAL.as_secs_f64();
    if is_for_it && fits { shipped(Kind::Vrp, Isa::best()) } else { None }
}

/// The network that comes along, where it measured better with it: whenever nobody said how long to search, if it takes no longer than
/// that; else on what it is quick enough for.
fn chosen(part: &Instance, options: &Options, left: Option<Duration>) -> Option<Arc<Model>> {
    let model = companion(options, part.input())?;
    let within = SHARE * left.unwrap_or(USUAL).as_secs_f64();
    let is_quick = forecast(expense(&model, part), part.nodes(), 1) <= within;
    let is_better = || left.is_none() || part.stops().len() >= FEWEST && asymmetry(part) >= ASYMMETRY;
    (is_quick && is_better()).then_some(model)
}

fn expense(model: &Model, part: &Instance) -> Expense {
    let config = &model.card().config;
    let Expense { entry, start } = match (config.has_journeys(), part.features().has(Feature::Limit)) {
        (false, _) => SILENT,
        (true, false) => TELLING,
        (true, true) => TELLING_OF_LIMIT,
    };
    let width = config.width as f64 / 128.0;
    Expense { entry: width * entry, start: width * start }
}

/// About how many seconds a network takes from so many starts.
fn forecast(Expense { entry, start }: Expense, nodes: usize, starts: usize) -> f64 {
    SLOWER * (SECONDS + (entry + start * starts as f64) * (nodes as f64).powi(2))
}

/// Asks the network of the options, or the one that comes along, where the method takes one before its search. `None` where it does
/// not, where beginnings are frozen, or where there is too little time for it.
pub(crate) fn ask(
    task: &Task<'_>,
    part: &Instance,
    options: &Options,
    allowance: &Allowance<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Guidance>, SolveError> {
    // Tiny tours are solved exactly within the search.
    if options.method != Method::Auto || options.freeze.is_some() || exhausting_steps(part).is_some() {
        return Ok(None);
    }
    let left = allowance.left();
    if options.model.is_none() {
        let Some(model) = chosen(part, options, left) else { return Ok(None) };
        // Nobody asked for it, so nobody wants to hear what kept it from helping.
        let asked = decode(task, part, options, allowance, &model, &mut Vec::new());
        return Ok(asked.ok().flatten().map(|found| guidance(task, options, &model, found)));
    }
    let Some(model) = &options.model else { return Ok(None) };
    let fewest = options.starts.unwrap_or(1).max(1) * options.augment.max(1);
    let need = forecast(expense(model, part), part.nodes(), fewest);
    if left.is_some_and(|left| SHARE * left.as_secs_f64() < need) {
        let text = "there is too little time for the network: the search goes without";
        warnings.push(Warning::new("network-failed", text));
        return Ok(None);
    }
    let asked = decode(task, part, options, allowance, model, warnings)?;
    Ok(asked.map(|found| guidance(task, options, model, found)))
}

/// The best plan of a network, and all that came of it.
fn decode(
    task: &Task<'_>,
    part: &Instance,
    options: &Options,
    allowance: &Allowance<'_>,
    model: &Model,
    warnings: &mut Vec<Warning>,
) -> Result<Option<(Routes, Decoded)>, SolveError> {
    let soon = allowance.until(SHARE);
    let stop = || (task.stop)() || soon.is_over();
    let is_within = |starts: &usize| {
        let within = |left: Duration| SHARE_OF_STARTS * left.as_secs_f64();
        allowance
            .left()
            .is_none_or(|left| forecast(expense(model, part), part.nodes(), *starts) <= within(left))
    };
    let starts = options.starts.or_else(|| (2..=STARTS).rev().find(is_within)).unwrap_or(1);
    let decoding = Decoding {
        starts: Starts::AtMost(starts),
        augment: options.augment.max(1),
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
