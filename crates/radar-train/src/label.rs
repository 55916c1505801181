//! Good plans by our own search: what is imitated, and what validation is measured against. Steps alone pace
//! it, so that a plan is a function of its instance.

use std::time::Duration;

use radar_problem::{Instance, Problem, Routes, Table};
use radar_rollout::{Effort, construct};
use radar_search::{Pace, Request, Steps, search};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// A plan and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// Its cost in stated units.
    pub cost: f64,
    /// Whether no plan is better.
    pub optimal: bool,
    /// The plan.
    pub routes: Vec<Vec<usize>>,
}

/// Searches for a good plan in so many steps; tours of random matrices are proved in far fewer. `None` when
/// no complete plan was found, or when it was stopped.
pub fn solve(instance: &Instance, steps: u64, stop: &(dyn Fn() -> bool + Sync)) -> Option<Reference> {
    solve_begun(instance, None, steps, stop)
}

/// The same, where a route has begun and must go on from its last stop.
fn solve_begun(
    instance: &Instance,
    begun: Option<Vec<usize>>,
    steps: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Reference> {
    let starts: Vec<Routes> = begun.into_iter().map(|route| Routes(vec![route])).collect();
    let frozen: Vec<usize> = starts.iter().map(|routes| routes.0[0].len()).collect();
    let rescue = || {
        let best = construct(instance, Effort::modest(instance), 0, stop, &mut |_, _| ());
        best.construction.unserved.is_empty().then_some(best.construction.routes)
    };
    let request = Request {
        instance,
        starts: &starts,
        frozen: &frozen,
        rescue: Some(&rescue),
        prior: None,
        searches: 1,
        seed: 0,
        pace: &Hurried(Steps { most: steps, cancelled: stop }),
    };
    let outcome = search(&request, &mut |_, _| ());
    let Routes(routes) = outcome.routes?;
    let cost = instance.cost_scale().undo(outcome.cost?);
    (!stop()).then_some(Reference { cost, optimal: outcome.optimal, routes })
}

/// A good way on from the end of a path of routes, the depot (0) between them, through all stops that are not on it:
/// first the rest of the route that it ends in, then the others. `None` when none was found, or when it was stopped.
pub fn complete_routes(
    instance: &Instance,
    path: &[usize],
    steps: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<Vec<usize>>> {
    let mut is_left = vec![true; instance.nodes()];
    path.iter().for_each(|&node| is_left[node] = false);
    let left: Vec<usize> = instance.stops().filter(|&stop| is_left[stop]).collect();
    let begun = path.iter().rposition(|&node| node == 0).map_or(path, |depot| &path[depot + 1..]);
    // What is finished is of no further interest.
    let nodes: Vec<usize> =
        std::iter::once(0).chain(begun.iter().copied()).chain(left.iter().copied()).collect();
    let finished = path.iter().filter(|&&node| node == 0).count();
    let vehicles = instance.vehicles().map(|vehicles| vehicles.saturating_sub(finished));
    let rest = instance.subset(&nodes).with_vehicles(vehicles);
    let route: Vec<usize> = (1..=begun.len()).collect();
    // The less is left the less there is to search.
    let steps = (steps * left.len() as u64).div_ceil(instance.stops().len().max(1) as u64);
    let found = solve_begun(&rest, (!route.is_empty()).then_some(route.clone()), steps, stop)?;
    let mut routes = found.routes;
    let mut first = Vec::new();
    if !route.is_empty() {
        let place = routes.iter().position(|found| found.starts_with(&route))?;
        first = routes.swap_remove(place).split_off(route.len());
    }
    let named = |route: Vec<usize>| route.into_iter().map(|stop| nodes[stop]).collect();
    Some(std::iter::once(first).chain(routes).map(named).collect())
}

/// The cheapest way from the end of a path through all nodes of a tour that are not on it, back to its beginning: in
/// the order in which they are visited. `None` when none was found, or when it was stopped.
pub fn complete(
    instance: &Instance,
    path: &[usize],
    steps: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<usize>> {
    let (&start, &end) = (path.first()?, path.last()?);
    let mut is_left = vec![true; instance.nodes()];
    path.iter().for_each(|&node| is_left[node] = false);
    let left: Vec<usize> = (0..instance.nodes()).filter(|&node| is_left[node]).collect();
    if left.len() < 2 {
        return Some(left);
    }
    // The path is one node: left from its end, reached at its beginning.
    let from = || std::iter::once(end).chain(left.iter().copied());
    let to = || std::iter::once(start).chain(left.iter().copied());
    let cost = |from: usize, to: usize| instance.stated_cost(from, to);
    let mut rows: Vec<Vec<f64>> = from().map(|from| to().map(|to| cost(from, to)).collect()).collect();
    rows[0][0] = 0.0;
    let rest = Problem::atsp(Table::from_rows(rows)).validate().instance?;
    let Reference { routes, .. } = solve(&rest, steps, stop)?;
    routes.first()?.iter().filter(|&&node| node > 0).map(|&node| left.get(node - 1).copied()).collect()
}

/// Steps, and nothing for a bound that nobody will read.
struct Hurried<'a>(Steps<'a>);

impl Pace for Hurried<'_> {
    fn spent(&self, steps: u64) -> f64 {
        self.0.spent(steps)
    }

    fn left(&self) -> Option<Duration> {
        self.0.left()
    }

    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    fn wants_bound(&self) -> bool {
        false
    }
}

/// Plans for all of some instances, by all threads; `done` hears of each.
pub fn solve_all(
    instances: &[Instance],
    steps: u64,
    stop: &(dyn Fn() -> bool + Sync),
    done: &(dyn Fn() + Sync),
) -> Vec<Option<Reference>> {
    let one = |instance| {
        let plan = if stop() { None } else { solve(instance, steps, stop) };
        done();
        plan
    };
    instances.par_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use radar_sample::Distribution;

    fn instance(name: &str, variant: &str) -> Instance {
        let parameters = [("n", "30"), ("variant", variant)];
        let distribution = Distribution::named(name, &parameters, None).expect("sound");
        distribution.sample(3, 1).problem.validate().instance.expect("sound")
    }

    #[test]
    fn tours_are_proved_and_routes_are_feasible() {
        for (name, variant) in [("tmat", "ATSP"), ("multitask", "AOVRPBLTW"), ("city", "AVRPTW")] {
            let instance = instance(name, variant);
            let plan = solve(&instance, 500, &|| false).expect("a plan");
            let verdict = radar_check::check(&instance, &Routes(plan.routes.clone()));
            assert!(verdict.feasible(), "{variant}");
            assert!(plan.optimal || variant != "ATSP");
            assert_eq!(solve(&instance, 500, &|| false), Some(plan));
        }
    }

    #[test]
    fn ends_are_the_best_there_are() {
        let instance = instance("tmat", "ATSP");
        let whole = solve(&instance, 500, &|| false).expect("a plan");
        let tour = &whole.routes[0];
        let length = |tour: &[usize]| -> i64 {
            (0..tour.len()).map(|at| instance.cost().at(tour[at], tour[(at + 1) % tour.len()])).sum()
        };
        for count in [1, 5, 20, 28, 29, 30] {
            // The best end of a beginning of the best tour is the rest of it.
            let path = &tour[..count];
            let end = complete(&instance, path, 500, &|| false).expect("an end");
            assert_eq!(length(&[path, &end].concat()), length(tour), "{count}");
        }
        let path: Vec<usize> = (0..10).rev().collect();
        let end = complete(&instance, &path, 500, &|| false).expect("an end");
        let mut all = [path, end].concat();
        all.sort_unstable();
        assert_eq!(all, (0..30).collect::<Vec<_>>());
    }

    #[test]
    fn routes_go_on_from_where_they_are() {
        for (name, variant) in [("multitask", "AVRPBLTW"), ("multitask", "AOVRP"), ("city", "AVRPTW")] {
            let instance = instance(name, variant);
            let whole = solve(&instance, 500, &|| false).expect("a plan");
            let driven: Vec<usize> =
                whole.routes.iter().flat_map(|route| route.iter().copied().chain([0])).collect();
            for count in 1..driven.len() {
                let beginning = &driven[..count];
                let routes = complete_routes(&instance, beginning, 300, &|| false).expect("an end");
                let mut all = beginning.to_vec();
                all.extend(&routes[0]);
                let ended: Vec<Vec<usize>> = all.split(|&node| node == 0).map(<[usize]>::to_vec).collect();
                let mut plan: Vec<Vec<usize>> =
                    ended.into_iter().chain(routes[1..].iter().cloned()).collect();
                plan.retain(|route| !route.is_empty());
                let verdict = radar_check::check(&instance, &Routes(plan));
                assert!(verdict.feasible(), "{variant} {count}: {verdict:?}");
                // Nobody goes on from the depot within a route.
                assert!(driven[count - 1] != 0 || routes[0].is_empty());
                // What a short search finds is about as good as what it began with.
                assert!(verdict.cost.expect("a cost") < 1.1 * whole.cost, "{variant} {count}");
            }
        }
    }

    #[test]
    fn a_stop_is_heard() {
        assert_eq!(solve_all(&[instance("tmat", "ATSP")], 500, &|| true, &|| ()), [None]);
        assert_eq!(complete(&instance("tmat", "ATSP"), &[3, 1], 500, &|| true), None);
        assert_eq!(complete_routes(&instance("city", "AVRPTW"), &[3, 1], 500, &|| true), None);
    }
}
