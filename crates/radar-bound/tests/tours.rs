//! Tours: no bound above the shortest tour, and every proof right.

mod common;

use radar_bound::{Arcs, Proof, Reduced, Weight, Width, ascend, is_promising, patch, prove, width};
use radar_check::{check, oracle};
use radar_kernel::random::Stream;
use radar_problem::{Instance, Routes};

const NEVER: &(dyn Fn() -> bool + Sync) = &|| false;

/// What is handed to a proof to make tours better.
type Improve = dyn FnMut(&[u32]) -> Vec<u32>;

fn identity(tour: &[u32]) -> Vec<u32> {
    tour.to_vec()
}

fn in_order(instance: &Instance) -> Vec<u32> {
    (0..instance.nodes() as u32).collect()
}

/// Whatever a proof states of an instance with this exact optimum must be true.
fn assert_true(instance: &Instance, proof: &Proof, exact: Option<i64>) {
    let order: Vec<usize> = proof.tour.iter().map(|&node| node as usize).collect();
    let verdict = check(instance, &Routes(vec![order.clone()]));
    let Some(exact) = exact else {
        assert!(!proof.optimal, "there is no tour to be optimal");
        return;
    };
    assert!(proof.bound <= exact, "bound {} above {exact}", proof.bound);
    if verdict.feasible() {
        assert_eq!(order.first(), Some(&0));
        assert_eq!(verdict.scaled_cost, Some(proof.cost));
        assert!(proof.bound <= proof.cost && proof.cost >= exact);
    }
    if proof.optimal {
        assert!(verdict.feasible());
        assert_eq!((proof.cost, proof.bound), (exact, exact));
    }
}

/// Everything that is stated of one instance; returns the complete proof.
fn examine<W: Weight>(instance: &Instance, exact: Option<i64>, stream: &mut Stream) -> Proof {
    let start = in_order(instance);
    let assigned = Reduced::by_assignment(Arcs::<W>::of(instance));
    for reduced in [&assigned, &Reduced::by_minima(Arcs::<W>::of(instance))] {
        if let Some(exact) = exact {
            assert!(reduced.bound() <= exact);
            for (upper, rounds) in [(exact, 40), (exact + 5, 7), (i64::MAX, 25), (i64::MAX, 1)] {
                let ascent = ascend(reduced, upper, rounds, NEVER);
                assert!((reduced.bound()..=exact).contains(&ascent.bound), "{ascent:?} above {exact}");
                assert!(ascent.rounds <= rounds);
            }
            let polls = stream.below(30);
            assert!(ascend(reduced, i64::MAX, 100, &common::stop_after(polls)).bound <= exact);
        }
        for most_nodes in 0..3 {
            let proof = prove(reduced, &start, &mut identity, most_nodes, NEVER);
            assert_true(instance, &proof, exact);
            assert!(proof.nodes <= most_nodes);
        }
        let polls = stream.below(6);
        let stopped = prove(reduced, &start, &mut identity, u64::MAX, &common::stop_after(polls));
        assert_true(instance, &stopped, exact);
        let complete = prove(reduced, &start, &mut identity, u64::MAX, NEVER);
        assert_true(instance, &complete, exact);
        assert_eq!(complete.optimal, exact.is_some());
        is_promising(reduced, complete.cost);
    }
    if let Some(successor) = assigned.successor() {
        let patched = patch(&assigned, successor);
        let mut sorted = patched.clone();
        sorted.sort_unstable();
        assert_eq!((sorted, patched[0]), (start.clone(), 0));
    }
    prove(&assigned, &start, &mut identity, u64::MAX, NEVER)
}

#[test]
fn thousands_of_small_tours() {
    let mut stream = Stream::new(1, "tours", 0);
    let (mut feasible, mut infeasible, mut branched, mut wide) = (0, 0, 0, 0);
    for round in 0..6000 {
        let nodes = 1 + round % 9;
        let instance = common::tour(&mut stream, nodes);
        let exact = oracle::tour(&instance).map(|(cost, _)| cost);
        let in_i64 = examine::<i64>(&instance, exact, &mut stream);
        if width(&instance) == Width::Narrow {
            let in_i32 = examine::<i32>(&instance, exact, &mut stream);
            assert_eq!((in_i32.bound, in_i32.optimal), (in_i64.bound, in_i64.optimal));
        } else {
            wide += 1;
        }
        feasible += usize::from(exact.is_some());
        infeasible += usize::from(exact.is_none());
        branched += usize::from(in_i64.nodes > 1);
    }
    let counts = format!("{feasible} feasible, {infeasible} not, {branched} branched, {wide} wide");
    assert!(feasible > 5000 && infeasible > 300 && branched > 500 && wide > 800, "{counts}");
}

#[test]
fn larger_trees() {
    let mut stream = Stream::new(2, "tours", 0);
    let mut nodes = 0;
    for round in 0..60 {
        // Nearly symmetric tables have assignments of many short cycles, and so large trees.
        let size = 10 + round % 2;
        let mut costs = vec![vec![0.0; size]; size];
        for a in 0..size {
            for b in 0..a {
                let cost = stream.between(1, 100);
                costs[a][b] = cost as f64;
                costs[b][a] = (cost + stream.between(0, 3)) as f64;
            }
        }
        let table = radar_problem::Table::from_rows(costs);
        let instance = radar_problem::Problem::atsp(table).validate().instance.expect("well formed");
        let exact = oracle::tour(&instance).map(|(cost, _)| cost);
        nodes += examine::<i32>(&instance, exact, &mut stream).nodes;
        for most_nodes in [5, 17, 40] {
            let reduced = Reduced::by_assignment(Arcs::<i32>::of(&instance));
            let proof = prove(&reduced, &in_order(&instance), &mut identity, most_nodes, NEVER);
            assert_true(&instance, &proof, exact);
        }
    }
    assert!(nodes > 400, "{nodes} nodes in all");
}

#[test]
fn what_improves_is_not_trusted() {
    let mut stream = Stream::new(3, "tours", 0);
    for round in 0..200 {
        let instance = common::tour(&mut stream, 2 + round % 7);
        let exact = oracle::tour(&instance).map(|(cost, _)| cost);
        let reduced = Reduced::by_assignment(Arcs::<i64>::of(&instance));
        let worthless: [&mut Improve; 4] = [
            &mut |_| Vec::new(),
            &mut |tour| vec![0; tour.len()],
            &mut |tour| tour.iter().map(|node| node + 1).collect(),
            &mut |tour| [tour, tour].concat(),
        ];
        for improve in worthless {
            let proof = prove(&reduced, &in_order(&instance), improve, u64::MAX, NEVER);
            assert_true(&instance, &proof, exact);
            assert_eq!(proof.optimal, exact.is_some());
        }
        // Neither is the tour to begin with.
        for start in [vec![], vec![7; instance.nodes()], vec![0; instance.nodes()]] {
            let proof = prove(&reduced, &start, &mut identity, u64::MAX, NEVER);
            assert_eq!(proof.optimal.then_some(proof.cost), exact);
        }
    }
}

#[test]
fn real_sizes() {
    // No oracle reaches here: the proof and the ascent must agree with each other.
    let tmat = |n: &str| radar_sample::Distribution::named("tmat", &[("n", n)], None).expect("known");
    for (n, index) in [("60", 0), ("60", 1), ("100", 0), ("100", 1), ("200", 0)] {
        let instance = tmat(n).sample(5, index).problem.validate().instance.expect("well formed");
        assert_eq!(width(&instance), Width::Narrow);
        let reduced = Reduced::by_assignment(Arcs::<i32>::of(&instance));
        let start = patch(&reduced, reduced.successor().expect("assigned"));
        let proof = prove(&reduced, &start, &mut identity, u64::MAX, NEVER);
        assert!(proof.optimal && proof.cost == proof.bound);
        let wide = Reduced::by_assignment(Arcs::<i64>::of(&instance));
        assert_eq!(prove(&wide, &start, &mut identity, u64::MAX, NEVER).cost, proof.cost);
        for most_nodes in [1, 3, 10] {
            let part = prove(&reduced, &start, &mut identity, most_nodes, NEVER);
            assert!((reduced.bound()..=proof.cost).contains(&part.bound) && part.cost >= proof.cost);
        }
        let ascent = ascend(&reduced, i64::MAX, 400, NEVER);
        assert!((reduced.bound()..=proof.cost).contains(&ascent.bound));
        // The gap of the assignment shrinks by more than half.
        assert!(2 * (proof.cost - ascent.bound) <= proof.cost - reduced.bound());
        assert_eq!(ascent, ascend(&reduced, i64::MAX, 400, NEVER));
    }
}
