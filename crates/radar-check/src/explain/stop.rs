//! Why a stop is not served.

use radar_problem::{Instance, Routes};

use super::describe::{advice, describe_all, describe_place};
use super::need::Tolerance;
use super::place::{Place, places};
use super::select::{Candidate, Selection};
use super::weigh::Balance;
use super::{Explanation, Remedy, Subject};
use crate::clause::{Breach, Violation};
use crate::phrase;
use crate::verdict::examine;

/// Says what keeps a stop out of a plan (which may be empty) and the smallest relaxation that would
/// let it in.
///
/// Considered are every position of every route in use and a route of its own; where the depot is
/// better reached or left by way of another stop than directly, also a route with that stop before
/// it, after it or both, taken from wherever it is served now. What is wrong with the plan already
/// is disregarded: a place is admitted when no clause is violated that was not, and none by more
/// than it was.
///
/// When some single bound is enough, there is one remedy for each such bound, with the least amount
/// over all places; otherwise one remedy that combines the fewest bounds, by the least total of
/// amounts relative to the bounds they raise.
pub fn explain_stop(instance: &Instance, stop: usize, routes: &Routes) -> Explanation {
    if !instance.stops().contains(&stop) {
        return plain(stop, format!("node {stop} is no stop"), "ask about one of the stops");
    }
    let name = phrase::node(instance, stop);
    if let Some(route) = routes.iter().position(|nodes| nodes.contains(&stop)) {
        let headline = format!("{name} is served already, on {}", phrase::route(instance, route));
        return plain(stop, headline, "explain the plan instead, if it is refused");
    }
    let (reports, breaches) = examine(instance, routes);
    let scene = Scene { instance, stop, routes, tolerance: Tolerance::of(&breaches) };
    let balance = Balance::new(instance, stop, routes, &reports, &scene.tolerance);
    let mut selection = Selection::default();
    for place in places(instance, stop, routes) {
        selection.add(instance, balance.weigh(place));
    }
    scene.explain(&name, &selection)
}

fn plain(stop: usize, headline: String, advice: &str) -> Explanation {
    let subject = Subject::Stop(stop);
    Explanation { subject, headline, blocks: vec![], remedies: vec![], advice: vec![advice.to_owned()] }
}

/// The plan before the stop is added.
struct Scene<'a> {
    instance: &'a Instance,
    stop: usize,
    routes: &'a Routes,
    tolerance: Tolerance,
}

impl Scene<'_> {
    /// Puts the best places into words.
    fn explain(&self, name: &str, selection: &Selection) -> Explanation {
        let proposals = selection.proposals(self.instance);
        let best = proposals.first().copied().or(selection.hopeless.as_ref());
        let worse = best.map(|best| self.worse(best.place)).unwrap_or_default();
        let remedies: Vec<Remedy> =
            proposals.iter().filter_map(|candidate| self.confirmed(candidate)).collect();
        let headline = match remedies.first() {
            Some(remedy) if remedy.relaxations.is_empty() => format!("{name} fits {remedy}"),
            Some(_) => format!("{name} does not fit anywhere as things are"),
            None => format!("{name} does not fit anywhere, and loosening bounds cannot admit it"),
        };
        Explanation {
            subject: Subject::Stop(self.stop),
            headline,
            advice: worse.iter().filter_map(|breach| advice(self.instance, breach)).collect(),
            blocks: worse.into_iter().map(|breach| Violation::new(self.instance, breach)).collect(),
            remedies,
        }
    }

    /// What the checker holds against a place that it did not hold against the plan before.
    fn worse(&self, place: Place) -> Vec<Breach> {
        let (_, breaches) = examine(self.instance, &place.apply(self.stop, self.routes));
        self.tolerance.beyond(breaches)
    }

    /// The remedy of a candidate, if the checker confirms it.
    fn confirmed(&self, candidate: &Candidate) -> Option<Remedy> {
        let Candidate { place, need, .. } = candidate;
        let relaxations = need.relaxations.clone();
        let plan = place.apply(self.stop, self.routes);
        let (_, breaches) = examine(&self.instance.relaxed(&relaxations), &plan);
        let position = describe_place(self.instance, *place, &self.routes.0);
        let sentence = match relaxations.is_empty() {
            true => position,
            false => format!("{}, {position}", describe_all(self.instance, &relaxations)),
        };
        let place = *place;
        self.tolerance.covers(&breaches).then_some(Remedy { place, relaxations, sentence })
    }
}
