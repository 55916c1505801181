//! The cheapest plan of any variant: every order of every set of stops, then the best partition.

use radar_problem::{Instance, Routes};

use crate::verdict::examine_route;

/// The most stops [`routes`] takes.
pub const MAX_STOPS: usize = 8;

/// The cheapest valid plan and its scaled cost, or `None` when there is none.
///
/// Every sequence of distinct stops is driven by the checker itself. Nothing is cut short: on a
/// matrix that breaks the triangle inequality, a sequence that is refused may become valid by a
/// further stop.
///
/// # Panics
/// When the instance is a tour (ATSP) or has more than [`MAX_STOPS`] stops.
pub fn routes(instance: &Instance) -> Option<(i64, Routes)> {
    let stops = instance.nodes() - 1;
    assert!(!instance.is_tour(), "this oracle is for routes; use `tour`");
    assert!(stops <= MAX_STOPS, "{stops} stops; the oracle takes {MAX_STOPS}");
    let mut cheapest = vec![None; 1 << stops];
    drive_all(instance, &mut Vec::new(), 0, &mut cheapest);
    partition(stops, instance.vehicles().unwrap_or(stops), &cheapest)
}

/// A route and its scaled cost.
type Priced = Option<(i64, Vec<usize>)>;

/// Drives every sequence that continues `nodes`, keeping the cheapest valid one per set of stops
/// (stop `s` is bit `s - 1`).
fn drive_all(instance: &Instance, nodes: &mut Vec<usize>, set: usize, cheapest: &mut [Priced]) {
    for next in instance.stops().filter(|next| set >> (next - 1) & 1 == 0) {
        nodes.push(next);
        let set = set | 1 << (next - 1);
        let mut breaches = Vec::new();
        let report = examine_route(instance, 0, nodes, &mut breaches);
        if let Some(cost) = report.scaled_cost.filter(|_| breaches.is_empty())
            && cheapest[set].as_ref().is_none_or(|(known, _)| cost < *known)
        {
            cheapest[set] = Some((cost, nodes.clone()));
        }
        drive_all(instance, nodes, set, cheapest);
        nodes.pop();
    }
}

/// The cheapest way to split all stops into at most `vehicles` sets that have a route.
fn partition(stops: usize, vehicles: usize, cheapest: &[Priced]) -> Option<(i64, Routes)> {
    let all = cheapest.len() - 1;
    let mut plans: Vec<Option<(i64, Routes)>> = vec![None; cheapest.len()];
    plans[0] = Some((0, Routes::default()));
    for _ in 0..vehicles.min(stops) {
        // With one more vehicle: as before, or one more route through a part of the set.
        let fewer = plans.clone();
        for set in 1..=all {
            for part in (1..=set).filter(|part| part & set == *part) {
                let (Some((cost, route)), Some((rest, plan))) = (&cheapest[part], &fewer[set & !part]) else {
                    continue;
                };
                if plans[set].as_ref().is_none_or(|(known, _)| cost + rest < *known) {
                    let mut plan = plan.clone();
                    plan.0.push(route.clone());
                    plans[set] = Some((cost + rest, plan));
                }
            }
        }
    }
    plans.swap_remove(all)
}
