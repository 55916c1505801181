//! The arcs that some plan may use, and what they cost.

use radar_problem::{Instance, NEVER, UNREACHABLE};

use crate::Weight;
use crate::fewest::{self, Allowance};

/// The costs of all arcs in one dense table. An arc that no plan can use is as dear as [`Arcs::absent`].
#[derive(Clone, Debug)]
pub struct Arcs<W> {
    pub(crate) nodes: usize,
    /// Row-major, row = from. The way back of open routes costs nothing.
    pub(crate) costs: Vec<W>,
    pub(crate) absent: W,
    pub(crate) is_tour: bool,
    pub(crate) least: usize,
    pub(crate) most: usize,
    pub(crate) allowances: Vec<Allowance>,
}

/// Which integers hold the costs of an instance with room for prices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// `i32`: twice as fast.
    Narrow,
    /// `i64`.
    Wide,
}

/// The narrowest integers that hold the costs of `instance` exactly.
pub fn width(instance: &Instance) -> Width {
    // Prices may be several costs away from any cost; the assignment asks for this much room.
    let fits = dear(instance).checked_mul(17).is_some_and(|reach| reach < i64::from(i32::MAX));
    if fits { Width::Narrow } else { Width::Wide }
}

/// A cost for arcs that must not be used: above every arc; and where only the cost can tell that an arc
/// cannot be driven, above every plan.
fn dear(instance: &Instance) -> i64 {
    let dearest = instance.cost().largest();
    let arcs = if instance.has_missing_arcs() { 2 * instance.nodes() as i64 } else { 2 };
    // Validation keeps every sum over a plan below 2^53.
    dearest.saturating_mul(arcs).saturating_add(1).min(i64::MAX / (4 * (instance.nodes() as i64 + 1)))
}

impl<W: Weight> Arcs<W> {
    /// The arcs of an instance whose [`width`] fits `W`.
    ///
    /// An arc is absent when it cannot be driven, or when no feasible route contains it: its two ends do
    /// not fit one vehicle, it leads from a pickup back to a delivery, its target has closed by the
    /// earliest time one could be there, or it is longer than the limit.
    pub fn of(instance: &Instance) -> Self {
        let nodes = instance.nodes();
        let absent = W::from_i64(dear(instance));
        let rules = (!instance.is_tour()).then(|| Legality::of(instance));
        let mut costs = Vec::with_capacity(nodes * nodes);
        for from in 0..nodes {
            let row = instance.cost().row(from);
            let start = costs.len();
            if instance.has_missing_arcs() {
                let (distance, duration) = (instance.distance().row(from), instance.duration().row(from));
                let missing = |to: usize| distance.at(to) == UNREACHABLE || duration.at(to) == UNREACHABLE;
                costs.extend((0..nodes).map(|to| if missing(to) { absent } else { W::from_i64(row.at(to)) }));
            } else {
                row.append_to(&mut costs, W::from_i64);
            }
            let row = &mut costs[start..];
            if let Some(rules) = &rules {
                if instance.is_open() {
                    row[0] = W::ZERO;
                }
                rules.strike(from, row, absent);
            }
            row[from] = absent;
        }
        let stops = instance.stops().len();
        let (least, most) = match instance.is_tour() {
            true => (1, 1),
            false => (fewest::by_amounts(instance), instance.vehicles().unwrap_or(stops).min(stops)),
        };
        let allowances = if instance.is_tour() { Vec::new() } else { Allowance::all(instance) };
        Self { nodes, costs, absent, is_tour: instance.is_tour(), least: least.min(most), most, allowances }
    }

    /// How many nodes there are, the depot included.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The cost of arcs that no plan can use.
    pub fn absent(&self) -> W {
        self.absent
    }
}

/// What makes an arc illegal on every route.
struct Legality<'a> {
    instance: &'a Instance,
    amounts: bool,
    windows: bool,
    limit: bool,
    /// When a closed route must be back, or any route must have ended.
    end: i64,
}

impl<'a> Legality<'a> {
    fn of(instance: &'a Instance) -> Self {
        let back = if instance.is_open() { NEVER } else { instance.closes(0) };
        let end = back.min(instance.opens(0).saturating_add(instance.max_duration()));
        let closing = |node: usize| instance.closes(node) < NEVER;
        Self {
            instance,
            amounts: instance.capacity() < NEVER || instance.stops().any(|stop| instance.backhaul(stop) > 0),
            windows: end < NEVER || instance.stops().any(closing),
            limit: instance.limit() < NEVER,
            end,
        }
    }

    /// Marks the illegal arcs out of `from` in its row of costs.
    fn strike<W: Weight>(&self, from: usize, row: &mut [W], absent: W) {
        let instance = self.instance;
        if self.amounts && from != 0 {
            let (demand, backhaul) = (instance.demand(from), instance.backhaul(from));
            for to in instance.stops() {
                let over = demand + instance.demand(to) > instance.capacity()
                    || backhaul + instance.backhaul(to) > instance.capacity();
                if over || (backhaul > 0 && instance.demand(to) > 0) {
                    row[to] = absent;
                }
            }
        }
        if self.windows {
            let leaves = match from {
                0 => instance.opens(0),
                _ => instance.opens(from).max(instance.opens(0)) + instance.service(from),
            };
            let duration = instance.duration().row(from);
            for to in instance.stops() {
                if leaves.saturating_add(duration.at(to)) > instance.closes(to) {
                    row[to] = absent;
                }
            }
            let way_back = if instance.is_open() { 0 } else { duration.at(0) };
            if from != 0 && leaves.saturating_add(way_back) > self.end {
                row[0] = absent;
            }
        }
        if self.limit {
            let distance = instance.distance().row(from);
            for (to, cost) in row.iter_mut().enumerate() {
                let counts = to != 0 || !instance.is_open();
                if counts && distance.at(to) > instance.limit() {
                    *cost = absent;
                }
            }
        }
    }
}
