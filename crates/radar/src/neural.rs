//! Plans from a network.

use std::fmt;

use radar_net::decode::{Isa, Starts};
use radar_net::network::{Network, Use};
use radar_net::{Card, Checkpoint, Decoded, Decoding, NetError};
use radar_problem::{Instance, Routes};
use radar_rollout::Stop;

use crate::companion;
use crate::error::SolveError;
use crate::options::{Method, Options};
use crate::plan::Plan;
use crate::shipped::shipped;
use crate::solution::Warning;
use crate::task::Task;

/// A network that is ready to decode, with the card that says what it has learned.
pub struct Model {
    card: Card,
    network: Network,
}

impl Model {
    /// Packs the weights of a checkpoint for an instruction set, or the next poorer one that the machine has.
    pub fn new(checkpoint: Checkpoint, isa: Isa) -> Self {
        let Checkpoint { card, weights } = checkpoint;
        Self { card, network: Network::new(weights, isa, Use::Inference) }
    }

    /// Where it comes from and what it has seen.
    pub fn card(&self) -> &Card {
        &self.card
    }

    /// About how many bytes it takes to decode a problem of so many nodes, from as many starts as
    /// [`Options::starts`] says, alone or before the search of [`Method::Auto`].
    pub fn memory(&self, nodes: usize, method: Method, asked: Option<usize>, threads: usize) -> u64 {
        let asked = if method == Method::Auto { asked.or(Some(companion::STARTS)) } else { asked };
        let decoding = Decoding { starts: starts(nodes, asked), confidence: true, ..Decoding::default() };
        self.network.memory_of(nodes, &decoding, threads)
    }

    /// How sure the network is of every arc that it considers at all: from, to, and the mean probability of
    /// taking it, over greedy trajectories from every start.
    pub fn confidence(
        &self,
        instance: &Instance,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<(usize, usize, f32)>, NetError> {
        /// Below this an arc is as good as never taken.
        const LEAST: f32 = 0.01;
        let nodes = instance.nodes();
        let decoding = Decoding { starts: starts(nodes, None), confidence: true, ..Decoding::default() };
        let decoded = self.network.decode(instance, &decoding, stop)?;
        let Some(confidence) = decoded.confidence else { return Ok(Vec::new()) };
        let arcs = (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to)));
        let sure = arcs.map(|(from, to)| (from, to, confidence.at(from, to)));
        Ok(sure.filter(|&(from, to, sure)| from != to && sure >= LEAST).collect())
    }

    /// The network itself.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The instruction set that it runs on.
    pub fn isa(&self) -> Isa {
        self.network.isa()
    }
}

/// From where trajectories start unless `asked`: everywhere up to 512 nodes, above as many as take as long.
fn starts(nodes: usize, asked: Option<usize>) -> Starts {
    const ALL: usize = 512;
    let within = |square: usize| (ALL.pow(3) / square).max(1);
    asked.map_or_else(|| Starts::AtMost(within(nodes.saturating_mul(nodes).max(1))), Starts::AtMost)
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("card", &self.card).field("isa", &self.isa()).finish_non_exhaustive()
    }
}

/// The best plan that the model of the options, or else the one that comes with the program, decodes for the part of a
/// problem that can be served. `None` when no trajectory came to an end that serves all: masks look one step ahead, fleets
/// end many steps ahead.
pub(crate) fn decode(
    task: &Task<'_>,
    part: &Instance,
    options: &Options,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Plan>, SolveError> {
    let none = || {
        let kind = if part.is_tour() { "tours" } else { "routes" };
        let cause = format!("no model was given, and this build brings none for {kind}");
        let action = "give one with `--model`, or take another method";
        SolveError::Model(NetError::new("model", cause, action))
    };
    let model = options.model.clone().or_else(|| shipped(part.input().kind, Isa::best()));
    let model = model.ok_or_else(none)?;
    if options.freeze.is_some() {
        let cause = "a network begins every route anew and cannot keep frozen beginnings";
        return Err(SolveError::Model(NetError::new("model", cause, "take another method")));
    }
    let starts = starts(part.nodes(), options.starts);
    let decoding =
        Decoding { starts, augment: options.augment.max(1), seed: options.seed, ..Decoding::default() };
    let Some((routes, decoded)) = decoded(&model, part, &decoding, task.stop, warnings)? else {
        return Ok(None);
    };
    let (name, made, isa) = (&model.card.name, decoded.trajectories, model.isa());
    let mut plan = task.plan(routes, &[], format!("network `{name}`: best of {made} trajectories, {isa}"));
    plan.model = Some(name.clone());
    (task.better)(&plan);
    Ok(Some(plan))
}

/// The best plan that a model decodes, and all that came of it; what it doubts and why there is no plan become warnings.
pub(crate) fn decoded(
    model: &Model,
    part: &Instance,
    decoding: &Decoding,
    stop: Stop<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Option<(Routes, Decoded)>, SolveError> {
    let mut decoded = model.network.decode(part, decoding, stop).map_err(SolveError::Model)?;
    warnings.extend(model.card.doubts(part).into_iter().map(|text| Warning::new("network-doubts", text)));
    if decoded.plans.is_empty() {
        let made = decoded.trajectories;
        let text = match stop() {
            true => "the time for the network was over before a trajectory was complete".to_owned(),
            false => format!("none of the {made} trajectories of the network serves every stop"),
        };
        warnings.push(Warning::new("network-failed", text));
        return Ok(None);
    }
    let (routes, _) = decoded.plans.swap_remove(0);
    Ok(Some((routes, decoded)))
}
