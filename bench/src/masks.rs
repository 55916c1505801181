//! Legal plans that the masks lose.
//!
//! The masks ask whether a vehicle could return at once. Road tables break the triangle inequality, so a
//! plan can be legal as a whole and still pass through a place where that test fails. For every variant, at
//! six stops and with the tight preset, all plans are enumerated: the figure is the share of those the checker
//! accepts that cannot be built under the masks, over windows of synthetic cities and of the Porto example.

use std::sync::Arc;

use radar_check::check;
use radar_format::{Given, read};
use radar_problem::{Instance, Routes, Variant};
use radar_rollout::{Random, Rules, Starts, State, rollout};
use radar_sample::{Atlas, Distribution, Roads};

use crate::Row;

const STOPS: usize = 6;
const WINDOWS: u64 = 40;

pub fn run() -> Vec<Row> {
    let example = include_bytes!("../../examples/porto.json");
    let porto = read(Some("porto.json"), example, &Given::default()).expect("the example").problems.remove(0);
    let roads =
        Roads::new(porto.distance, porto.duration, porto.points, f64::INFINITY).expect("a road matrix");
    let roads = Arc::new(Atlas::from(roads));
    let plans = plans(STOPS + 1);
    let mut rows = Vec::new();
    for source in ["city", "roads"] {
        let place = if source == "roads" { "porto" } else { source };
        for variant in Variant::every() {
            let parameters =
                [("n", &*STOPS.to_string()), ("variant", &*variant.to_string()), ("preset", "tight")];
            let distribution =
                Distribution::named(source, &parameters, Some(Arc::clone(&roads))).expect("known");
            let mut tally = Tally::default();
            for window in 0..WINDOWS {
                let instance = distribution.sample(1, window).problem.validate().instance.expect("valid");
                tally.add(&instance, &plans, window);
            }
            let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
            rows.push(Row::plain(
                format!("{place} {variant}: legal plans lost of {}", tally.legal),
                share(tally.lost, tally.legal),
                "%",
            ));
            if tally.best_lost > 0 {
                rows.push(Row::plain(
                    format!("{place} {variant}: best plan lost"),
                    share(tally.best_lost, tally.windows),
                    "% of windows",
                ));
            }
            if tally.incomplete > 0 {
                rows.push(Row::plain(
                    format!("{place} {variant}: incomplete rollouts"),
                    share(tally.incomplete, tally.rollouts),
                    "%",
                ));
            }
        }
    }
    rows
}

/// What was counted over all windows.
#[derive(Default)]
struct Tally {
    legal: usize,
    lost: usize,
    windows: usize,
    best_lost: usize,
    rollouts: usize,
    incomplete: usize,
}

impl Tally {
    fn add(&mut self, instance: &Instance, plans: &[Routes], seed: u64) {
        let rules = Rules::new(instance);
        let (mut best, mut best_kept) = (i64::MAX, i64::MAX);
        for plan in plans {
            if instance.is_tour() && plan.len() > 1 {
                continue;
            }
            let plan = if instance.is_tour() { tour(plan, instance.nodes()) } else { plan.clone() };
            let verdict = check(instance, &plan);
            let Some(cost) = verdict.scaled_cost.filter(|_| verdict.feasible()) else { continue };
            self.legal += 1;
            best = best.min(cost);
            match constructible(&rules, &plan) {
                true => best_kept = best_kept.min(cost),
                false => self.lost += 1,
            }
        }
        self.windows += usize::from(best < i64::MAX);
        self.best_lost += usize::from(best < best_kept);
        let trajectories = rollout(&[instance], Starts::All, seed, || Random);
        self.rollouts += trajectories.len();
        self.incomplete += trajectories.iter().filter(|trajectory| !trajectory.complete).count();
    }
}

/// One route as a tour of the first `nodes` nodes.
fn tour(plan: &Routes, nodes: usize) -> Routes {
    let stops = plan.0.concat().into_iter().filter(|&stop| stop < nodes);
    Routes(vec![std::iter::once(0).chain(stops).collect()])
}

/// Whether every move of the plan is in its mask.
fn constructible(rules: &Rules<'_>, plan: &Routes) -> bool {
    let instance = rules.instance();
    let mut unvisited: u64 = instance.stops().map(|stop| 1 << stop).sum();
    let mut state = State::new(instance, 0);
    let mut moves: Vec<usize> = plan.iter().flat_map(|route| route.iter().copied().chain([0])).collect();
    if instance.is_tour() {
        moves = plan.0[0][1..].to_vec();
        state = State::on_tour(instance, 0);
        unvisited &= !1;
    }
    moves.into_iter().all(|node| {
        let mut mask = [0];
        rules.fill(&state, &[unvisited], &mut mask);
        let legal = mask[0] >> node & 1 == 1;
        if legal {
            let next =
                if instance.is_tour() { state.along(instance, node) } else { state.after(instance, node) };
            state = next.0;
            unvisited &= !(1 << node);
        }
        legal
    })
}

/// Every set of ordered, disjoint, non-empty lists of the stops below `nodes`.
fn plans(nodes: usize) -> Vec<Routes> {
    let mut plans: Vec<Vec<Vec<usize>>> = vec![Vec::new()];
    for stop in 1..nodes {
        let mut longer = Vec::new();
        for plan in &plans {
            for (at, route) in plan.iter().enumerate() {
                for place in 0..=route.len() {
                    let mut next = plan.clone();
                    next[at].insert(place, stop);
                    longer.push(next);
                }
            }
            longer.push(plan.iter().cloned().chain([vec![stop]]).collect());
        }
        plans = longer;
    }
    plans.into_iter().map(Routes).collect()
}
