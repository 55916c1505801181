//! Savings: every stop alone, then routes joined end to end while that saves something.

use std::cmp::Reverse;

use radar_problem::{Instance, UNREACHABLE};
use rayon::prelude::*;

use super::Construction;
use super::draft::Draft;
use super::plan::Plan;
use super::serve::serve;
use super::yard::Yard;
use crate::Stop;

/// How much the ways from and to the depot weigh against the joining arc, in tenths: 10 is the saving
/// itself, 0 joins by the shortest arcs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight(pub i64);

/// Up to so many pairs all are sorted; beyond, each tail brings the few heads that are nearest.
const ALL_PAIRS: usize = 1 << 16;
const FEW: usize = 64;

/// Looking at a pair takes about as long as asking for the time.
const PAIRS_PER_POLL: usize = 32;

/// Joins routes, the greatest saving first. Only tails to heads: an asymmetric route is never turned
/// round.
pub fn savings(instance: &Instance, weight: Weight, stop: Stop<'_>) -> Construction {
    let yard = Yard::new(instance);
    let mut joiner = Joiner::new(&yard);
    while joiner.routes > 1 && !stop() && joiner.round(&yard, weight, stop) {}
    let mut plan = joiner.plan();
    keep_fleet(&yard, &mut plan);
    serve(&yard, &mut plan, stop);
    plan.settle(&yard);
    plan.finish(&yard)
}

/// A value, a tail and a head; the greatest value sorts first.
type Pair = (Reverse<i64>, u32, u32);

/// Routes that are being joined.
struct Joiner {
    /// A route per first stop; none where the stop is no longer, or never was, a head.
    route: Vec<Option<Draft>>,
    /// The head of the route that ends at a stop.
    head: Vec<usize>,
    routes: usize,
    alone: Vec<usize>,
}

impl Joiner {
    fn new(yard: &Yard<'_>) -> Self {
        let mut route = vec![None; yard.instance.nodes()];
        let mut alone = Vec::new();
        for stop in yard.stops() {
            route[stop] = Draft::alone(yard, stop);
            if route[stop].is_none() {
                alone.push(stop);
            }
        }
        let routes = route.iter().flatten().count();
        Self { route, head: (0..yard.instance.nodes()).collect(), routes, alone }
    }

    /// One pass over the pairs there are now. Says whether another may find more.
    fn round(&mut self, yard: &Yard<'_>, weight: Weight, stop: Stop<'_>) -> bool {
        let mut joined = false;
        for (at, (_, tail, head)) in self.pairs(yard, weight, stop).into_iter().enumerate() {
            let (tail, head) = (tail as usize, head as usize);
            // A join that costs something is made only while there are more routes than vehicles.
            if self.routes > yard.fleet || saved(yard, tail, head) > 0 {
                joined |= self.join(yard, tail, head);
            }
            if at % PAIRS_PER_POLL == 0 && stop() {
                return false;
            }
        }
        joined
    }

    /// Pairs of a tail and a head, the best first.
    fn pairs(&self, yard: &Yard<'_>, weight: Weight, stop: Stop<'_>) -> Vec<Pair> {
        let heads: Vec<usize> = yard.stops().filter(|&stop| self.route[stop].is_some()).collect();
        let all = heads.len().saturating_mul(heads.len()) <= ALL_PAIRS;
        let crowded = self.routes > yard.fleet;
        let mut pairs: Vec<Pair> = heads
            .par_iter()
            .flat_map_iter(|&own| {
                let tail = self.route[own].as_ref().and_then(|route| route.stops.last()).copied();
                let (tail, row) = (tail.unwrap_or(own), yard.instance.cost().row(tail.unwrap_or(own)));
                let home = yard.cost(tail, 0);
                if stop() {
                    return Vec::new();
                }
                let others = heads.iter().copied().filter(|&head| head != own && row.at(head) < UNREACHABLE);
                let worth = |&head: &usize| crowded || home + yard.cost(0, head) > row.at(head);
                let mut near: Vec<(i64, usize)> =
                    others.filter(worth).map(|head| (row.at(head), head)).collect();
                if !all && near.len() > FEW {
                    near.select_nth_unstable(FEW);
                    near.truncate(FEW);
                }
                let value = |way: i64, head: usize| weight.0 * (home + yard.cost(0, head)) - 10 * way;
                near.iter()
                    .map(|&(way, head)| (Reverse(value(way, head)), tail as u32, head as u32))
                    .collect()
            })
            .collect();
        pairs.par_sort_unstable();
        pairs
    }

    /// Joins the route that ends at `tail` to the one that begins at `head`, if there are such and it
    /// is legal.
    fn join(&mut self, yard: &Yard<'_>, tail: usize, head: usize) -> bool {
        let front = self.head[tail];
        if front == head {
            return false;
        }
        let (Some(first), Some(second)) = (&self.route[front], &self.route[head]) else { return false };
        if first.stops.last() != Some(&tail) || !first.can_precede(yard, second) {
            return false;
        }
        let Some(second) = self.route[head].take() else { return false };
        let Some(first) = &mut self.route[front] else { return false };
        first.append(yard, &second);
        if let Some(&end) = second.stops.last() {
            self.head[end] = front;
        }
        self.routes -= 1;
        true
    }

    fn plan(self) -> Plan {
        Plan { routes: self.route.into_iter().flatten().collect(), unserved: self.alone }
    }
}

/// What driving from `tail` straight to `head` saves.
fn saved(yard: &Yard<'_>, tail: usize, head: usize) -> i64 {
    yard.cost(tail, 0) + yard.cost(0, head) - yard.cost(tail, head)
}

/// Gives up the routes that matter least until the fleet suffices.
fn keep_fleet(yard: &Yard<'_>, plan: &mut Plan) {
    let worth = |route: &Draft| route.stops.iter().map(|&stop| yard.instance.priority(stop)).sum::<f64>();
    if plan.routes.len() > yard.fleet {
        plan.routes.sort_by(|one, other| worth(other).total_cmp(&worth(one)));
        for route in plan.routes.split_off(yard.fleet) {
            plan.unserved.extend(route.stops);
        }
    }
}
