//! How far vehicles may go on a route whose length has a limit: the slack that is left when they get somewhere, in ticks.

use radar_kernel::ensemble::{Slack, TICKS};
use radar_problem::{Instance, UNREACHABLE};

use crate::context::LENGTH;
use crate::features::Bounds;

/// A limit has a say where routes that do not know of it have such a share of its length on the average.
const SHARE: f64 = 0.57;

/// A limit is heeded if it is not so many ticks that f32 cannot tell them apart.
const MOST_TICKS: f64 = 1e4;

/// The slack of an instance: how much farther than straight home a vehicle may drive.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reach {
    /// How many ticks a unit of length is, as the context counts it.
    per_unit: f32,
    /// How long the ways are from a node to each and on from there straight home (N, N).
    ways: Vec<f32>,
}

/// What arcs take of the slack (N, N), and what routes take on the average where it has a say.
pub(crate) struct Detours {
    takes: Vec<f32>,
    idle: f32,
}

impl Reach {
    /// That of an instance of routes, if their length has a limit and some stop can be reached within it.
    pub fn of(instance: &Instance) -> Option<(Self, Detours)> {
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
        let reach = Self { per_unit: ticks(limit as f64) / bounds.length(limit), ways: square(&way) };
        let idle = ticks(SHARE * limit as f64 - nearest);
        Some((reach, Detours { takes: square(&takes), idle }))
    }

    /// What a vehicle in such a context may still drive, in ticks.
    pub fn left(&self, context: &[f32]) -> f32 {
        self.per_unit * context[LENGTH]
    }

    /// How long the ways are from a node to each and on from there straight home, in ticks (N).
    pub fn ways(&self, from: usize) -> &[f32] {
        let nodes = self.ways.len().isqrt();
        &self.ways[from * nodes..(from + 1) * nodes]
    }
}

impl Detours {
    /// As the kernel sees them.
    pub fn slack(&self) -> Slack<'_> {
        Slack { arcs: &self.takes, idle: self.idle }
    }
}
