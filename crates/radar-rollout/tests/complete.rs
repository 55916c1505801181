//! Under the triangle inequality and with any number of vehicles the masks lose nothing: every plan the
//! checker accepts can be built, and no state is a dead end.

mod common;

use std::collections::HashSet;

use common::Recipe;
use radar_check::check;
use radar_problem::{Instance, Routes, Variant};
use radar_rollout::{Batch, Mask, Rules, State};

/// Every plan of stops `1..nodes`: all sets of ordered, disjoint, non-empty lists.
fn plans(nodes: usize) -> Vec<Routes> {
    let mut plans: Vec<Vec<Vec<usize>>> = vec![Vec::new()];
    for stop in 1..nodes {
        let mut longer: Vec<Vec<Vec<usize>>> = Vec::new();
        for plan in &plans {
            for (at, route) in plan.iter().enumerate() {
                for place in 0..=route.len() {
                    let mut next: Vec<Vec<usize>> = plan.clone();
                    next[at].insert(place, stop);
                    longer.push(next);
                }
            }
            let mut next = plan.clone();
            next.push(vec![stop]);
            longer.push(next);
        }
        plans = longer;
    }
    plans.into_iter().map(Routes).collect()
}

/// Every tour through `nodes`, starting at node 0.
fn tours(nodes: usize) -> Vec<Routes> {
    let mut tours = vec![vec![0]];
    for stop in 1..nodes {
        tours = tours
            .iter()
            .flat_map(|tour: &Vec<usize>| {
                (1..=tour.len()).map(|place| {
                    let mut next = tour.clone();
                    next.insert(place, stop);
                    next
                })
            })
            .collect();
    }
    tours.into_iter().map(|tour| Routes(vec![tour])).collect()
}

/// Builds every one of `plans` move by move; panics at the first that is masked. Routes are taken in
/// the order they stand in.
fn replay(rules: &Rules<'_>, plans: &[Routes]) {
    let tour = rules.instance().is_tour();
    let moves: Vec<Vec<usize>> = plans
        .iter()
        .map(|plan| match tour {
            true => plan.0[0].clone(),
            false => plan.iter().flat_map(|route| route.iter().copied().chain([0])).collect(),
        })
        .collect();
    let starts: Vec<(usize, usize)> = moves.iter().map(|moves| (0, moves[0])).collect();
    let offered = rules.starts();
    assert!(starts.iter().all(|(_, start)| offered.contains(start)), "a legal start is not offered");
    let mut batch = Batch::new(std::slice::from_ref(rules), &starts);
    for step in 1..moves.iter().map(Vec::len).max().unwrap_or(0) {
        let actions: Vec<usize> = moves.iter().map(|moves| moves.get(step).copied().unwrap_or(0)).collect();
        for (at, &node) in actions.iter().enumerate().filter(|&(at, _)| step < moves[at].len()) {
            assert!(batch.mask(at).contains(node), "{}: {node} is masked", plans[at].0.len());
        }
        batch.advance(&actions);
    }
    assert!(batch.is_done());
    for (trajectory, plan) in batch.finish().iter().zip(plans) {
        assert_eq!(trajectory.plan(), Some(plan));
    }
}

fn replay_all(nodes: usize, seeds: std::ops::Range<u64>, recipe: Recipe) {
    let (routes, tours) = (plans(nodes), tours(nodes));
    for variant in Variant::every() {
        let (mut legal, mut all) = (0, 0);
        for seed in seeds.clone() {
            let Some(instance) = common::unblocked(seed, variant, &Recipe { nodes, ..recipe }) else {
                continue;
            };
            let plans = if instance.is_tour() { &tours } else { &routes };
            let accepted: Vec<Routes> =
                plans.iter().filter(|plan| check(&instance, plan).feasible()).cloned().collect();
            replay(&Rules::new(&instance), &accepted);
            legal += accepted.len();
            all += plans.len();
        }
        assert!(legal > 0, "{variant}: nothing was tried");
        // The instances are worth something only when they refuse some plans and accept others.
        assert!(variant == Variant::Atsp || legal < all, "{variant}: {legal} of {all}");
    }
}

#[test]
fn every_accepted_plan_can_be_built() {
    for shift in [false, true] {
        replay_all(4, 0..20, Recipe { shift, ..Recipe::tight(0) });
        replay_all(6, 20..32, Recipe { shift, ..Recipe::tight(0) });
    }
    replay_all(6, 40..50, Recipe { slack: 40, ..Recipe::tight(0) });
    replay_all(6, 50..56, Recipe { separate: true, shift: true, ..Recipe::tight(0) });
}

#[test]
fn every_accepted_plan_of_six_and_seven_stops_can_be_built() {
    replay_all(7, 60..63, Recipe { slack: 25, ..Recipe::tight(0) });
    replay_all(8, 71..72, Recipe { slack: 25, shift: true, ..Recipe::tight(0) });
}

#[test]
fn plans_are_counted_right() {
    let counts: Vec<usize> = (1..=6).map(|nodes| plans(nodes).len()).collect();
    assert_eq!(counts, [1, 1, 3, 13, 73, 501]);
    assert_eq!(tours(6).len(), 120);
}

/// Walks every state that mask-legal moves reach.
fn walk(rules: &Rules<'_>, state: State, unvisited: u64, seen: &mut HashSet<(State, u64)>) {
    if !seen.insert((state, unvisited)) {
        return;
    }
    let mut mask = [0];
    rules.fill(&state, &[unvisited], &mut mask);
    let instance = rules.instance();
    let home = mask[0] == 1 && state.node == 0;
    assert_eq!(state.remaining, unvisited.count_ones() as usize);
    if instance.is_tour() {
        assert!(mask[0] != 0 || state.remaining == 0, "stuck at {state:?}");
    } else {
        assert!(mask[0] != 0 && (!home || state.remaining == 0), "stuck at {state:?}");
    }
    if home && !instance.is_tour() {
        return;
    }
    for node in Mask::new(&mask).iter() {
        let next = if instance.is_tour() { state.along(instance, node) } else { state.after(instance, node) };
        walk(rules, next.0, unvisited & !(1 << node), seen);
    }
}

fn walk_all(instance: &Instance) -> usize {
    let rules = Rules::new(instance);
    let stops: u64 = instance.stops().map(|stop| 1 << stop).sum();
    let mut seen = HashSet::new();
    if instance.is_tour() {
        for start in instance.stops() {
            walk(&rules, State::on_tour(instance, start), stops & !(1 << start), &mut seen);
        }
    } else {
        walk(&rules, State::new(instance, 0), stops, &mut seen);
    }
    seen.len()
}

#[test]
fn no_reachable_state_is_a_dead_end() {
    for variant in Variant::every() {
        let mut states = 0;
        for (nodes, seeds, shift) in
            [(4, 0..12, true), (6, 100..108, false), (6, 110..114, true), (8, 120..121, false)]
        {
            for seed in seeds {
                let recipe = Recipe { shift, separate: shift, ..Recipe::tight(nodes) };
                if let Some(instance) = common::unblocked(seed, variant, &recipe) {
                    states += walk_all(&instance);
                }
            }
        }
        assert!(states > 1000, "{variant}: {states}");
    }
}
