//! Temporary.
use crate::candidates::Neighbours;
use crate::fleet::*;
use crate::pace::Pace;
use radar_bound::{Arcs, Reduced};
use radar_kernel::random::Stream;
use radar_problem::Instance;
pub struct Knobs(pub std::collections::BTreeMap<String, f64>);
impl Knobs {
    fn get(&self, k: &str, d: f64) -> f64 {
        *self.0.get(k).unwrap_or(&d)
    }
}
/// Runs.
pub fn fleet(
    instance: &Instance,
    pace: &dyn Pace,
    seed: u64,
    now: &dyn Fn() -> f64,
    knobs: &Knobs,
) -> (Option<i64>, String) {
    let yard = Yard::of(instance);
    match yard.needs() {
        Needs::Load => run::<Load>(instance, &yard, pace, seed, now, knobs),
        Needs::Timeless => run::<Full<false>>(instance, &yard, pace, seed, now, knobs),
        Needs::All => run::<Full<true>>(instance, &yard, pace, seed, now, knobs),
    }
}
fn run<R: Record>(
    instance: &Instance,
    yard: &Yard<'_>,
    pace: &dyn Pace,
    seed: u64,
    now: &dyn Fn() -> f64,
    k: &Knobs,
) -> (Option<i64>, String) {
    let a = now();
    let arcs = Arcs::<i32>::of(instance);
    let b = now();
    let reduced = Reduced::by_assignment(arcs);
    let c = now();
    let neighbours = Neighbours::of(&reduced, k.get("cand", 10.0) as usize, None);
    let d = now();
    let routes = savings::<i32, R>(&reduced, yard, &neighbours);
    let mut s = Settings::usual(instance.nodes());
    s.heat = (k.get("t0", s.heat.0), k.get("tf", s.heat.1));
    s.ruined = k.get("mix", s.ruined);
    s.reversal = k.get("rev", s.reversal as f64) as usize;
    s.reach.depth = k.get("depth", s.reach.depth as f64) as usize;
    s.reach.breadth[0] = k.get("b0", 10.0) as usize;
    s.reach.breadth[1] = k.get("b1", 8.0) as usize;
    s.reach.cross = k.get("cross", 5.0) > 0.0;
    s.ruin.stops = k.get("rs", 10.0);
    let mut search = FleetSearch::<i32, R>::new(
        &reduced,
        yard,
        &neighbours,
        routes,
        &[],
        None,
        s,
        Stream::new(seed, "fleet", 0),
    );
    let e = now();
    let c0 = search.best().map(|x| x.1);
    search.settle(pace);
    let f = now();
    let c1 = search.best().map(|x| x.1);
    search.advance(1.0, pace);
    (
        search.best().map(|x| x.1),
        format!(
            "arcs {:.2} ap {:.2} cand {:.2} start {:.2} ls {:.2} ms bound {} c0 {:?} c1 {:?} steps {}",
            (b - a) * 1e3,
            (c - b) * 1e3,
            (d - c) * 1e3,
            (e - d) * 1e3,
            (f - e) * 1e3,
            reduced.bound(),
            c0,
            c1,
            search.steps()
        ),
    )
}
