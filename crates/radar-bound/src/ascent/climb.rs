//! The state of an ascent: where it stands, and the highest points it has seen.

use super::depot::Fleet;
use super::exact;
use super::graph::Graph;
use super::relaxed::Relaxed;
use super::scaled::{Multipliers, Scaled};
use crate::patch::patch;
use crate::reduced::Reduced;
use crate::{Stop, Weight};

/// How many arcs out of each stop and into it the sparse graph has.
const CHEAPEST: usize = 6;

/// The first step as a part of an arc of ordinary cost.
const FIRST_STEP: f64 = 0.03;

/// How many surveys choose the graph anew.
const FAR: u32 = 2;

pub(super) struct Climb<'a, W> {
    scaled: &'a Scaled<'a, W>,
    fleet: Fleet,
    /// What the prices of the stops are worth; those of the depot are counted with its ways.
    worth: i64,
    graph: Graph,
    relaxed: Relaxed,
    current: Multipliers,
    /// What the stops lacked in the round before.
    before: (Vec<i32>, Vec<i32>),
    /// The highest point on the sparse graph since the last survey, and its value there.
    highest: Multipliers,
    height: i64,
    /// The highest point over the whole table, and its value.
    summit: Multipliers,
    proved: i64,
    surveys: u32,
    /// A path through all stops, which the graph always has: without any, a sparse graph might let values
    /// rise without end.
    path: Vec<(u32, u32)>,
}

impl<'a, W: Weight> Climb<'a, W> {
    /// Starts where multipliers are 0, which is as high as the bound of `reduced`: nothing costs less than
    /// 0 there. `None` without stops, or when told to stop.
    pub fn start(reduced: &Reduced<W>, scaled: &'a Scaled<'a, W>, stop: Stop) -> Option<Self> {
        let nodes = scaled.nodes();
        let fleet = Fleet::of(reduced, scaled.parts);
        let worth = if reduced.is_tour() { reduced.worth(1) - reduced.per_route() } else { reduced.worth(0) };
        let nothing = Multipliers { leave: vec![0; nodes], enter: vec![0; nodes] };
        let first = exact::value(scaled, fleet, &nothing, stop)?;
        let path = path(reduced);
        let graph = Graph::of(scaled, &nothing, CHEAPEST, first.tree.iter().chain(&path), stop)?;
        let mut relaxed = Relaxed::new(scaled, fleet);
        relaxed.value(&graph, &nothing)?;
        let before = (relaxed.leave.clone(), relaxed.enter.clone());
        Some(Self {
            scaled,
            fleet,
            worth,
            graph,
            relaxed,
            current: nothing.clone(),
            before,
            highest: nothing.clone(),
            height: first.total,
            summit: nothing,
            proved: first.total,
            surveys: 0,
            path,
        })
    }

    /// What no plan costs less than. Plans cost whole units, so that parts are rounded up.
    pub fn bound(&self) -> i64 {
        self.worth - (-self.proved).div_euclid(self.scaled.parts)
    }

    /// A small part of an arc of ordinary cost.
    pub fn first_step(&self) -> f64 {
        let total = (self.bound() as f64).max(1.0) * self.scaled.parts as f64;
        FIRST_STEP * total / self.scaled.nodes() as f64
    }

    /// Whether the relaxed plan leaves and enters every stop once: no step leads anywhere from here.
    pub fn is_balanced(&self) -> bool {
        let mut lacks = self.relaxed.leave.iter().skip(1).chain(self.relaxed.enter.iter().skip(1));
        lacks.all(|&lack| lack == 0)
    }

    /// Whether steps of this size are too small to matter.
    pub fn is_level(&self, step: f64) -> bool {
        step * 16.0 < self.scaled.parts as f64
    }

    /// One step in the direction of what stops lack, and of what they lacked before, which damps zigzags.
    /// Returns whether it is the highest since the last survey.
    pub fn round(&mut self, step: f64) -> bool {
        let farthest = self.scaled.farthest();
        let follow = |multipliers: &mut [i64], lacks: &[i32], before: &mut [i32]| {
            for ((multiplier, &lack), before) in multipliers.iter_mut().zip(lacks).zip(before).skip(1) {
                let move_by = step * (0.7 * f64::from(lack) + 0.3 * f64::from(*before));
                *multiplier = multiplier.saturating_add(move_by as i64).clamp(-farthest, farthest);
                *before = lack;
            }
        };
        follow(&mut self.current.leave, &self.relaxed.leave, &mut self.before.0);
        follow(&mut self.current.enter, &self.relaxed.enter, &mut self.before.1);
        match self.relaxed.value(&self.graph, &self.current) {
            Some(value) if value > self.height => {
                self.height = value;
                self.highest.clone_from(&self.current);
                true
            }
            _ => false,
        }
    }

    /// Looks at the whole table from the highest point, and adds to the sparse graph what is missing there.
    pub fn survey(&mut self, stop: Stop) {
        if self.height <= self.proved {
            return;
        }
        let Some(value) = exact::value(self.scaled, self.fleet, &self.highest, stop) else { return };
        let is_misleading = value.total < self.height;
        if value.total > self.proved {
            self.proved = value.total;
            self.summit.clone_from(&self.highest);
        } else {
            self.current.clone_from(&self.summit);
        }
        self.height = self.proved;
        self.surveys += 1;
        if is_misleading {
            // The first periods move multipliers far from where the graph was chosen.
            let more = value.tree.iter().chain(&self.path);
            let anew = match self.surveys <= FAR {
                true => Graph::of(self.scaled, &self.highest, CHEAPEST, more, stop),
                false => None,
            };
            self.graph = anew.unwrap_or_else(|| self.graph.extended(self.scaled, &value.tree));
            self.relaxed.value(&self.graph, &self.current);
        }
    }

    /// Whether the height is above what a plan of this cost allows, so that the graph must be wrong.
    pub fn is_above(&self, cost: i64) -> bool {
        self.height > cost.saturating_sub(self.worth).saturating_mul(self.scaled.parts)
    }
}

/// A fairly cheap path through all stops: the tour of the patched assignment, or always on to the nearest.
fn path<W: Weight>(reduced: &Reduced<W>) -> Vec<(u32, u32)> {
    let order: Vec<u32> = match reduced.successor() {
        Some(successor) => patch(reduced, successor),
        None => {
            let mut left: Vec<u32> = (1..reduced.nodes() as u32).collect();
            let mut order = vec![0];
            let mut last = 0;
            while !left.is_empty() {
                let costs = left.iter().map(|&stop| reduced.at(last as usize, stop as usize));
                let Some((_, place)) = costs.zip(0..).min() else { break };
                last = left.swap_remove(place);
                order.push(last);
            }
            order
        }
    };
    order.windows(2).skip(1).map(|pair| (pair[0], pair[1])).collect()
}
