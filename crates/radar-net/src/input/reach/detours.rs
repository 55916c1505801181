//! How much farther than straight home a vehicle may drive, on routes whose length has a limit.

use radar_kernel::ensemble::TICKS;
use radar_problem::{Instance, UNREACHABLE};

use super::{Reach, SHARE, Spent};
use crate::context::LENGTH;
use crate::features::Bounds;

/// A limit is heeded if it is not so many ticks that f32 cannot tell them apart.
const MOST_TICKS: f64 = 1e4;

/// That of an instance of routes, if their length has a limit and some stop can be reached within it.
pub(super) fn of(instance: &Instance) -> Option<(Reach, Spent)> {
    let nodes = instance.nodes();
    let bounds = Bounds::of(instance);
    let limit = bounds.limit?;
    let arc = |from: usize, to: usize| match to {
        0 if instance.is_open() => 0.0,
        _ => match instance.distance().at(from, to) {
            UNREACHABLE => f64::INFINITY,
            length => length as f64,
        },
    };
    let alone = |stop: usize| arc(0, stop) + arc(stop, 0);
    let nearest = instance.stops().map(alone).fold(f64::INFINITY, f64::min);
    let tick = (limit as f64 - nearest) / (TICKS - 1) as f64;
    // Also where there is none: a limit of nothing may be kept on ways of no length.
    if tick.is_nan() || tick <= 0.0 || tick * MOST_TICKS < limit as f64 {
        return None;
    }
    let takes = |at: usize| match (at / nodes, at % nodes) {
        (_, 0) => 0.0,
        (0, stop) => alone(stop) - nearest,
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
    Some((reach, Spent { takes: square(&takes), idle, windows: None }))
}
