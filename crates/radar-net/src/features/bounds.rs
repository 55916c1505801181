//! The bounds of an instance that can bind, and the units in which the network reads lengths and times.

use radar_problem::{Instance, Scales};

use crate::input::Stated;

/// How many mean durations are one unit of time.
const DRIVES: f64 = 32.0;

/// Lengths in mean distances, times in so many mean durations. A bound that no plan can reach, an infinite one
/// first of all, is no bound: nothing of it shows.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    /// The greatest length of a route.
    pub limit: Option<i64>,
    /// The longest time from the depot's opening to the end of a route.
    pub shift: Option<i64>,
    /// When vehicles leave the depot: the zero of all times.
    pub opening: i64,
    /// No vehicle arrives anywhere later than this.
    latest: i64,
    scales: Scales,
    distance_unit: f64,
    duration_unit: f64,
}

impl Bounds {
    pub fn of(instance: &Instance) -> Self {
        let nodes = instance.nodes();
        let scales = *instance.scales();
        let distance = Stated::new(instance.distance(), scales.distance);
        let duration = Stated::new(instance.duration(), scales.duration);
        // Where no times were stated they are the distances, if perhaps on another scale.
        let duration_unit =
            if instance.input().duration.is_some() { duration.unit() } else { distance.unit() };
        // A route has at most as many arcs as there are nodes. A vehicle waits until some opening at most.
        let arcs = nodes as i64;
        let farthest = arcs.saturating_mul(distance.largest());
        let opening = instance.opens(0);
        let last_opening = (0..nodes).map(|node| instance.opens(node)).max().unwrap_or(0);
        let service = (0..nodes).fold(0_i64, |sum, node| sum.saturating_add(instance.service(node)));
        let latest =
            last_opening.saturating_add(arcs.saturating_mul(duration.largest())).saturating_add(service);
        let below = |bound: i64, most: i64| (bound < most).then_some(bound);
        Self {
            limit: below(instance.limit(), farthest),
            shift: below(instance.max_duration(), latest.saturating_sub(opening)),
            opening,
            latest,
            scales,
            distance_unit: distance.unit(),
            duration_unit,
        }
    }

    /// How long after the depot's opening a node closes, if that can be too early for anybody. Nobody
    /// comes back to the depot of open routes.
    pub fn closes(&self, instance: &Instance, node: usize) -> Option<i64> {
        let closes = instance.closes(node);
        let binds = closes < self.latest && !(node == 0 && instance.is_open());
        binds.then(|| closes.saturating_sub(self.opening).max(0))
    }

    /// How long after the depot's opening a node opens.
    pub fn opens(&self, instance: &Instance, node: usize) -> i64 {
        instance.opens(node).saturating_sub(self.opening).max(0)
    }

    /// Whether any node can be too early or too late for anybody.
    pub fn has_windows(&self, instance: &Instance) -> bool {
        let binds = |node| self.closes(instance, node).is_some() || self.opens(instance, node) > 0;
        (0..instance.nodes()).any(binds)
    }

    /// A length in the network's unit.
    pub fn length(&self, length: i64) -> f32 {
        (self.scales.distance.undo(length) / self.distance_unit) as f32
    }

    /// A time in the network's unit, of the order of 1: a day has some dozens of mean drives.
    pub fn time(&self, time: i64) -> f32 {
        (self.scales.duration.undo(time) / (DRIVES * self.duration_unit)) as f32
    }
}
