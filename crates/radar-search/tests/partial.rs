//! Whom to serve when not all can be: against the best plans of small problems, found by trying everything.

mod common;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use radar_check::{Clause, check};
use radar_kernel::random::Stream;
use radar_problem::{Instance, Merit, Problem, Routes, Table};
use radar_search::{Pace, Partial, Served, serve_most};

/// The scaled cost of a route, if it is legal.
fn driven(instance: &Instance, stops: &[usize]) -> Option<i64> {
    let verdict = check(instance, &Routes(vec![stops.to_vec()]));
    let is_legal = verdict.violations.iter().all(|violation| violation.clause == Clause::MissingStop);
    verdict.scaled_cost.filter(|_| is_legal)
}

/// The cheapest legal route per set of stops (stop `s` is bit `s - 1`) among those that begin with `nodes`.
fn drive_all(instance: &Instance, nodes: &mut Vec<usize>, cheapest: &mut [Option<i64>]) {
    let set = nodes.iter().map(|stop| 1 << (stop - 1)).sum::<usize>();
    if !nodes.is_empty()
        && let Some(cost) = driven(instance, nodes)
        && cheapest[set].is_none_or(|known| cost < known)
    {
        cheapest[set] = Some(cost);
    }
    for next in instance.stops().filter(|next| set >> (next - 1) & 1 == 0) {
        nodes.push(next);
        drive_all(instance, nodes, cheapest);
        nodes.pop();
    }
}

/// The best that any plan with these beginnings can do.
fn best(instance: &Instance, beginnings: &[Vec<usize>]) -> Option<Merit> {
    let sets = 1 << instance.stops().len();
    let mut plans: Vec<Option<i64>> = vec![None; sets];
    plans[0] = Some(0);
    let mut vehicles = instance.vehicles().unwrap_or(instance.nodes());
    let add = |plans: &[Option<i64>], cheapest: &[Option<i64>], must: bool| {
        let mut more = if must { vec![None; sets] } else { plans.to_vec() };
        for set in 1..sets {
            for part in (1..=set).filter(|part| part & set == *part) {
                let (Some(cost), Some(rest)) = (cheapest[part], plans[set & !part]) else { continue };
                if more[set].is_none_or(|known| cost + rest < known) {
                    more[set] = Some(cost + rest);
                }
            }
        }
        more
    };
    for beginning in beginnings {
        let mut cheapest = vec![None; sets];
        drive_all(instance, &mut beginning.clone(), &mut cheapest);
        plans = add(&plans, &cheapest, true);
        vehicles -= 1;
    }
    let mut cheapest = vec![None; sets];
    drive_all(instance, &mut Vec::new(), &mut cheapest);
    for _ in 0..vehicles.min(instance.stops().len()) {
        plans = add(&plans, &cheapest, false);
    }
    let merits = plans.iter().enumerate().filter_map(|(set, cost)| {
        let unserved: Vec<usize> = instance.stops().filter(|stop| set >> (stop - 1) & 1 == 0).collect();
        cost.map(|cost| Merit::new(instance, &unserved, cost))
    });
    merits.reduce(|one, other| if other.beats(&one) { other } else { one })
}

/// Searches, and makes sure of what holds for every answer.
fn serve(request: &Partial<'_>) -> Option<Served> {
    let mut heard: Option<Merit> = None;
    let served = serve_most(request, &mut |served| {
        assert!(heard.is_none_or(|before| served.merit.beats(&before)));
        heard = Some(served.merit);
    });
    assert_eq!(heard, served.as_ref().map(|served| served.merit));
    if let Some(served) = &served {
        let verdict = check(request.instance, &served.routes);
        let missing: Vec<usize> = verdict.violations.iter().filter_map(|violation| violation.node).collect();
        let is_missing = |clause: Clause| clause == Clause::MissingStop;
        assert!(verdict.violations.iter().all(|one| is_missing(one.clause)), "{:?}", verdict.violations);
        assert_eq!(missing, served.unserved);
        let cost = verdict.scaled_cost.expect("legal");
        assert_eq!(Merit::new(request.instance, &served.unserved, cost), served.merit);
        for (route, &length) in
            request.starts.iter().flatten().zip(request.frozen).filter(|(_, length)| **length > 0)
        {
            assert!(served.routes.iter().any(|other| other.starts_with(&route[..length])), "{route:?}");
        }
    }
    served
}

/// Few arcs, few vehicles or both, with any constraints, some of them with priorities.
fn scarce(stream: &mut Stream, stops: usize) -> Instance {
    let mut problem = common::routes(stream, stops).input().clone();
    if stream.chance(0.5) {
        let share = [0.3, 0.5, 0.7][stream.index(3)];
        let nodes = stops + 1;
        let values = problem.distance.values().to_vec();
        let thin = |value: f64| if stream.chance(share) { f64::INFINITY } else { value };
        problem.distance = Table::from_values(nodes, nodes, values.into_iter().map(thin).collect());
    }
    if stream.chance(0.7) {
        problem.vehicles = Some(1 + stream.index(2));
    }
    if stream.chance(0.3) {
        problem.priority = Some((0..=stops).map(|_| stream.between(0, 5) as f64).collect());
    }
    problem.validate().instance.expect("well formed")
}

fn request<'a>(instance: &'a Instance, start: &'a Routes, pace: &'a dyn Pace) -> Partial<'a> {
    let starts = std::slice::from_ref(start);
    Partial { instance, starts, frozen: &[], settled: false, searches: 1, seed: 1, pace }
}

#[test]
fn as_many_as_possible_are_served_at_the_least_cost() {
    let mut stream = Stream::new(1, "scarce", 0);
    let (mut partial, mut fewer, mut dearer) = (0, 0, 0);
    let rounds = 600;
    for round in 0..rounds {
        let instance = scarce(&mut stream, 1 + round % 6);
        let best = best(&instance, &[]).expect("serving nobody is a plan");
        let pace = common::steps(2000);
        let served = serve(&request(&instance, &Routes::default(), &pace)).expect("likewise");
        assert!(!served.merit.beats(&best), "round {round}: {:?} beats {best:?}", served.merit);
        partial += usize::from(best.unserved > 0);
        fewer += usize::from(Merit { cost: 0, ..best }.beats(&Merit { cost: 0, ..served.merit }));
        // Where all are served it ends at once: cost is for another search.
        dearer += usize::from(best.unserved > 0 && best.beats(&served.merit));
    }
    assert!(partial > rounds / 2, "{partial}");
    assert!(fewer == 0 && dearer * 100 <= rounds, "{fewer} serve too few, {dearer} cost too much");
}

#[test]
fn frozen_beginnings_stay() {
    let mut stream = Stream::new(1, "scarce and frozen", 0);
    let (mut kept, mut fewer, mut refused) = (0, 0, 0);
    for round in 0..400 {
        let stops = 2 + round % 5;
        let instance = scarce(&mut stream, stops);
        let mut order: Vec<usize> = (1..=stops).collect();
        stream.shuffle(&mut order);
        let mut routes: Vec<Vec<usize>> = vec![order[..2].to_vec()];
        if stops > 3 && instance.vehicles().is_none_or(|vehicles| vehicles > 1) {
            routes.push(order[2..4].to_vec());
        }
        let frozen: Vec<usize> = routes.iter().map(|_| 1 + stream.index(2)).collect();
        let beginnings: Vec<Vec<usize>> =
            routes.iter().zip(&frozen).map(|(route, &length)| route[..length].to_vec()).collect();
        let best = best(&instance, &beginnings);
        let (start, pace) = (Routes(routes), common::steps(2000));
        let served = serve(&Partial { frozen: &frozen, ..request(&instance, &start, &pace) });
        match (best, served) {
            (Some(best), Some(served)) => {
                kept += 1;
                assert!(!served.merit.beats(&best));
                fewer += usize::from(Merit { cost: 0, ..best }.beats(&Merit { cost: 0, ..served.merit }));
            }
            (Some(_), None) => fewer += 1,
            (None, served) => {
                refused += 1;
                assert_eq!(served, None);
            }
        }
    }
    assert!(kept > 100 && refused > 50, "{kept} kept, {refused} impossible");
    assert_eq!(fewer, 0);
}

/// One route through all stops in a table with hardly any other arcs.
fn planted(nodes: usize, spare: usize, seed: u64) -> Instance {
    let mut stream = Stream::new(seed, "planted", nodes as u64);
    let mut order: Vec<usize> = (1..nodes).collect();
    stream.shuffle(&mut order);
    order.insert(0, 0);
    let mut values = vec![f64::INFINITY; nodes * nodes];
    for at in 0..nodes {
        values[order[at] * nodes + order[(at + 1) % nodes]] = 1.0 + stream.below(99) as f64;
        for _ in 0..spare {
            values[at * nodes + stream.index(nodes)] = 1.0 + stream.below(99) as f64;
        }
    }
    let problem = Problem { vehicles: Some(1), ..Problem::vrp(Table::from_values(nodes, nodes, values)) };
    problem.validate().instance.expect("well formed")
}

/// From nothing, in few steps, on the hardest tables there are: about nine in ten is what it reaches.
#[test]
fn most_of_a_planted_route_is_found() {
    for (nodes, spare, least) in [(8, 1, 7), (30, 2, 24), (100, 3, 75)] {
        for seed in 0..2 {
            let instance = planted(nodes, spare, seed);
            let pace = common::steps(2000);
            let served = serve(&request(&instance, &Routes::default(), &pace)).expect("a plan");
            let found = nodes - 1 - served.merit.unserved;
            assert!(found >= least, "seed {seed}: {found} of {nodes}");
        }
    }
}

#[test]
fn the_same_seed_and_steps_give_the_same_plan() {
    for name in ["ACVRP", "AOVRPBTW", "AVRPBLTW"] {
        let instance = common::variant(name, "tight", 60, 1, 0).with_vehicles(Some(2));
        let run = |seed| {
            let pace = common::steps(300);
            serve(&Partial { seed, ..request(&instance, &Routes::default(), &pace) }).expect("a plan")
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
    }
}

#[test]
fn the_best_of_several_searches_counts() {
    let mut better = 0;
    for name in ["ACVRP", "AOVRPBTW", "AVRPBLTW"] {
        let instance = common::variant(name, "tight", 40, 1, 0).with_vehicles(Some(2));
        let run = |searches, threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            let pace = common::steps(200);
            let start = Routes::default();
            let request = Partial { searches, ..request(&instance, &start, &pace) };
            pool.install(|| serve_most(&request, &mut |_| ())).expect("a plan")
        };
        let (alone, several) = (run(1, 1), run(4, 1));
        assert_eq!(several, run(4, 3), "threads change nothing");
        assert!(!alone.merit.beats(&several.merit), "{name}: {:?} and {:?}", alone.merit, several.merit);
        better += usize::from(several.merit.beats(&alone.merit));
    }
    assert!(better > 0);
}

/// Is over after so many questions, and counts them.
struct Counting {
    until: u64,
    asked: AtomicU64,
}

impl Counting {
    fn is_late(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= self.until
    }
}

impl Pace for Counting {
    fn spent(&self, _: u64) -> f64 {
        if self.is_late() { 1.0 } else { 0.5 }
    }

    fn left(&self) -> Option<Duration> {
        Some(if self.is_late() { Duration::ZERO } else { Duration::from_secs(3600) })
    }
}

#[test]
fn the_end_of_the_budget_is_heard_at_once() {
    for (stops, name) in [(60, "ACVRP"), (400, "AVRPBLTW")] {
        let instance = common::variant(name, "tight", stops, 1, 0).with_vehicles(Some(3));
        for until in [0, 1, 2, 5, 30] {
            let pace = Counting { until, asked: AtomicU64::new(0) };
            let served = serve(&request(&instance, &Routes::default(), &pace)).expect("a plan");
            let asked = pace.asked.load(Ordering::Relaxed);
            assert!(asked <= until + 2, "asked {asked} times for {until}");
            assert!(served.steps <= until);
        }
    }
}
