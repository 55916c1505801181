//! Regret insertion: first the stop that would suffer most from waiting.

use radar_problem::Instance;

use super::Construction;
use super::draft::Draft;
use super::plan::Plan;
use super::serve::serve;
use super::yard::Yard;
use crate::Stop;

/// A stop that fits into one route only goes before all that have a choice.
const NO_SECOND: i64 = i64::MAX / 2;

/// The two best ways to serve one waiting stop.
#[derive(Clone, Copy)]
struct Choice {
    /// What the best adds, into which route, at which place.
    best: Option<(i64, usize, usize)>,
    second: i64,
    second_route: usize,
}

/// Inserts again and again the stop whose second best route costs most more than its best; an empty
/// route counts as one while the fleet lasts. Time grows with the square of the stops, memory with
/// stops times routes.
pub fn regret(instance: &Instance, stop: Stop<'_>) -> Construction {
    let yard = Yard::new(instance);
    let mut plan = Plan::new(&yard);
    // An open-ended plan always keeps one empty route at its end, as long as the fleet has one.
    if !plan.has_spare(&yard) {
        return plan.finish(&yard);
    }
    plan.routes.push(Draft::empty(&yard));
    let mut added: Vec<Vec<Option<(i64, usize)>>> = vec![Vec::new(); instance.nodes()];
    let mut choices = vec![Choice { best: None, second: NO_SECOND, second_route: 0 }; instance.nodes()];
    let mut changed = 0;
    while !stop() {
        for &node in &plan.unserved {
            let row = &mut added[node];
            row.resize(plan.routes.len(), None);
            // A changed route, and the empty one if it has just been added.
            for at in [changed, plan.routes.len() - 1] {
                row[at] = plan.routes[at].best_place(&yard, node);
            }
            choices[node] = choice(row, choices[node], changed, plan.routes.len() - 1);
        }
        let most = |&&node: &&usize| {
            let choice = choices[node];
            choice.best.map(|(least, ..)| (choice.second - least, -least, usize::MAX - node))
        };
        let Some(&node) = plan.unserved.iter().filter(|node| most(node).is_some()).max_by_key(most) else {
            break;
        };
        let Some((_, at, place)) = choices[node].best else { break };
        plan.unserved.retain(|&other| other != node);
        plan.routes[at].insert(&yard, node, place);
        changed = at;
        if at + 1 == plan.routes.len() && plan.has_spare(&yard) {
            plan.routes.push(Draft::empty(&yard));
        }
    }
    plan.routes.retain(|route| !route.stops.is_empty());
    serve(&yard, &mut plan, stop);
    plan.settle(&yard);
    plan.finish(&yard)
}

/// The two best of `row`, of which only the entries `changed` and `fresh` have changed since `old`.
fn choice(row: &[Option<(i64, usize)>], old: Choice, changed: usize, fresh: usize) -> Choice {
    let touched = |at: usize| at == changed || at == fresh;
    let stale = old.best.is_none_or(|(_, at, _)| touched(at)) || touched(old.second_route);
    let mut choice = match stale {
        true => Choice { best: None, second: NO_SECOND, second_route: fresh },
        false => old,
    };
    let mut offer = |at: usize| {
        let Some((added, place)) = row[at] else { return };
        match choice.best {
            Some((least, ..)) if added >= least => {
                if added < choice.second {
                    (choice.second, choice.second_route) = (added, at);
                }
            }
            previous => {
                if let Some((least, was, _)) = previous {
                    (choice.second, choice.second_route) = (least, was);
                }
                choice.best = Some((added, at, place));
            }
        }
    };
    if stale {
        (0..row.len()).for_each(offer);
    } else {
        offer(changed);
        if fresh != changed {
            offer(fresh);
        }
    }
    choice
}
