//! The tight preset binds where the published one hardly does: measured with the nearest stop that can
//! still be served, a rule that any constructor improves on but none escapes the constraints of.

mod common;

use radar_check::check;
use radar_problem::{Instance, Routes};

/// Routes by the nearest stop that keeps capacity, windows and limit; or without the latter two.
fn nearest(instance: &Instance, bound: bool) -> Routes {
    let mut left: Vec<usize> = instance.stops().collect();
    let mut routes = Vec::new();
    while !left.is_empty() {
        let (mut route, mut place, mut load, mut time, mut length) = (Vec::new(), 0, 0, 0, 0);
        loop {
            let fits = |&stop: &usize| {
                let start = (time + instance.duration().at(place, stop)).max(instance.opens(stop));
                let back = start + instance.service(stop) + instance.duration().at(stop, 0);
                let total = length + instance.distance().at(place, stop) + instance.distance().at(stop, 0);
                let in_time = start <= instance.closes(stop) && back <= instance.closes(0);
                load + instance.demand(stop) <= instance.capacity()
                    && (!bound || (in_time && total <= instance.limit()))
            };
            let next =
                left.iter().copied().filter(fits).min_by_key(|&stop| instance.distance().at(place, stop));
            let Some(stop) = next else { break };
            left.retain(|&other| other != stop);
            time = (time + instance.duration().at(place, stop)).max(instance.opens(stop))
                + instance.service(stop);
            length += instance.distance().at(place, stop);
            load += instance.demand(stop);
            place = stop;
            route.push(stop);
        }
        assert!(!route.is_empty(), "a stop that cannot be served alone");
        routes.push(route);
    }
    Routes(routes)
}

struct Binding {
    /// How many of 40 instances have other routes when the constraint goes.
    changed: usize,
    /// Cost with the constraint over cost without.
    dearer: f64,
    /// Waiting over travelling, in time.
    waiting: f64,
}

fn measure(name: &str, variant: &str, preset: &str) -> Binding {
    let distribution = common::named(name, &[("n", "60"), ("variant", variant), ("preset", preset)]);
    let (mut changed, mut with, mut without, mut waited, mut driven) = (0, 0.0, 0.0, 0.0, 0.0);
    for sample in distribution.sample_many(5, 0..40) {
        let instance = sample.problem.validate().instance.expect("valid");
        let (bound, unbound) = (nearest(&instance, true), nearest(&instance, false));
        let verdict = check(&instance, &bound);
        assert!(verdict.feasible(), "{:?}", verdict.violations);
        changed += usize::from(bound != unbound);
        with += verdict.cost.expect("a cost");
        without += check(&instance, &unbound).cost.expect("a cost");
        for route in &verdict.routes {
            waited += route.stops.iter().map(|visit| visit.wait as f64).sum::<f64>();
        }
        for route in &bound {
            let stops = [0].iter().chain(route).zip(route.iter().chain(&[0]));
            driven += stops.map(|(&from, &to)| instance.duration().at(from, to) as f64).sum::<f64>();
        }
    }
    Binding { changed, dearer: with / without, waiting: waited / driven }
}

#[test]
fn tight_windows_bind_and_make_wait() {
    for name in ["multitask", "asymmetry", "roads"] {
        let tight = measure(name, "AVRPTW", "tight");
        assert_eq!(tight.changed, 40, "{name}");
        assert!(tight.dearer > 1.1, "{name}: {}", tight.dearer);
        assert!(tight.waiting > 0.25, "{name}: {}", tight.waiting);
    }
}

#[test]
fn tight_limits_bind_where_published_ones_do_not() {
    for name in ["multitask", "asymmetry", "roads"] {
        let (tight, paper) = (measure(name, "AVRPL", "tight"), measure(name, "AVRPL", "paper"));
        assert!(tight.changed >= 20, "{name}: {}", tight.changed);
        assert!(tight.changed > paper.changed && tight.dearer > paper.dearer, "{name}");
    }
}
