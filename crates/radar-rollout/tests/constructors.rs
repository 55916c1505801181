//! Constructors: always legal, never better than the best, sane, and the same on any number of threads.

mod common;

use common::Recipe;
use radar_check::{Clause, check, oracle};
use radar_problem::{Instance, Objective, Problem, Table, Variant};
use radar_rollout::construct::{Construction, Order, Weight, filling, insertion, regret, savings};
use radar_rollout::{Effort, Method, Starts, construct};

const ALL: Effort = Effort { starts: Starts::All, shuffles: 4, most: usize::MAX };

fn best_of(
    instance: &Instance,
    effort: Effort,
    seed: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> (Construction, Method) {
    let mut heard = None;
    let best =
        construct(instance, effort, seed, stop, &mut |plan, method| heard = Some((plan.clone(), method)));
    if let Some(heard) = heard {
        assert_eq!(heard, (best.construction.clone(), best.method), "the last that is heard of is the best");
    }
    assert!(best.tried <= effort.most);
    (best.construction, best.method)
}

#[test]
fn no_more_plans_are_made_than_allowed() {
    let mut costs = Vec::new();
    for most in [0, 1, 2, 5, 20, usize::MAX] {
        let variant = "ACVRP".parse().expect("a variant");
        let instance = common::any(5, variant, &Recipe::tight(40));
        let made = construct(&instance, Effort { most, ..ALL }, 1, &never, &mut |_, _| ());
        assert!(made.tried <= most, "{} of {most}", made.tried);
        assert!(made.tried == most || most > 20);
        costs.push(made.construction.cost(&instance));
    }
    assert!(costs.is_sorted_by(|less, more| less >= more), "more work is never worse: {costs:?}");
}

fn never() -> bool {
    false
}

/// Every constructor by itself.
fn each(instance: &Instance) -> Vec<(String, Construction)> {
    let mut made: Vec<(String, Construction)> = Vec::new();
    for weight in [10, 6, 14, 0] {
        made.push((format!("savings {weight}"), savings(instance, Weight(weight), &never)));
    }
    for order in [Order::Farthest, Order::Packed, Order::Shuffled(1, 2)] {
        made.push((format!("{order:?}"), insertion(instance, order, &never)));
    }
    made.push(("filling".into(), filling(instance, &never)));
    made.push(("regret".into(), regret(instance, &never)));
    made.push(("best".into(), best_of(instance, ALL, 1, &never).0));
    made
}

/// The checker has nothing to say but that exactly the unserved stops are missing.
fn assert_legal(instance: &Instance, name: &str, made: &Construction) {
    let verdict = check(instance, &made.routes);
    let missing: Vec<usize> = verdict
        .violations
        .iter()
        .map(|violation| match violation.clause {
            Clause::MissingStop => violation.node.expect("a stop is missing"),
            _ => panic!("{name} on {}: {violation:?} in {made:?}", instance.variant()),
        })
        .collect();
    assert_eq!(missing, made.unserved, "{name}");
    assert_eq!(verdict.scaled_cost, Some(made.cost(instance)), "{name}");
    assert!(made.routes.iter().all(|route| !route.is_empty()), "{name}");
}

#[test]
fn whatever_is_built_is_legal() {
    let (tight, rough) = (Recipe::tight(10), Recipe::rough(12));
    let recipes = [
        tight,
        Recipe { shift: true, separate: true, ..tight },
        Recipe { vehicles: Some(2), ..tight },
        Recipe { nodes: 70, slack: 60, ..tight },
        rough,
        Recipe { missing: 0.4, ..rough },
        Recipe { vehicles: Some(2), slack: 60, ..rough },
        Recipe { triangle: true, missing: 0.6, slack: 40, ..rough },
    ];
    for variant in Variant::every() {
        for recipe in &recipes {
            for seed in 0..8 {
                let mut instance = common::any(seed, variant, recipe);
                if seed % 2 == 1 {
                    instance = instance.with_objective(Objective::Duration);
                }
                for (name, made) in each(&instance) {
                    assert_legal(&instance, &name, &made);
                }
            }
        }
    }
}

#[test]
fn where_nothing_is_in_the_way_everybody_is_served() {
    for variant in Variant::every() {
        for instance in (0..12).filter_map(|seed| common::unblocked(seed, variant, &Recipe::tight(12))) {
            for (name, made) in each(&instance) {
                assert!(made.unserved.is_empty(), "{name} on {variant}: {made:?}");
            }
        }
    }
}

#[test]
fn nobody_beats_the_oracle_and_the_best_comes_close() {
    let (mut ratio, mut count) = (0.0, 0);
    for variant in Variant::every() {
        for seed in 0..6 {
            let recipe = Recipe { slack: 30, ..Recipe::tight(8) };
            let Some(instance) = common::unblocked(seed, variant, &recipe) else { continue };
            let exact = if instance.is_tour() { oracle::tour(&instance) } else { oracle::routes(&instance) };
            let (optimum, _) = exact.expect("it is feasible");
            for (name, made) in each(&instance) {
                assert!(made.cost(&instance) >= optimum, "{name} on {variant}");
            }
            if optimum > 0 {
                ratio += best_of(&instance, ALL, 1, &never).0.cost(&instance) as f64 / optimum as f64;
                count += 1;
            }
        }
    }
    assert!(count > 50, "{count}");
    assert!(ratio / f64::from(count) < 1.05, "{}", ratio / f64::from(count));
}

/// A closed matrix of the kind the literature trains on, with demands.
fn tmat(seed: u64, nodes: usize, kind: &str) -> Instance {
    let mut stream = radar_kernel::random::Stream::new(seed, "tmat", 0);
    let mut rows = vec![vec![0.0; nodes]; nodes];
    for (from, row) in rows.iter_mut().enumerate() {
        row.iter_mut()
            .enumerate()
            .filter(|(to, _)| *to != from)
            .for_each(|(_, cell)| *cell = stream.below(1_000_000) as f64);
    }
    common::close(&mut rows);
    let mut problem = Problem::atsp(Table::from_rows(rows));
    if kind == "ACVRP" {
        problem.kind = radar_problem::Kind::Vrp;
        problem.capacity = Some(50.0);
        problem.demand =
            Some((0..nodes).map(|node| if node == 0 { 0.0 } else { stream.between(1, 9) as f64 }).collect());
    }
    problem.validate().instance.expect("well formed")
}

#[test]
fn savings_and_insertion_beat_the_nearest_neighbour_on_average() {
    for kind in ["ACVRP", "ATSP"] {
        let (mut near, mut saved, mut inserted, mut best) = (0, 0, 0, 0);
        for seed in 0..6 {
            let instance = tmat(seed, 101, kind);
            let start = Starts::AtMost(1);
            let trajectories = radar_rollout::rollout(&[&instance], start, 1, || radar_rollout::Nearest);
            near += trajectories[0].cost;
            saved += savings(&instance, Weight(10), &never).cost(&instance);
            inserted += regret(&instance, &never).cost(&instance);
            best += best_of(&instance, ALL, 1, &never).0.cost(&instance);
        }
        assert!(saved < near, "{kind}: savings {saved}, nearest {near}");
        assert!(inserted < near, "{kind}: regret {inserted}, nearest {near}");
        assert!(best <= saved.min(inserted), "{kind}");
    }
}

#[test]
fn the_smallest_problems_are_solved() {
    for nodes in 1..=4 {
        for variant in Variant::every() {
            if nodes == 1 && variant != Variant::Atsp {
                continue;
            }
            for seed in 0..5 {
                let recipe = Recipe { slack: 100, ..Recipe::tight(nodes) };
                let Some(instance) = common::unblocked(seed, variant, &recipe) else { continue };
                for (name, made) in each(&instance) {
                    assert_legal(&instance, &name, &made);
                    assert!(made.unserved.is_empty(), "{name} on {variant} with {nodes} nodes");
                }
            }
        }
    }
}

#[test]
fn one_vehicle_takes_what_fits_and_the_important_first() {
    let problem = Problem {
        demand: Some(vec![0.0, 4.0, 4.0, 4.0]),
        capacity: Some(8.0),
        vehicles: Some(1),
        priority: Some(vec![0.0, 1.0, 5.0, 5.0]),
        ..Problem::vrp(Table::from_rows(vec![
            vec![0.0, 1.0, 9.0, 9.0],
            vec![1.0, 0.0, 9.0, 9.0],
            vec![9.0, 9.0, 0.0, 9.0],
            vec![9.0, 9.0, 9.0, 0.0],
        ]))
    };
    let instance = problem.validate().instance.expect("well formed");
    let (made, _) = best_of(&instance, ALL, 1, &never);
    assert_legal(&instance, "best", &made);
    assert_eq!(made.unserved, [1]);
}

#[test]
fn a_tight_fleet_is_enough_when_it_can_be() {
    // Six stops of 3 and three of 4, vehicles of 10: only 3+3+4 each time needs three vehicles.
    let mut demand = vec![3.0; 10];
    (demand[0], demand[7], demand[8], demand[9]) = (0.0, 4.0, 4.0, 4.0);
    let recipe = Recipe::tight(10);
    for seed in 0..10 {
        let rows = common::matrix(&mut radar_kernel::random::Stream::new(seed, "fleet", 0), &recipe);
        let problem = Problem {
            demand: Some(demand.clone()),
            capacity: Some(10.0),
            vehicles: Some(3),
            ..Problem::vrp(Table::from_rows(rows))
        };
        let instance = problem.validate().instance.expect("well formed");
        let (made, _) = best_of(&instance, ALL, seed, &never);
        assert_legal(&instance, "best", &made);
        assert!(made.unserved.is_empty(), "seed {seed}: {made:?}");
    }
}

/// The table without any arc from or to `island`.
fn cut_off(table: &Table, island: usize) -> Table {
    let cell = |from: usize, to: usize| match (from == island) != (to == island) {
        true => f64::INFINITY,
        false => table.at(from, to),
    };
    Table::from_rows(
        (0..table.rows()).map(|from| (0..table.rows()).map(|to| cell(from, to)).collect()).collect(),
    )
}

#[test]
fn an_island_does_not_spoil_the_rest() {
    for variant in Variant::every() {
        for seed in 0..4 {
            let recipe = Recipe { slack: 60, ..Recipe::tight(10) };
            let mut stream = radar_kernel::random::Stream::new(seed, "island", 0);
            let mut problem = common::problem(&mut stream, variant, &recipe);
            problem.distance = cut_off(&problem.distance, 4);
            let report = problem.validate();
            assert!(report.is_blocked());
            let instance = report.instance.expect("well formed");
            for (name, made) in each(&instance) {
                assert_legal(&instance, &name, &made);
                assert_eq!(made.unserved, [4], "{name} on {variant}");
            }
        }
    }
}

#[test]
fn two_stops_that_need_each_other_are_served_together() {
    // Stop 1 is entered from the depot and stop 2 is left to it, and only 1 leads to 2.
    let gone = f64::INFINITY;
    let table = Table::from_rows(vec![
        vec![0.0, 1.0, gone, 2.0],
        vec![gone, 0.0, 1.0, gone],
        vec![1.0, gone, 0.0, gone],
        vec![2.0, gone, gone, 0.0],
    ]);
    let instance = Problem::vrp(table).validate().instance.expect("well formed");
    let (made, _) = best_of(&instance, ALL, 1, &never);
    assert_legal(&instance, "best", &made);
    assert!(made.unserved.is_empty(), "{made:?}");
}

#[test]
fn no_vehicle_serves_nobody() {
    let instance = common::any(1, Variant::Vrp(Default::default()), &Recipe::tight(5)).with_vehicles(Some(0));
    for (name, made) in each(&instance) {
        assert_eq!((made.routes.len(), made.unserved.len()), (0, 4), "{name}");
    }
}

#[test]
fn a_stop_at_any_time_leaves_a_legal_plan() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    for variant in Variant::every() {
        let recipe = Recipe { slack: 60, ..Recipe::tight(30) };
        let Some(instance) = (0..20).find_map(|seed| common::unblocked(seed, variant, &recipe)) else {
            panic!("{variant}: nothing to try")
        };
        for polls in [0, 1, 2, 5, 20, 60, 100, 200, 400, 1000, 3000] {
            let asked = AtomicUsize::new(0);
            let stop = || asked.fetch_add(1, Ordering::Relaxed) >= polls;
            let (made, method) = best_of(&instance, ALL, 1, &stop);
            assert_legal(&instance, &method.to_string(), &made);
            assert!(made.unserved.is_empty(), "{variant} after {polls} polls");
            assert!(polls > 0 || method == Method::Alone);
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for variant in Variant::every() {
        let instance = common::any(2, variant, &Recipe { slack: 60, missing: 0.05, ..Recipe::rough(80) });
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| {
                let random = radar_rollout::rollout(&[&instance], Starts::All, 3, || radar_rollout::Random);
                (best_of(&instance, ALL, 3, &never), random)
            })
        };
        let one = on(1);
        assert!(one == on(2) && one == on(5), "{variant}");
    }
}

#[test]
fn a_large_instance_is_served_too() {
    // Above the sizes at which every pair is compared and missing arcs are searched for beforehand.
    let nodes = 3001;
    let mut stream = radar_kernel::random::Stream::new(1, "large", 0);
    let spots: Vec<[i64; 2]> = (0..nodes).map(|_| [stream.between(0, 999), stream.between(0, 999)]).collect();
    let mut cells = Vec::with_capacity(nodes * nodes);
    for (from, one) in spots.iter().enumerate() {
        for (to, other) in spots.iter().enumerate() {
            let way = (one[0] - other[0]).abs() + (one[1] - other[1]).abs() + stream.between(0, 50);
            // One way streets: no arc leads from a stop to the next two.
            let gone = from > 0 && (to == from + 1 || to == from + 2);
            cells.push(if gone { f64::INFINITY } else { way as f64 });
        }
    }
    let demand = (0..nodes).map(|node| if node == 0 { 0.0 } else { stream.between(1, 9) as f64 }).collect();
    let problem = Problem {
        demand: Some(demand),
        capacity: Some(60.0),
        ..Problem::vrp(Table::from_values(nodes, nodes, cells))
    };
    let instance = problem.validate().instance.expect("well formed");
    let effort = Effort { starts: Starts::AtMost(1), shuffles: 0, most: usize::MAX };
    let (made, _) = best_of(&instance, effort, 1, &never);
    assert_legal(&instance, "best", &made);
    assert!(made.unserved.is_empty());
    let near = radar_rollout::rollout(&[&instance], Starts::AtMost(1), 1, || radar_rollout::Nearest);
    assert!(check(&instance, near[0].plan().expect("complete")).feasible());
    assert!(made.cost(&instance) <= near[0].cost);
}
