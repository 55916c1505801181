//! A network before a search: a plan to start from, and how sure it is of every arc.

use radar_net::decode::Starts;
use radar_net::{Confidence, Decoding};
use radar_problem::{Feature, Instance, Routes};
use radar_search::{EdgePrior, Pace};

use crate::error::SolveError;
use crate::neural::decoded;
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

/// The share of the time by which a network must be done.
const SHARE: f64 = 0.5;
/// From how many nodes it starts unless said, of routes the likeliest: most of its time goes into the encoder then.
const STARTS: usize = 16;

/// About how many seconds a network of width 128 takes for an entry of the matrix, and one that tells vehicles on their way what to do: not
/// every part of it hears a stop, so one that would overstay is not asked at all.
const SECONDS_PER_ENTRY: f64 = 6e-7;
const SECONDS_PER_ENTRY_TELLING: f64 = 4e-6;
/// How many times as long it may take where length has a limit: if that is tight, such a network sums over what is left of it.
const TIMES_OF_LIMIT: f64 = 10.0;

/// Refuses a network that is not for such a problem, also where none would be asked.
pub(crate) fn refuse_unsuited(part: &Instance, options: &Options) -> Result<(), SolveError> {
    let model = options.model.as_ref().filter(|_| options.method == Method::Auto);
    model.map_or(Ok(()), |model| model.network().suits(part).map_err(SolveError::Model))
}

/// Asks the network of the options, where the method takes one before its search. `None` where it does not, where
/// beginnings are frozen, or where there is too little time for it.
pub(crate) fn ask(
    task: &Task<'_>,
    part: &Instance,
    options: &Options,
    allowance: &Allowance<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Guidance>, SolveError> {
    let Some(model) = options.model.as_ref().filter(|_| options.method == Method::Auto) else {
        return Ok(None);
    };
    // Tiny tours are solved exactly within the search.
    if options.freeze.is_some() || exhausting_steps(part).is_some() {
        return Ok(None);
    }
    let config = &model.card().config;
    let width = config.width as f64 / 128.0;
    let entry = match (config.has_journeys(), part.features().has(Feature::Limit)) {
        (false, _) => SECONDS_PER_ENTRY,
        (true, false) => SECONDS_PER_ENTRY_TELLING,
        (true, true) => TIMES_OF_LIMIT * SECONDS_PER_ENTRY_TELLING,
    };
    let need = entry * (part.nodes() as f64).powi(2) * width * options.augment.max(1) as f64;
    if allowance.left().is_some_and(|left| SHARE * left.as_secs_f64() < need) {
        let text = "there is too little time for the network: the search goes without";
        warnings.push(Warning::new("network-failed", text));
        return Ok(None);
    }
    let soon = allowance.until(SHARE);
    let stop = || (task.stop)() || soon.is_over();
    let decoding = Decoding {
        starts: Starts::AtMost(options.starts.unwrap_or(STARTS)),
        augment: options.augment.max(1),
        seed: options.seed,
        confidence: options.guide.takes_arcs(),
        ..Decoding::default()
    };
    let Some((routes, decoded)) = decoded(model, part, &decoding, &stop, warnings)? else { return Ok(None) };
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
    Ok(Some(Guidance {
        said,
        model,
        start: options.guide.takes_start().then_some(routes),
        beliefs: decoded.confidence.map(Beliefs),
    }))
}

impl Guide {
    fn takes_start(self) -> bool {
        self != Self::Arcs
    }

    fn takes_arcs(self) -> bool {
        self != Self::Start
    }
}
