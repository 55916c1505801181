//! Where a stop could go.

use std::collections::BTreeSet;

use radar_problem::{Instance, Routes, Scaled};

/// Where a stop is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: the plan is taken as it stands.
    AsItStands,
    /// On a route of the plan, at this position of it.
    On {
        /// Which route.
        route: usize,
        /// At which position; what stands there moves on by one.
        position: usize,
    },
    /// On a route of its own, perhaps with another stop before or after it, which leaves the route
    /// it was on.
    NewRoute {
        /// Who comes before it.
        before: Option<usize>,
        /// Who comes after it.
        after: Option<usize>,
    },
}

impl Place {
    /// The plan with `stop` put there.
    pub fn apply(self, stop: usize, routes: &Routes) -> Routes {
        let mut changed = routes.clone();
        for (route, nodes) in self.changes(stop, routes) {
            match changed.0.get_mut(route) {
                Some(old) => *old = nodes,
                None => changed.0.push(nodes),
            }
        }
        changed
    }

    /// The routes that change when `stop` is put there, each once; a new one has the next index.
    pub(super) fn changes(self, stop: usize, routes: &Routes) -> Vec<(usize, Vec<usize>)> {
        match self {
            Self::AsItStands => vec![],
            Self::On { route, position } => {
                let mut nodes = routes.0.get(route).cloned().unwrap_or_default();
                nodes.insert(position.min(nodes.len()), stop);
                vec![(route, nodes)]
            }
            Self::NewRoute { before, after } => {
                let moved = |node: &usize| Some(*node) == before || Some(*node) == after;
                let left = routes.iter().enumerate().filter(|(_, nodes)| nodes.iter().any(moved));
                let mut changes: Vec<_> = left
                    .map(|(route, nodes)| {
                        (route, nodes.iter().copied().filter(|node| !moved(node)).collect())
                    })
                    .collect();
                let nodes = before.into_iter().chain([stop]).chain(after).collect();
                changes.push((routes.len(), nodes));
                changes
            }
        }
    }
}

/// Every place that is considered for `stop`: all positions of all routes that are in use, a new
/// route, and, where the depot is better reached or left by way of another stop than directly, a
/// new route with such a stop before it, after it, or both.
pub(super) fn places(instance: &Instance, stop: usize, routes: &Routes) -> Vec<Place> {
    let mut places = Vec::new();
    for (route, nodes) in routes.iter().enumerate().filter(|(_, nodes)| !nodes.is_empty()) {
        // A tour starts at node 0, and nothing else does.
        let positions = match (instance.is_tour(), stop) {
            (true, 0) => 0..=0,
            (true, _) => 1..=nodes.len(),
            (false, _) => 0..=nodes.len(),
        };
        places.extend(positions.map(|position| Place::On { route, position }));
    }
    if instance.is_tour() {
        if places.is_empty() {
            places.push(Place::NewRoute { before: (stop != 0).then_some(0), after: None });
        }
        return places;
    }
    let afters = if instance.is_open() { vec![None] } else { companions(instance, stop, 0) };
    for before in companions(instance, 0, stop) {
        let apart = afters.iter().filter(|after| after.is_none() || **after != before);
        places.extend(apart.map(|&after| Place::NewRoute { before, after }));
    }
    places
}

/// Of many stops that shorten a way, so many of the shortest and so many of the quickest are tried.
const TRIED: usize = 20;

/// Nobody, and the stops by way of which one comes from `from` to `to` shorter or quicker than
/// directly: all of them, or the best when there are very many. One of the two ends is the depot.
fn companions(instance: &Instance, from: usize, to: usize) -> Vec<Option<usize>> {
    let best = |matrix: &Scaled| {
        let way = |by: usize| matrix.at(from, by).saturating_add(matrix.at(by, to));
        // Neither end of the way shortens it, so both are left out by themselves.
        let mut better: Vec<usize> = instance.stops().filter(|&by| way(by) < matrix.at(from, to)).collect();
        better.sort_by_key(|&by| (way(by), by));
        better.truncate(TRIED);
        better
    };
    let chosen: BTreeSet<usize> =
        best(instance.distance()).into_iter().chain(best(instance.duration())).collect();
    std::iter::once(None).chain(chosen.into_iter().map(Some)).collect()
}
