//! Several searches side by side that exchange their best.

use rayon::prelude::*;

use crate::engine::Engine;
use crate::pace::Pace;

/// Into how many stretches a search is divided; the best is exchanged and reported between them.
const STRETCHES: u32 = 16;

/// Advances all searches until the budget is spent. At fixed parts of it, those whose best is in the worse half go on from the best of all. `better` hears of every new
/// best. Ends early when `is_proved` says that nothing can be better.
///
/// Threads only schedule the searches: which plans are exchanged depends on the searches alone, and ties go
/// to the first.
pub(crate) fn advance(
    team: &mut [Box<dyn Engine + '_>],
    pace: &dyn Pace,
    better: &mut dyn FnMut(&[Vec<u32>], i64),
    is_proved: &dyn Fn(i64) -> bool,
) {
    let mut known = best_of(team).map(|best| best.1);
    if known.is_some_and(is_proved) {
        return;
    }
    for stretch in 1..=STRETCHES {
        let mark = f64::from(stretch) / f64::from(STRETCHES);
        each(team, |engine| engine.advance(mark, pace));
        let Some((leader, cost)) = best_of(team) else { continue };
        if known.is_none_or(|known| cost < known) {
            known = Some(cost);
            if let Some((plan, cost)) = team[leader].best() {
                better(&plan, cost);
            }
        }
        if is_proved(cost) {
            return;
        }
        if stretch.is_multiple_of(2) && stretch < STRETCHES {
            exchange(team, leader);
        }
    }
}

/// Does something with every search, side by side if there are several.
pub(crate) fn each(team: &mut [Box<dyn Engine + '_>], work: impl Fn(&mut dyn Engine) + Sync) {
    match team {
        [alone] => work(alone.as_mut()),
        _ => team.par_iter_mut().for_each(|engine| work(engine.as_mut())),
    }
}

/// The first search whose best is the best, and that best's cost.
pub(crate) fn best_of(team: &[Box<dyn Engine + '_>]) -> Option<(usize, i64)> {
    let costs = team.iter().enumerate().filter_map(|(at, engine)| Some((at, engine.best_cost()?)));
    costs.min_by_key(|&(at, cost)| (cost, at))
}

/// The worse half goes on from the leader's best.
fn exchange(team: &mut [Box<dyn Engine + '_>], leader: usize) {
    if team.len() < 2 {
        return;
    }
    let Some((plan, best)) = team[leader].best() else { return };
    let mut order: Vec<usize> = (0..team.len()).collect();
    order.sort_by_key(|&at| (team[at].best_cost().unwrap_or(i64::MAX), at));
    for &at in &order[team.len().div_ceil(2)..] {
        if team[at].best_cost() != Some(best) {
            team[at].adopt(&plan);
        }
    }
}
