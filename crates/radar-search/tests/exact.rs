//! What is weighed is the best there is, on small problems of every kind.

mod common;

use radar_check::{Clause, check, oracle};
use radar_kernel::random::Stream;
use radar_problem::{Instance, Merit, Objective, Routes, Variant};
use radar_search::{Exact, MOST_WEIGHED, Served, Weighed, weigh_all};

fn weigh(instance: &Instance, beginnings: &[Vec<usize>]) -> Option<Served> {
    match weigh_all(&Exact { instance, beginnings, stop: &|| false }).expect("few stops") {
        Weighed::Best(served) => Some(served),
        Weighed::Nothing => None,
    }
}

/// The best plan of some of the stops, by trying every set of them.
fn least_missed(instance: &Instance) -> Merit {
    let stops = instance.nodes() - 1;
    let mut best: Option<Merit> = None;
    for set in 0_usize..1 << stops {
        let (served, missed): (Vec<usize>, Vec<usize>) =
            (1..=stops).partition(|stop| set >> (stop - 1) & 1 == 1);
        let nodes: Vec<usize> = std::iter::once(0).chain(served).collect();
        let cost = if nodes.len() == 1 {
            Some(0)
        } else {
            oracle::routes(&instance.subset(&nodes)).map(|best| best.0)
        };
        let Some(cost) = cost else { continue };
        let merit = Merit::new(instance, &missed, cost);
        if best.is_none_or(|best| merit.beats(&best)) {
            best = Some(merit);
        }
    }
    best.expect("nobody can always be served")
}

/// Makes sure that a plan is legal apart from the stops it says it leaves out, and costs what it says.
fn is_sound(instance: &Instance, served: &Served) {
    let verdict = check(instance, &served.routes);
    let missing: Vec<usize> = verdict
        .violations
        .iter()
        .map(|violation| {
            assert_eq!(violation.clause, Clause::MissingStop, "{violation}");
            violation.node.expect("a stop")
        })
        .collect();
    assert_eq!(missing, served.unserved);
    assert_eq!(verdict.scaled_cost, Some(served.merit.cost));
    assert_eq!(Merit::new(instance, &served.unserved, served.merit.cost), served.merit);
}

#[test]
fn complete_plans_are_the_oracles() {
    let (mut complete, mut partial) = (0, 0);
    let mut compare = |instance: &Instance, what: &str| {
        let served = weigh(instance, &[]).expect("nobody can always be served");
        is_sound(instance, &served);
        match oracle::routes(instance) {
            Some((cost, _)) => {
                complete += 1;
                assert_eq!((served.unserved.len(), served.merit.cost), (0, cost), "{what}");
            }
            None => {
                partial += 1;
                assert!(!served.unserved.is_empty(), "{what}");
            }
        }
    };
    let mut stream = Stream::new(3, "routes to weigh", 0);
    for round in 0..2500 {
        let mut instance = common::routes(&mut stream, 1 + round % 6);
        if stream.chance(0.4) {
            instance = instance.with_objective(Objective::Duration);
        }
        compare(&instance, &format!("round {round}"));
    }
    for preset in ["paper", "tight"] {
        for variant in Variant::every().filter(|&variant| variant != Variant::Atsp) {
            for index in 0..40 {
                let instance =
                    common::variant(&variant.to_string(), preset, 2 + index as usize % 5, 7, index);
                compare(&instance, &format!("{variant} {preset} {index}"));
            }
        }
    }
    assert!(complete > 2000 && partial > 400, "{complete} {partial}");
}

#[test]
fn whom_to_serve_is_weighed_too() {
    let mut stream = Stream::new(4, "whom to serve", 0);
    let mut partial = 0;
    for round in 0..500 {
        let mut problem = common::routes(&mut stream, 1 + round % 5).input().clone();
        if stream.chance(0.5) {
            problem.priority = Some((0..problem.nodes()).map(|_| stream.between(0, 4) as f64).collect());
        }
        problem.vehicles = stream.chance(0.7).then(|| 1 + stream.index(2));
        let instance = problem.validate().instance.expect("well formed");
        let served = weigh(&instance, &[]).expect("nobody can always be served");
        is_sound(&instance, &served);
        assert_eq!(served.merit, least_missed(&instance), "round {round}");
        partial += usize::from(!served.unserved.is_empty());
    }
    assert!(partial > 150, "{partial}");
}

/// Every plan that goes on from the beginnings, one by one.
fn go_on(instance: &Instance, routes: &mut Vec<Vec<usize>>, rest: &[usize], best: &mut Option<Merit>) {
    let verdict =
        check(instance, &Routes(routes.iter().filter(|route| !route.is_empty()).cloned().collect()));
    if verdict.violations.iter().all(|violation| violation.clause == Clause::MissingStop) {
        let missed: Vec<usize> = verdict.violations.iter().filter_map(|violation| violation.node).collect();
        let merit = Merit::new(instance, &missed, verdict.scaled_cost.expect("legal"));
        if best.is_none_or(|best| merit.beats(&best)) {
            *best = Some(merit);
        }
    }
    for (at, &stop) in rest.iter().enumerate() {
        let others = [&rest[..at], &rest[at + 1..]].concat();
        for route in 0..routes.len() {
            routes[route].push(stop);
            go_on(instance, routes, &others, best);
            routes[route].pop();
        }
    }
}

#[test]
fn beginnings_stay_and_the_rest_is_weighed_behind_them() {
    let mut stream = Stream::new(5, "beginnings", 0);
    let (mut legal, mut illegal) = (0, 0);
    for round in 0..250 {
        let instance = common::routes(&mut stream, 2 + round % 4);
        let mut stops: Vec<usize> = instance.stops().collect();
        stream.shuffle(&mut stops);
        let begun = 1 + stream.index(stops.len().min(3));
        let cut = stream.index(begun);
        let mut beginnings = vec![stops[..cut].to_vec(), stops[cut..begun].to_vec()];
        beginnings.retain(|beginning| !beginning.is_empty());
        if instance.vehicles().is_some_and(|vehicles| beginnings.len() > vehicles) {
            continue;
        }
        let mut routes = beginnings.clone();
        routes.resize(instance.vehicles().unwrap_or(stops.len()).min(stops.len()), Vec::new());
        let mut best = None;
        go_on(&instance, &mut routes, &stops[begun..], &mut best);
        let served = weigh(&instance, &beginnings);
        assert_eq!(served.as_ref().map(|served| served.merit), best, "round {round}");
        *(if served.is_some() { &mut legal } else { &mut illegal }) += 1;
        if let Some(served) = served {
            is_sound(&instance, &served);
            assert!(
                beginnings.iter().zip(served.routes.iter()).all(|(begun, route)| route.starts_with(begun))
            );
        }
    }
    assert!(legal > 80 && illegal > 30, "{legal} {illegal}");
}

#[test]
fn nothing_is_weighed_without_time_nor_beyond_a_few_stops() {
    let mut stream = Stream::new(6, "too many", 0);
    let asked = std::cell::Cell::new(0);
    let instance = common::variant("AVRPBLTW", "tight", MOST_WEIGHED, 1, 0);
    let late = || {
        asked.set(asked.get() + 1);
        asked.get() > 100
    };
    assert_eq!(weigh_all(&Exact { instance: &instance, beginnings: &[], stop: &late }), None);
    assert_eq!(asked.get(), 101, "the end is heard of");
    assert!(weigh_all(&Exact { instance: &instance, beginnings: &[], stop: &|| false }).is_some());
    let more = common::routes(&mut stream, MOST_WEIGHED + 1);
    assert_eq!(weigh_all(&Exact { instance: &more, beginnings: &[], stop: &|| false }), None);
    let tour = common::tour(&mut stream, 5);
    assert_eq!(weigh_all(&Exact { instance: &tour, beginnings: &[], stop: &|| false }), None);
}
