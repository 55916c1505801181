//! Filling: one route after the other, each from a seed and then by what gains most.

use std::cmp::Reverse;

use radar_problem::Instance;

use super::Construction;
use super::draft::Draft;
use super::plan::Plan;
use super::serve::serve;
use super::yard::Yard;
use crate::Stop;

/// Opens a route with the stop that is farthest from the depot and inserts the stop whose own round
/// trip exceeds the cost of its insertion most, until none fits; then opens the next. It needs few
/// vehicles, also under windows.
pub fn filling(instance: &Instance, stop: Stop<'_>) -> Construction {
    let yard = Yard::new(instance);
    let mut plan = Plan::new(&yard);
    // Those that cannot stand alone wait for the end: no route may begin with them.
    let (mut waiting, hopeless): (Vec<usize>, Vec<usize>) =
        plan.unserved.drain(..).partition(|&node| Draft::alone(&yard, node).is_some());
    let trip = |node: usize| yard.cost(0, node) + yard.cost(node, 0);
    waiting.sort_by_key(|&node| Reverse(trip(node)));
    while plan.has_spare(&yard) && !waiting.is_empty() && !stop() {
        let Some(mut route) = Draft::alone(&yard, waiting.remove(0)) else { break };
        while !stop() {
            let gain = |&node: &usize| {
                let (added, place) = route.best_place(&yard, node)?;
                Some((trip(node) - added, Reverse(node), place))
            };
            let Some((_, Reverse(node), place)) = waiting.iter().filter_map(gain).max() else { break };
            waiting.retain(|&other| other != node);
            route.insert(&yard, node, place);
        }
        plan.routes.push(route);
    }
    plan.unserved.extend(waiting.into_iter().chain(hopeless));
    serve(&yard, &mut plan, stop);
    plan.settle(&yard);
    plan.finish(&yard)
}
