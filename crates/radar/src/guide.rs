//! A network before a search: a plan to start from, and how sure it is of every arc.

use radar_net::decode::Starts;
use radar_net::{Confidence, Decoding};
use radar_problem::{Instance, Routes};
use radar_search::{EdgePrior, Pace};

use crate::error::SolveError;
use crate::neural::decoded;
use crate::options::{Guide, Method, Options};
use crate::pace::{Allowance, exhausting_steps};
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

/// How sure a network is of every arc.
pub(crate) struct Beliefs(Confidence);

impl EdgePrior for Beliefs {
    fn belief(&self, from: usize, to: usize) -> f32 {
        self.0.at(from, to)
    }
}

/// The share of the time by which a network must be done.
const SHARE: f64 = 0.5;
/// From how many nodes it starts unless said: most of its time goes into the encoder then.
const STARTS: usize = 16;

/// Asks the network of the options, where the method takes one before its search. `None` where it does not, where
/// all is frozen or tiny anyway, or where the time was over before the network had a plan.
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
    if options.freeze.is_some() || exhausting_steps(part).is_some() {
        return Ok(None);
    }
    let soon = allowance.until(SHARE);
    let stop = || (task.stop)() || soon.is_over();
    let decoding = Decoding {
        starts: Starts::Spread(options.starts.unwrap_or(STARTS)),
        augment: options.augment.max(1),
        seed: options.seed,
        confidence: options.guide.takes_arcs(),
        ..Decoding::default()
    };
    let Some((routes, decoded)) = decoded(model, part, &decoding, &stop, warnings)? else { return Ok(None) };
    let model = model.card().name.clone();
    let plan = task.plan(routes.clone(), &[], format!("network `{model}`"));
    (task.better)(&plan);
    let cost = radar_check::check(task.whole, &plan.routes).cost.unwrap_or(f64::NAN);
    Ok(Some(Guidance {
        said: format!("network `{model}`: {cost}, best of {} trajectories", decoded.trajectories),
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
