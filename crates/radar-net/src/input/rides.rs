//! The ensemble of routes that vehicles of one capacity may drive, each as likely as it is cheap.

use radar_kernel::ensemble::{Ensemble, Likely};
use radar_kernel::isa::Isa;
use radar_problem::Instance;
use radar_rollout::Stop;

use crate::features::Loads;

/// Levels of room that are told apart: as many as loads have units, if those are not more.
const MOST_LEVELS: i64 = 256;
/// How many levels stand for more of them.
const LEVELS: i64 = 128;
/// How many stops a route has at most where nothing has to be carried.
const UNLADEN: i64 = 64;

/// The temperature, as a part of what an arc costs.
const COOLNESS: f32 = 0.1;

/// What vehicles would do, by the room that is left in them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rides {
    nodes: usize,
    /// All of a vehicle's room, in levels.
    top: usize,
    /// What an arc costs less the price of where it ends, in temperatures (N, N).
    steps: Vec<f32>,
    /// The logarithms of the weights of all ways on from every delivery, if a vehicle comes there with so much room (top + 1, N); the
    /// same from every pickup. Nothing from where they are not.
    on: [Vec<f32>; 2],
    /// How often an arc is used (N, N).
    used: Vec<f32>,
}

impl Rides {
    /// Those of an instance of routes, whose arcs cost `costs` and are legal where they `may` be (N, N) each; none when it was
    /// stopped.
    pub fn of(
        instance: &Instance,
        costs: &[f32],
        may: &[bool],
        routes: usize,
        isa: Isa,
        stop: Stop<'_>,
    ) -> Option<Self> {
        let nodes = instance.nodes();
        let capacity = Loads::of(instance).capacity;
        let load = |node: usize| instance.demand(node).max(instance.backhaul(node));
        let unit = (0..nodes).map(load).fold(capacity, gcd).max(1);
        let top = match capacity / unit {
            0 => UNLADEN,
            levels if levels <= MOST_LEVELS => levels,
            _ => LEVELS,
        };
        let takes = |node: usize| match (node, capacity) {
            (0, _) => 0,
            (_, 0) => 1,
            _ => {
                let exact = load(node) as f64 * top as f64 / capacity as f64;
                (exact.round() as i64).clamp(1, top) as u16
            }
        };
        let takes: Vec<u16> = (0..nodes).map(takes).collect();
        let gives: Vec<bool> = (0..nodes).map(|node| instance.backhaul(node) > 0).collect();
        let (top, routes) = (top as usize, routes as f32);
        let ensemble =
            Ensemble { nodes, costs, may, top, takes: &takes, gives: &gives, routes, coolness: COOLNESS };
        let Likely { steps, ahead, used } = ensemble.likely_until(isa, stop)?;
        let has_pickups = gives.contains(&true);
        let on = [false, true].map(|pickups| {
            let of = |level: usize, node: usize| match gives[node] == pickups && node > 0 {
                true => ahead[node * (top + 1) + level.saturating_sub(takes[node].into())],
                false => 0.0,
            };
            let levels = if pickups && !has_pickups { 0..0 } else { 0..top + 1 };
            levels
                .flat_map(|level| (0..nodes).map(move |node| (level, node)))
                .map(|(level, node)| of(level, node))
                .collect()
        });
        Some(Self { nodes, top, steps, on, used })
    }

    /// How often an arc is used (N, N).
    pub fn used(&self) -> &[f32] {
        &self.used
    }

    /// Adds how surprising every node is as the next one (N) to a vehicle at `current` with such shares of its room left, for deliveries
    /// and for pickups: all but what is the same for every node.
    pub fn add_surprises(&self, current: usize, rooms: [f32; 2], out: &mut [f32]) {
        let (nodes, top) = (self.nodes, self.top);
        let steps = &self.steps[current * nodes..(current + 1) * nodes];
        out.iter_mut().zip(steps).for_each(|(out, step)| *out += step);
        for (on, room) in self.on.iter().zip(rooms) {
            // Nearly a level is one.
            let level = ((room * top as f32 + 1e-3).max(0.0) as usize).min(top);
            let on = on.chunks_exact(nodes).nth(level).unwrap_or_default();
            out.iter_mut().zip(on).for_each(|(out, on)| *out -= on);
        }
    }
}

fn gcd(one: i64, other: i64) -> i64 {
    if other == 0 { one } else { gcd(other, one % other) }
}
