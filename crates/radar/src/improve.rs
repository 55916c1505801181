//! Search on what can be served, and what to do when it finds no complete plan.

use radar_problem::{Instance, Routes};
use radar_search::{EdgePrior, Outcome, Pace, Request, affords_search, search};

use crate::options::{Freeze, Options};

/// What is searched.
pub(crate) struct Improvement<'a> {
    pub options: &'a Options,
    pub instance: &'a Instance,
    pub pace: &'a dyn Pace,
    /// Beliefs about arcs, in the numbers of `nodes`, and the number there of each node of the instance.
    pub prior: Option<&'a dyn EdgePrior>,
    pub nodes: &'a [usize],
    /// Complete plans of another making, asked for when the search has none of its own.
    pub rescue: &'a (dyn Fn() -> Option<Routes> + Sync),
}

impl Improvement<'_> {
    /// Searches from the best of some plans, if there are any. `None` when there is no time even to begin.
    pub fn run(&self, given: &[Routes], better: &mut dyn FnMut(&Routes)) -> Option<Outcome> {
        let Self { options, instance, pace, prior, nodes, rescue } = *self;
        if instance.stops().is_empty() || !affords_search(instance, pace.left()) {
            return None;
        }
        let starts = match &options.freeze {
            Some(freeze) => std::slice::from_ref(&freeze.routes),
            None => given,
        };
        let frozen = options.freeze.as_ref().map_or(&[] as &[usize], |freeze| &freeze.lengths);
        let prior = prior.map(|prior| Renumbered { prior, nodes });
        let request = Request {
            instance,
            starts,
            frozen,
            rescue: Some(rescue),
            prior: prior.as_ref().map(|prior| prior as &dyn EdgePrior),
            searches: options.searches.max(1),
            seed: options.seed,
            pace,
        };
        Some(search(&request, &mut |routes, _| better(routes)))
    }
}

/// Beliefs about the arcs of a whole, asked for in the numbers of a part.
struct Renumbered<'a> {
    prior: &'a dyn EdgePrior,
    nodes: &'a [usize],
}

impl EdgePrior for Renumbered<'_> {
    fn belief(&self, from: usize, to: usize) -> f32 {
        self.prior.belief(self.nodes[from], self.nodes[to])
    }
}

impl Freeze {
    /// Whether anything must stay.
    pub(crate) fn holds_something(&self) -> bool {
        self.lengths.iter().any(|&length| length > 0)
    }

    /// The frozen beginnings alone, or what is wrong with them.
    pub(crate) fn beginnings(&self, instance: &Instance) -> Result<Routes, String> {
        let mut seen = vec![false; instance.nodes()];
        for route in &self.routes {
            for &node in route {
                if node >= seen.len() || (node == 0 && !instance.is_tour()) {
                    return Err(format!("node {node} is no stop of this problem"));
                }
                if std::mem::replace(&mut seen[node], true) {
                    return Err(format!("{} is visited twice", instance.label(node)));
                }
            }
        }
        let (told, routes) = (self.lengths.len(), self.routes.len());
        if told != routes {
            return Err(format!("of {told} routes it is said how many stops stay, but there are {routes}"));
        }
        if instance.is_tour() {
            let starts_home = self.routes.0.first().is_some_and(|tour| tour.first() == Some(&0));
            if self.routes.len() != 1 || !starts_home {
                return Err("a frozen tour is one list that starts at node 0".to_owned());
            }
        }
        let mut beginnings = Vec::new();
        for (at, (route, &length)) in self.routes.iter().zip(&self.lengths).enumerate() {
            if length > route.len() {
                let (number, has) = (at + 1, route.len());
                return Err(format!("{length} stops of route #{number} are to stay, but it has {has}"));
            }
            beginnings.push(route[..length].to_vec());
        }
        let used = beginnings.iter().filter(|route| !route.is_empty()).count();
        if instance.vehicles().is_some_and(|vehicles| used > vehicles) {
            return Err(format!("{used} routes are under way, but there are fewer vehicles"));
        }
        Ok(Routes(beginnings))
    }

    /// Whether every frozen beginning is the beginning of a route.
    pub(crate) fn is_kept(&self, routes: &Routes) -> bool {
        let beginnings = self.routes.iter().zip(&self.lengths).map(|(route, &length)| &route[..length]);
        let mut beginnings = beginnings.filter(|beginning| !beginning.is_empty());
        beginnings.all(|beginning| routes.iter().any(|route| route.starts_with(beginning)))
    }
}
