//! The best place for a stop that is on no route.

use radar_bound::Weight;
use radar_kernel::random::Stream;

use super::plan::{Head, Plan};
use super::record::Record;
use crate::candidates::Neighbours;

/// Which places are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Places {
    /// All of them.
    All,
    /// Beside the stop's candidates, and at both ends of every route.
    Near,
}

/// A place for a stop: before `head`, at this change of reduced cost and of fines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub head: Head,
    pub cost: i64,
    pub fine: i64,
}

/// One place in so many is passed over, so that the same ruin is not always mended the same way.
const BLINK: u64 = 100;

/// The cheapest place for `stop`, cost and fines together; `None` when there is no route at all.
pub(crate) fn best_place<W: Weight, R: Record>(
    plan: &Plan<'_, W, R>,
    neighbours: &Neighbours<W>,
    places: Places,
    stop: usize,
    stream: Option<&mut Stream>,
) -> Option<Place> {
    let mut search = Search { plan, stop, stream, best: None };
    match places {
        Places::All => search.everywhere(),
        Places::Near => search.nearby(neighbours),
    }
    search.best
}

/// Puts a stop into its place.
///
/// Contract: the reduced cost changes by `place.cost`, the fines by `place.fine`.
pub(crate) fn insert<W: Weight, R: Record>(plan: &mut Plan<'_, W, R>, stop: usize, place: Place) {
    let spot = plan.spot(place.head);
    let (tail, node) = (plan.tail(place.head), plan.node(place.head));
    let at = spot.place as usize;
    plan.edit(spot.route as usize, at, |stops| stops.insert(at, stop as u32));
    plan.charge(place.cost);
    plan.mark(stop);
    plan.mark(tail);
    plan.mark(node);
}

struct Search<'s, 'p, W, R> {
    plan: &'s Plan<'p, W, R>,
    stop: usize,
    stream: Option<&'s mut Stream>,
    best: Option<Place>,
}

impl<W: Weight, R: Record> Search<'_, '_, W, R> {
    fn everywhere(&mut self) {
        let mut seen_empty = false;
        for route in 0..self.plan.routes().len() {
            let stops = &self.plan.routes()[route];
            if stops.is_empty() && std::mem::replace(&mut seen_empty, true) {
                continue;
            }
            for &head in &stops[self.plan.frozen(route)..] {
                self.consider(head);
            }
            self.consider(self.plan.way_back(route));
        }
    }

    fn nearby(&mut self, neighbours: &Neighbours<W>) {
        for &(to, _) in neighbours.out.of(self.stop) {
            if to != 0 && self.plan.is_placed(to as usize) {
                self.consider(to);
            }
        }
        for &(from, _) in neighbours.back.of(self.stop) {
            if from != 0 && self.plan.is_placed(from as usize) {
                self.consider(self.plan.after(from as usize));
            }
        }
        let mut seen_empty = false;
        for route in 0..self.plan.routes().len() {
            let stops = &self.plan.routes()[route];
            match stops.first() {
                Some(&first) => self.consider(first),
                None if std::mem::replace(&mut seen_empty, true) => continue,
                None => (),
            }
            self.consider(self.plan.way_back(route));
        }
    }

    #[inline]
    fn consider(&mut self, head: Head) {
        let plan = self.plan;
        if plan.is_fixed(head) {
            return;
        }
        let (tail, node) = (plan.tail(head), plan.node(head));
        let cost = plan.at(tail, self.stop) + plan.at(self.stop, node) - plan.entry(head);
        let best = self.best.map_or(i64::MAX, |place| place.cost + place.fine);
        let spot = plan.spot(head);
        let fined = plan.fine_of(spot.route as usize);
        // Some place is always taken, so what it costs may be anything; but a route that is not fined now
        // can only get dearer.
        if cost - fined >= best {
            return;
        }
        if self.stream.as_mut().is_some_and(|stream| stream.bits() % BLINK == 0) {
            return;
        }
        let record = plan.record_before(spot, head).join(plan.yard, tail, self.stop, plan.single(self.stop));
        let record = record.join(plan.yard, self.stop, node, plan.record_from(spot, head));
        let fine = plan.fine_for(record) - fined;
        if cost + fine < best {
            self.best = Some(Place { head, cost, fine });
        }
    }
}
