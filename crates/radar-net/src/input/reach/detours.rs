//! How much farther than straight home a vehicle may drive, on routes whose length has a limit.

use radar_kernel::ensemble::TICKS;
use radar_problem::{Instance, UNREACHABLE};

use super::{Reach, SHARE, Spent};
use crate::context::LENGTH;
use crate::features::Bounds;

/// A limit is heeded if it is not so many ticks that f32 cannot tell them apart.
const MOST_TICKS: f64 = 1e4;

/// A limit, and how far it reaches.
pub(super) struct Detours<'a> {
    instance: &'a Instance,
    bounds: Bounds,
    limit: i64,
    /// The shortest route of one stop, and how long a tick is.
    nearest: f64,
    tick: f64,
}

impl<'a> Detours<'a> {
    /// That of an instance of routes, if their length has a limit and some stop can be reached within it.
    pub fn of(instance: &'a Instance) -> Option<Self> {
        let bounds = Bounds::of(instance);
        let limit = bounds.limit?;
        let nearest = instance.stops().map(|stop| alone(instance, stop)).fold(f64::INFINITY, f64::min);
        let tick = (limit as f64 - nearest) / (TICKS - 1) as f64;
        // Also where there is none: a limit of nothing may be kept on ways of no length.
        let is_heeded = tick > 0.0 && tick * MOST_TICKS >= limit as f64;
        is_heeded.then_some(Self { instance, bounds, limit, nearest, tick })
    }

    /// What vehicles have left of it.
    pub fn reach(&self) -> (Reach, Spent) {
        let &Self { instance, ref bounds, limit, nearest, tick } = self;
        let nodes = instance.nodes();
        let arc = |from: usize, to: usize| arc(instance, from, to);
        let takes = |at: usize| match (at / nodes, at % nodes) {
            (_, 0) => 0.0,
            (0, stop) => alone(instance, stop) - nearest,
            // Where a detour is shorter than the straight way, nothing is taken.
            (from, to) => (arc(from, to) + arc(to, 0) - arc(from, 0)).max(0.0),
        };
        let ticks = |length: f64| (length / tick) as f32;
        let square = |length: &dyn Fn(usize) -> f64| (0..nodes * nodes).map(|at| ticks(length(at))).collect();
        let way = |at: usize| arc(at / nodes, at % nodes) + arc(at % nodes, 0);
        let reach = Reach {
            nodes,
            number: LENGTH,
            begin: 0.0,
            per_unit: ticks(limit as f64) / bounds.length(limit),
            ways: square(&way),
            is_lenient: false,
        };
        let idle = ticks(SHARE * limit as f64 - nearest);
        (reach, Spent { takes: square(&takes), idle, windows: None })
    }
}

/// How long an arc is; the way home has no length where nobody goes there.
fn arc(instance: &Instance, from: usize, to: usize) -> f64 {
    match instance.distance().at(from, to) {
        _ if to == 0 && instance.is_open() => 0.0,
        UNREACHABLE => f64::INFINITY,
        length => length as f64,
    }
}

/// How long a route of one stop is.
fn alone(instance: &Instance, stop: usize) -> f64 {
    arc(instance, 0, stop) + arc(instance, stop, 0)
}
