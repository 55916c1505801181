//! Exchanges of arcs: some arcs are cut, and the pieces joined in another way, none of them reversed.

use radar_bound::Weight;

use super::plan::{Head, Plan, Spot};
use super::record::Record;

/// The most arcs that one exchange cuts.
pub(crate) const MOST: usize = 4;

/// The arcs into `heads` are cut; what was before head `i` is joined to head `joins[i]`.
///
/// Contract: [`Exchange::weigh`] says what the fines would change by, or `None` if some stops would be on
/// no route; [`Exchange::saving`] what the reduced cost would fall by; [`Exchange::apply`] does it. The
/// beginning of each route stays with its route.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exchange<'e> {
    pub heads: &'e [Head],
    pub joins: &'e [usize],
}

/// The cuts in the order of routes and places.
struct Order {
    /// By rank: which cut.
    cut: [usize; MOST],
    /// By cut: its rank.
    rank: [usize; MOST],
    spots: [Spot; MOST],
    count: usize,
}

impl Order {
    /// `None` if two cuts are the same.
    #[inline]
    fn of<W: Weight, R: Record>(plan: &Plan<'_, W, R>, heads: &[Head]) -> Option<Self> {
        let nowhere = Spot { route: 0, place: 0 };
        let mut order = Self { cut: [0; MOST], rank: [0; MOST], spots: [nowhere; MOST], count: heads.len() };
        for (cut, &head) in heads.iter().enumerate() {
            let spot = plan.spot(head);
            order.spots[cut] = spot;
            let mut rank = cut;
            while rank > 0 && order.spots[order.cut[rank - 1]] > spot {
                order.cut[rank] = order.cut[rank - 1];
                rank -= 1;
            }
            if rank > 0 && order.spots[order.cut[rank - 1]] == spot {
                return None;
            }
            order.cut[rank] = cut;
        }
        for rank in 0..heads.len() {
            order.rank[order.cut[rank]] = rank;
        }
        Some(order)
    }

    /// The cuts that come first in their routes.
    #[inline]
    fn firsts(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.count)
            .filter(|&rank| {
                rank == 0 || self.spots[self.cut[rank - 1]].route != self.spots[self.cut[rank]].route
            })
            .map(|rank| self.cut[rank])
    }

    /// The next cut in the same route.
    #[inline]
    fn next(&self, cut: usize) -> Option<usize> {
        let next = self.rank[cut] + 1;
        (next < self.count && self.spots[self.cut[next]].route == self.spots[cut].route)
            .then(|| self.cut[next])
    }
}

impl Exchange<'_> {
    /// What the fines would change by; `None` if a piece would close on itself without the depot.
    #[inline]
    pub fn weigh<W: Weight, R: Record>(&self, plan: &Plan<'_, W, R>) -> Option<i64> {
        match (self.heads, self.joins) {
            (&[one, other], [1, 0]) => return swap_tails(plan, one, other),
            (&[one, two, three], [1, 2, 0]) => return rotate_tails(plan, [one, two, three]),
            _ => (),
        }
        let order = Order::of(plan, self.heads)?;
        let mut joined = 0;
        let mut change = 0;
        for first in order.firsts() {
            let mut cut = first;
            let mut record = plan.record_before(order.spots[first], self.heads[first]);
            loop {
                let last = plan.tail(self.heads[cut]);
                let target = self.joins[cut];
                let (spot, head) = (order.spots[target], self.heads[target]);
                joined += 1;
                match order.next(target) {
                    Some(next) => {
                        let until = order.spots[next].place;
                        record = plan.continued(record, last, spot.route as usize, spot.place, until);
                        cut = next;
                    }
                    None => {
                        let rest = plan.record_from(spot, head);
                        record = record.join(plan.yard, last, plan.node(head), rest);
                        break;
                    }
                }
            }
            change += plan.fine_for(record) - plan.fine_of(order.spots[first].route as usize);
        }
        (joined == self.heads.len()).then_some(change)
    }

    /// What the reduced cost would fall by.
    #[inline]
    pub fn saving<W: Weight, R: Record>(&self, plan: &Plan<'_, W, R>) -> i64 {
        let cut = self.heads.iter().map(|&head| plan.entry(head)).sum::<i64>();
        let tails = self.heads.iter().map(|&head| plan.tail(head));
        let joined = tails.zip(self.joins).map(|(tail, &to)| plan.at(tail, plan.node(self.heads[to])));
        cut - joined.sum::<i64>()
    }

    /// Does it. Must have been weighed; `saving` is what the reduced cost falls by.
    pub fn apply<W: Weight, R: Record>(&self, plan: &mut Plan<'_, W, R>, saving: i64) {
        let Some(order) = Order::of(plan, self.heads) else { return };
        for &head in self.heads {
            plan.mark(plan.tail(head));
            plan.mark(plan.node(head));
        }
        let mut made: [Option<(usize, usize, Vec<u32>)>; MOST] = [const { None }; MOST];
        for (first, slot) in order.firsts().zip(&mut made) {
            let spot = order.spots[first];
            let mut stops = plan.buffer();
            stops.extend_from_slice(&plan.routes()[spot.route as usize][..spot.place as usize]);
            let mut cut = first;
            loop {
                let target = self.joins[cut];
                let from = order.spots[target];
                let source = &plan.routes()[from.route as usize];
                match order.next(target) {
                    Some(next) => {
                        let until = order.spots[next].place as usize;
                        stops.extend_from_slice(&source[from.place as usize..until]);
                        cut = next;
                    }
                    None => {
                        stops.extend_from_slice(&source[from.place as usize..]);
                        break;
                    }
                }
            }
            *slot = Some((spot.route as usize, spot.place as usize, stops));
        }
        for (route, from, stops) in made.into_iter().flatten() {
            plan.replace(route, stops, from);
        }
        plan.charge(-saving);
    }
}

/// The fine of a route that goes up to what is before `at` and on from `head`.
#[inline(always)]
fn fine_joined<W: Weight, R: Record>(
    plan: &Plan<'_, W, R>,
    (from, at): (Spot, Head),
    (to, head): (Spot, Head),
) -> i64 {
    let rest = plan.record_from(to, head);
    plan.fine_for(plan.record_before(from, at).join(plan.yard, plan.tail(at), plan.node(head), rest))
}

/// Two routes exchange what follows the cuts.
#[inline]
fn swap_tails<W: Weight, R: Record>(plan: &Plan<'_, W, R>, one: Head, other: Head) -> Option<i64> {
    let (first, second) = (plan.spot(one), plan.spot(other));
    if first.route == second.route {
        return None;
    }
    let (one, other) = ((first, one), (second, other));
    let new = fine_joined(plan, one, other) + fine_joined(plan, other, one);
    Some(new - plan.fine_of(first.route as usize) - plan.fine_of(second.route as usize))
}

/// Three cuts, each tail joined to the next cut's head: three routes pass on what follows the cuts, a
/// stretch moves to another route, or two neighbouring stretches of one route change places.
#[inline]
fn rotate_tails<W: Weight, R: Record>(plan: &Plan<'_, W, R>, heads: [Head; 3]) -> Option<i64> {
    let cuts = heads.map(|head| (plan.spot(head), head));
    let same = |one: usize, other: usize| cuts[one].0.route == cuts[other].0.route;
    let before = |cut: (Spot, Head)| plan.fine_of(cut.0.route as usize);
    let (first, second, third) = match (same(0, 1), same(1, 2), same(2, 0)) {
        (false, false, false) => {
            let new = fine_joined(plan, cuts[0], cuts[1])
                + fine_joined(plan, cuts[1], cuts[2])
                + fine_joined(plan, cuts[2], cuts[0]);
            return Some(new - before(cuts[0]) - before(cuts[1]) - before(cuts[2]));
        }
        (true, true, _) => return turn_within(plan, cuts),
        (true, ..) => (0, 1, 2),
        (_, true, _) => (1, 2, 0),
        _ => (2, 0, 1),
    };
    // Two cuts in one route: what is between them moves to the third, if it is not the other way round,
    // which would close it on itself.
    let (from, until, to) = (cuts[first], cuts[second], cuts[third]);
    if from.0.place >= until.0.place {
        return None;
    }
    let shortened = fine_joined(plan, from, until);
    let record = plan.record_before(to.0, to.1);
    let route = from.0.route as usize;
    let record = plan.continued(record, plan.tail(to.1), route, from.0.place, until.0.place);
    let rest = plan.record_from(to.0, to.1);
    let lengthened = plan.fine_for(record.join(plan.yard, plan.tail(until.1), plan.node(to.1), rest));
    Some(shortened + lengthened - before(from) - before(to))
}

/// Three cuts in one route: the stretches between them change places.
#[inline]
fn turn_within<W: Weight, R: Record>(plan: &Plan<'_, W, R>, cuts: [(Spot, Head); 3]) -> Option<i64> {
    let places = cuts.map(|cut| cut.0.place);
    let first = (0..3).min_by_key(|&cut| places[cut]).unwrap_or(0);
    let [one, two, three] = [first, (first + 1) % 3, (first + 2) % 3].map(|cut| cuts[cut]);
    if !(one.0.place < two.0.place && two.0.place < three.0.place) {
        return None;
    }
    if R::ADDITIVE {
        // The same stops in another order.
        return Some(0);
    }
    let route = one.0.route as usize;
    let record = plan.record_before(one.0, one.1);
    let record = plan.continued(record, plan.tail(one.1), route, two.0.place, three.0.place);
    let record = plan.continued(record, plan.tail(three.1), route, one.0.place, two.0.place);
    let rest = plan.record_from(three.0, three.1);
    let record = record.join(plan.yard, plan.tail(two.1), plan.node(three.1), rest);
    Some(plan.fine_for(record) - plan.fine_of(route))
}
