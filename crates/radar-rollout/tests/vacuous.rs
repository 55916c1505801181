//! A constraint that cannot bind changes no mask, bit for bit.

mod common;

use common::Recipe;
use radar_kernel::random::Stream;
use radar_problem::{Instance, Problem, Variant};
use radar_rollout::{Batch, Policy, Random, Rules};

/// The masks of a random rollout from all starts, step by step.
fn masks(instance: &Instance, seed: u64) -> Vec<Vec<u64>> {
    let rules = [Rules::new(instance)];
    let starts: Vec<(usize, usize)> = rules[0].starts().into_iter().map(|start| (0, start)).collect();
    let mut batch = Batch::new(&rules, &starts);
    let mut streams: Vec<Stream> = (0..batch.len() as u64).map(|at| Stream::new(seed, "walk", at)).collect();
    let (mut actions, mut log_probs) = (vec![0; batch.len()], vec![0.0; batch.len()]);
    let mut steps = vec![batch.masks().to_vec()];
    while !batch.is_done() {
        Random.choose(&batch, &mut streams, &mut actions, &mut log_probs);
        batch.advance(&actions);
        steps.push(batch.masks().to_vec());
    }
    steps
}

/// The same problem with everything it lacks, so wide that it never binds.
fn widened(problem: &Problem) -> Problem {
    let nodes = problem.nodes();
    let mut wide = problem.clone();
    let far = 1e6;
    wide.windows.get_or_insert(vec![[0.0, f64::INFINITY]; nodes]);
    wide.limit.get_or_insert(far);
    wide.max_duration.get_or_insert(far);
    wide.vehicles.get_or_insert(nodes);
    wide.backhaul.get_or_insert(vec![0.0; nodes]);
    wide
}

#[test]
fn what_cannot_bind_changes_no_mask() {
    for variant in Variant::every().filter(|&variant| variant != Variant::Atsp) {
        for (seed, recipe) in [Recipe::tight(9), Recipe::rough(11), Recipe { nodes: 70, ..Recipe::tight(0) }]
            .into_iter()
            .cycle()
            .take(18)
            .enumerate()
        {
            let mut stream = Stream::new(seed as u64, "vacuous", 0);
            let problem = common::problem(&mut stream, variant, &recipe);
            let wide = widened(&problem).validate().instance.expect("well formed");
            let plain = problem.validate().instance.expect("well formed");
            assert_eq!(masks(&plain, 4), masks(&wide, 4), "{variant} {seed}");
        }
    }
}

#[test]
fn an_ample_capacity_is_no_capacity() {
    for seed in 0..20 {
        let mut stream = Stream::new(seed, "vacuous", 1);
        let mut problem = common::problem(&mut stream, "ACVRP".parse().expect("a name"), &Recipe::tight(9));
        problem.capacity = Some(1e6);
        let ample = problem.clone().validate().instance.expect("well formed");
        (problem.capacity, problem.demand) = (None, None);
        assert_eq!(masks(&ample, 4), masks(&problem.validate().instance.expect("well formed"), 4));
    }
}
