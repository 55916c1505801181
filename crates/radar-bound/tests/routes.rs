//! Routes: no bound above the cheapest plan of any variant.

mod common;

use radar_bound::{Arcs, Reduced, Weight, Width, ascend, prove, stated, width};
use radar_check::{check, oracle};
use radar_kernel::random::Stream;
use radar_problem::{Instance, Objective, Routes, Variant};

const NEVER: &(dyn Fn() -> bool + Sync) = &|| false;

/// What the gaps to the optimum add up to: of the assignment, the minima and the ascent.
#[derive(Clone, Copy, Debug, Default)]
struct Gaps {
    exact: i64,
    assignment: i64,
    minima: i64,
    ascent: i64,
}

/// Every bound against the cheapest plan; returns them.
fn examine<W: Weight>(instance: &Instance, exact: i64, plan: &Routes) -> Gaps {
    let assigned = Reduced::by_assignment(Arcs::<W>::of(instance));
    let minima = Reduced::by_minima(Arcs::<W>::of(instance));
    let mut gaps = Gaps { exact, ..Gaps::default() };
    for (reduced, is_assigned) in [(&assigned, true), (&minima, false)] {
        let bound = reduced.bound();
        assert!(bound <= exact, "{bound} above {exact}");
        assert!((reduced.least_routes()..=reduced.most_routes()).contains(&plan.len()));
        let ascent = ascend(reduced, i64::MAX, 60, NEVER).bound;
        assert!((bound..=exact).contains(&ascent), "ascent from {bound} to {ascent}, above {exact}");
        assert!(ascend(reduced, exact, 9, NEVER).bound <= exact);
        assert!(ascend(reduced, exact, 90, &common::stop_after(20)).bound <= exact);
        assert_worth(instance, reduced, plan, exact);
        // Proofs are of tours; of routes they state the bound.
        let proof = prove(reduced, &[], &mut |tour| tour.to_vec(), 9, NEVER);
        assert_eq!((proof.bound, proof.optimal), (bound, false));
        *(if is_assigned { &mut gaps.assignment } else { &mut gaps.minima }) = exact - bound;
        if is_assigned {
            gaps.ascent = exact - ascent;
        }
    }
    let stated_cost = check(instance, plan).cost.expect("feasible");
    assert!(stated(instance, assigned.bound()) <= stated_cost + 1e-9 * stated_cost.abs());
    gaps
}

/// The reduced cost of a plan and the worth of the prices are its cost.
fn assert_worth<W: Weight>(instance: &Instance, reduced: &Reduced<W>, plan: &Routes, exact: i64) {
    let mut total = 0;
    for route in plan.iter() {
        let from = std::iter::once(0).chain(route.iter().copied());
        let to = route.iter().copied().chain([0]);
        for (from, to) in from.zip(to) {
            assert!(!reduced.is_absent(from, to), "an arc of a plan is absent");
            assert!(reduced.at(from, to).to_i64() >= 0);
            total += reduced.at(from, to).to_i64();
        }
    }
    assert_eq!(total + reduced.worth(plan.len()), exact);
    // A route without stops changes nothing.
    assert_eq!(total + reduced.at(0, 0).to_i64() + reduced.worth(plan.len() + 1), exact);
    assert_eq!(instance.nodes(), reduced.nodes());
}

/// All that can be said about an instance that may have no plan.
fn examine_all(instance: &Instance) -> Option<Gaps> {
    let Some((exact, plan)) = oracle::routes(instance) else {
        // Nothing is claimed of it, but nothing may break either.
        let reduced = Reduced::by_assignment(Arcs::<i64>::of(instance));
        ascend(&reduced, i64::MAX, 20, NEVER);
        return None;
    };
    let wide = examine::<i64>(instance, exact, &plan);
    if width(instance) == Width::Narrow {
        let narrow = examine::<i32>(instance, exact, &plan);
        assert_eq!((narrow.assignment, narrow.minima), (wide.assignment, wide.minima));
    }
    Some(wide)
}

fn sum(all: &mut Gaps, one: Gaps) {
    all.exact += one.exact;
    all.assignment += one.assignment;
    all.minima += one.minima;
    all.ascent += one.ascent;
}

#[test]
fn every_variant() {
    for preset in ["paper", "tight"] {
        for variant in Variant::every().filter(|&variant| variant != Variant::Atsp) {
            let mut all = Gaps::default();
            let mut feasible = 0;
            for index in 0..500 {
                let n = (3 + index % 4).to_string();
                let settings = [("n", n.as_str()), ("variant", &variant.to_string()), ("preset", preset)];
                let sample = radar_sample::Distribution::named("multitask", &settings, None);
                let problem = sample.expect("known").sample(11, index).problem;
                let instance = problem.validate().instance.expect("well formed");
                if let Some(gaps) = examine_all(&instance) {
                    feasible += 1;
                    sum(&mut all, gaps);
                }
            }
            assert!(feasible > 250, "{variant} {preset}: {feasible} feasible");
            assert!(all.ascent <= all.assignment && all.assignment <= all.minima, "{variant}: {all:?}");
            assert!(all.assignment < all.exact / 2, "{variant} {preset}: {all:?}");
        }
    }
}

#[test]
fn thousands_of_unpleasant_ones() {
    let mut stream = Stream::new(1, "routes", 0);
    let (mut feasible, mut infeasible, mut met) = (0, 0, 0);
    for round in 0..4000 {
        let mut instance = common::routes(&mut stream, 1 + round % 6);
        if stream.chance(0.2) {
            instance = instance.with_objective(Objective::Duration);
        }
        match examine_all(&instance) {
            Some(gaps) => {
                feasible += 1;
                met += usize::from(gaps.ascent == 0);
            }
            None => infeasible += 1,
        }
    }
    let counts = format!("{feasible} feasible, {infeasible} not, {met} met");
    assert!(feasible > 1500 && infeasible > 300 && met > 300, "{counts}");
}

#[test]
fn seven_stops() {
    let mut stream = Stream::new(2, "routes", 0);
    let found = (0..60).filter(|_| examine_all(&common::routes(&mut stream, 7)).is_some()).count();
    assert!(found > 20, "{found}");
}

#[test]
fn limits_ask_for_routes() {
    // Six stops ten away from everything, twenty from home: sixty at least, and twenty to return.
    let way = |from: u8, to: u8| if to == 0 { 20.0 } else { 10.0 * f64::from(from != to) };
    let rows = (0..7).map(|from| (0..7).map(|to| way(from, to)).collect());
    let table = radar_problem::Table::from_rows(rows.collect());
    let mut problem = radar_problem::Problem::vrp(table);
    for (limit, routes) in [(80.0, 1), (79.0, 2), (50.0, 2), (49.0, 3), (30.0, 6)] {
        for by_time in [false, true] {
            problem.limit = (!by_time).then_some(limit);
            problem.max_duration = by_time.then_some(limit + 5.0 * (limit / 10.0 - 2.0).floor());
            problem.service = by_time.then(|| [vec![0.0], vec![5.0; 6]].concat());
            let instance = problem.clone().validate().instance.expect("well formed");
            let reduced = Reduced::by_assignment(Arcs::<i32>::of(&instance));
            assert!(reduced.least_routes() >= routes, "{limit} {by_time}: {}", reduced.least_routes());
            let (exact, plan) = oracle::routes(&instance).expect("feasible");
            assert!(reduced.bound() <= exact && reduced.least_routes() <= plan.len());
        }
    }
}
