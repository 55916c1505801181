//! Every complete trajectory under the masks is a plan that the checker accepts.

mod common;

use common::Recipe;
use radar_check::check;
use radar_problem::{Instance, Objective, Variant};
use radar_rollout::{Nearest, Policy, Random, Starts, Trajectory, rollout};

/// Rolls out, judges everything that is complete, and counts (complete, all).
fn judge<P: Policy>(instance: &Instance, seed: u64, policy: impl Fn() -> P + Sync) -> (usize, usize) {
    let trajectories = rollout(&[instance], Starts::All, seed, policy);
    for trajectory in &trajectories {
        assert_eq!(trajectory.plan().is_some(), trajectory.complete);
        let Some(plan) = trajectory.plan() else { continue };
        let verdict = check(instance, plan);
        assert!(verdict.feasible(), "{plan:?}: {:?}", verdict.violations);
        assert_eq!(verdict.scaled_cost, Some(trajectory.cost));
        let first = plan.0[0].first().copied();
        assert!(instance.is_tour() || first == Some(trajectory.start));
    }
    (trajectories.iter().filter(|trajectory| trajectory.complete).count(), trajectories.len())
}

fn recipes() -> Vec<Recipe> {
    let tight = Recipe::tight(9);
    let rough = Recipe::rough(9);
    vec![
        tight,
        Recipe { nodes: 70, ..tight },
        Recipe { shift: true, separate: true, ..tight },
        Recipe { vehicles: Some(4), slack: 40, ..tight },
        rough,
        Recipe { missing: 0.0, ..rough },
        Recipe { triangle: true, missing: 0.5, ..rough },
        Recipe { nodes: 67, missing: 0.02, slack: 200, ..rough },
        Recipe { nodes: 7, vehicles: Some(4), slack: 60, ..rough },
    ]
}

#[test]
fn complete_trajectories_are_legal_plans() {
    for variant in Variant::every() {
        for (at, recipe) in recipes().iter().enumerate() {
            let (mut complete, mut all) = (0, 0);
            for seed in 0..25 {
                let instance = common::any(seed, variant, recipe);
                let instance = match seed % 3 {
                    0 => instance.with_objective(Objective::Duration),
                    _ => instance,
                };
                for counts in [judge(&instance, seed, || Random), judge(&instance, seed, || Nearest)] {
                    complete += counts.0;
                    all += counts.1;
                }
            }
            assert!(complete > 0, "{variant} recipe {at}: none of {all} is complete");
        }
    }
}

#[test]
fn nothing_gets_stuck_where_the_triangle_inequality_holds() {
    for variant in Variant::every() {
        for recipe in [Recipe::tight(9), Recipe { shift: true, separate: true, ..Recipe::tight(12) }] {
            for instance in (0..25).filter_map(|seed| common::unblocked(seed, variant, &recipe)) {
                let (complete, all) = judge(&instance, 5, || Random);
                assert_eq!((complete, all), (instance.stops().len(), instance.stops().len()), "{variant}");
            }
        }
    }
}

#[test]
fn a_batch_of_many_instances_is_each_by_itself() {
    let recipe = Recipe::tight(8);
    let instances: Vec<Instance> = Variant::every()
        .enumerate()
        .map(|(at, variant)| common::any(3, variant, &Recipe { nodes: 4 + 9 * (at % 8), ..recipe }))
        .collect();
    let together: Vec<&Instance> = instances.iter().collect();
    let all = rollout(&together, Starts::AtMost(5), 9, || Nearest);
    for (index, instance) in instances.iter().enumerate() {
        let mut own = rollout(&[instance], Starts::AtMost(5), 9, || Nearest);
        own.iter_mut().for_each(|trajectory| trajectory.instance = index);
        let theirs: Vec<Trajectory> = all.iter().filter(|one| one.instance == index).cloned().collect();
        assert_eq!(own, theirs);
        assert!(!own.is_empty());
    }
}

#[test]
fn random_choices_are_uniform_and_say_so() {
    // Three stops from anywhere at no cost: after the forced first there are depot or two stops.
    let table = radar_problem::Table::from_rows(vec![vec![0.0; 4]; 4]);
    let instance = radar_problem::Problem::vrp(table).validate().instance.expect("fine");
    let mut by_plan = std::collections::BTreeMap::new();
    for seed in 0..6000 {
        let trajectory = &rollout(&[&instance], Starts::AtMost(1), seed, || Random)[0];
        let plan = trajectory.plan().expect("nothing is in the way").0.clone();
        let entry = by_plan.entry(plan).or_insert((0, trajectory.log_prob));
        entry.0 += 1;
        assert_eq!(entry.1, trajectory.log_prob);
    }
    // Orders of routes count: 1 first, then each of two gaps is joined or not, in two orders.
    assert_eq!(by_plan.len(), 8);
    for (plan, (count, log_prob)) in by_plan {
        let expected = 6000.0 * log_prob.exp();
        assert!((f64::from(count) - expected).abs() < 5.0 * expected.sqrt(), "{plan:?}");
    }
}
