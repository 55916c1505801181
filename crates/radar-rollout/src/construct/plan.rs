//! Drafts of all routes, and the stops on none of them.

use radar_problem::Routes;

use super::Construction;
use super::draft::Draft;
use super::yard::Yard;

/// How many routes are asked in a hurry whether they take a stop.
const ROUTES_TRIED: usize = 32;

/// A plan under construction.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) routes: Vec<Draft>,
    pub(super) unserved: Vec<usize>,
}

impl Plan {
    /// Nothing served yet.
    pub(super) fn new(yard: &Yard<'_>) -> Self {
        Self { routes: Vec::new(), unserved: yard.stops().collect() }
    }

    /// Takes routes over (a tour without its depot). Illegal ones are left out and their stops unserved.
    pub(super) fn from_routes(yard: &Yard<'_>, routes: &Routes) -> Self {
        let mut served = vec![false; yard.instance.nodes()];
        let mut drafts = Vec::new();
        for route in routes {
            let stops: Vec<usize> = route.iter().copied().filter(|&stop| stop != 0).collect();
            if let Some(draft) = Draft::through(yard, &stops) {
                draft.stops.iter().for_each(|&stop| served[stop] = true);
                drafts.push(draft);
            }
        }
        Self { routes: drafts, unserved: yard.stops().filter(|&stop| !served[stop]).collect() }
    }

    /// Whether another route may be opened.
    pub(super) fn has_spare(&self, yard: &Yard<'_>) -> bool {
        self.routes.len() < yard.fleet
    }

    /// Serves what is left without looking for good places: each stop gets a route of its own while the
    /// fleet lasts, then stands at the end of the first of a few routes that takes it. Those that
    /// matter most go first. Takes no time to speak of.
    pub(super) fn settle(&mut self, yard: &Yard<'_>) {
        let mut order = std::mem::take(&mut self.unserved);
        by_priority(yard, &mut order);
        let mut from = 0;
        for stop in order {
            let Some(alone) = Draft::alone(yard, stop) else {
                self.unserved.push(stop);
                continue;
            };
            if self.has_spare(yard) {
                self.routes.push(alone);
                continue;
            }
            let tried = self.routes.len().min(ROUTES_TRIED);
            let mut few = (from..from + tried).map(|at| at % self.routes.len());
            if let Some(at) = few.find(|&at| self.routes[at].can_precede(yard, &alone)) {
                self.routes[at].append(yard, &alone);
                from = at;
            } else {
                self.unserved.push(stop);
                from += tried;
            }
        }
    }

    /// The plan in its public form.
    pub(super) fn finish(mut self, yard: &Yard<'_>) -> Construction {
        self.unserved.sort_unstable();
        let mut routes: Vec<Vec<usize>> = self.routes.into_iter().map(|draft| draft.stops).collect();
        if yard.instance.is_tour() {
            let mut tour = vec![0];
            tour.extend(routes.concat());
            routes = vec![tour];
        }
        Construction { routes: Routes(routes), unserved: self.unserved }
    }
}

/// Sorts by priority, greatest first, keeping the order of equals.
pub(super) fn by_priority(yard: &Yard<'_>, stops: &mut [usize]) {
    stops.sort_by(|&one, &other| yard.instance.priority(other).total_cmp(&yard.instance.priority(one)));
}
