//! Sequential exchanges of two to four arcs between and within routes.
//!
//! Starts from one arc, leaves its tail for a cheap candidate, cuts the arc into that candidate, and so on;
//! goes on only while more has been cut than joined, and closes as soon as closing pays. Swapping the tails
//! of two routes, moving a stretch to another place and exchanging neighbouring stretches are all cases
//! of it.

use radar_bound::Weight;

use super::cross;
use super::exchange::Exchange;
use super::plan::{Head, Plan};
use super::record::Record;
use crate::candidates::Candidates;

/// How far and wide to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    /// How many candidates are tried at each level.
    pub breadth: [usize; 3],
    /// How many arcs are cut at most: 2, 3 or 4.
    pub depth: usize,
    /// Whether a second pair of cuts is looked for when the first overloads.
    pub cross: bool,
    /// How many ways back to the depot are tried at each level.
    pub returns: usize,
}

const CLOSED: [&[usize]; 5] = [&[], &[], &[1, 0], &[1, 2, 0], &[1, 2, 3, 0]];

/// Looks for an exchange that cuts the arc into `start` and lowers cost and fines together, and applies
/// the first it finds; says whether it did.
///
/// Contract: the reduced cost falls by exactly the saving of the exchange, the fines change by exactly its
/// weight, and their sum falls.
pub(crate) fn improve<W: Weight, R: Record>(
    plan: &mut Plan<'_, W, R>,
    out: &Candidates<W>,
    reach: &Reach,
    start: Head,
) -> bool {
    if plan.is_fixed(start) {
        return false;
    }
    // Leaving a route that is fined may pay even if no arc gets cheaper.
    let hope = plan.fine_of(plan.spot(start).route as usize);
    let mut walk = Walk { out, reach, hope, target: plan.node(start), heads: [start; 4] };
    let gained = plan.entry(start);
    walk.step(plan, 1, gained)
}

struct Walk<'w, W> {
    out: &'w Candidates<W>,
    reach: &'w Reach,
    hope: i64,
    /// Where the first cut arc led.
    target: usize,
    heads: [Head; 4],
}

impl<W: Weight> Walk<'_, W> {
    /// Goes on from `cuts` cuts that have gained `gained` so far.
    fn step<R: Record>(&mut self, plan: &mut Plan<'_, W, R>, cuts: usize, gained: i64) -> bool {
        let tail = plan.tail(self.heads[cuts - 1]);
        let own = plan.node(self.heads[cuts - 1]);
        let out = self.out;
        for &(to, cost) in out.of(tail).iter().take(self.reach.breadth[cuts - 1]) {
            let gained = gained - cost.to_i64();
            if gained + self.hope <= 0 {
                return false;
            }
            if to as usize == own {
                continue;
            }
            if to != 0 {
                if self.cut(plan, cuts, gained, to) {
                    return true;
                }
                continue;
            }
            // The depot has many doors.
            let routes = plan.routes().len();
            let mut seen_empty = false;
            let first = if routes > self.reach.returns { tail % routes } else { 0 };
            for route in (0..routes.min(self.reach.returns)).map(|offset| (first + offset) % routes) {
                if plan.routes()[route].is_empty() && std::mem::replace(&mut seen_empty, true) {
                    continue;
                }
                let head = plan.way_back(route);
                if self.cut(plan, cuts, gained, head) {
                    return true;
                }
            }
        }
        false
    }

    /// Cuts the arc into `head` as well, and closes or goes on.
    #[inline]
    fn cut<R: Record>(&mut self, plan: &mut Plan<'_, W, R>, cuts: usize, gained: i64, head: Head) -> bool {
        if self.heads[..cuts].contains(&head) || plan.is_fixed(head) {
            return false;
        }
        self.heads[cuts] = head;
        let cuts = cuts + 1;
        let gained = gained + plan.entry(head);
        let saving = gained - plan.at(plan.tail(head), self.target);
        if saving + self.hope > 0 {
            let exchange = Exchange { heads: &self.heads[..cuts], joins: CLOSED[cuts] };
            if let Some(fine) = exchange.weigh(plan) {
                if saving > fine {
                    exchange.apply(plan, saving);
                    return true;
                }
                if cuts == 2 && self.reach.cross && cross::mend(plan, self.heads[0], self.heads[1], saving) {
                    return true;
                }
            }
        }
        cuts < self.reach.depth && self.step(plan, cuts, gained)
    }
}
