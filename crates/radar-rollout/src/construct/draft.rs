//! A route under construction, with the records that make questions about it cheap.

use super::yard::Yard;

/// A legal route and its records.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) stops: Vec<usize>,
    pub(super) cost: i64,
    length: i64,
    delivered: i64,
    picked_up: i64,
    /// No pickup may stand before this place.
    after_deliveries: usize,
    /// No delivery may stand after this place.
    before_pickups: usize,
    /// When the vehicle leaves its `k`-th place, the depot first. Empty when time does not matter.
    leave: Vec<i64>,
    /// The latest start of service at stop `k` that keeps the rest in time, the end of the route last.
    /// Empty when time does not matter.
    latest: Vec<i64>,
}

impl Draft {
    /// A route without stops.
    pub(super) fn empty(yard: &Yard<'_>) -> Self {
        let mut draft = Self {
            stops: Vec::new(),
            cost: 0,
            length: 0,
            delivered: 0,
            picked_up: 0,
            after_deliveries: 0,
            before_pickups: 0,
            leave: Vec::new(),
            latest: Vec::new(),
        };
        draft.clock(yard);
        draft
    }

    /// The route of one stop, if it is legal.
    pub(super) fn alone(yard: &Yard<'_>, stop: usize) -> Option<Self> {
        let mut draft = Self::empty(yard);
        let (_, place) = draft.best_place(yard, stop)?;
        draft.insert(yard, stop, place);
        Some(draft)
    }

    /// The route through `stops`, if it is legal.
    pub(super) fn through(yard: &Yard<'_>, stops: &[usize]) -> Option<Self> {
        let instance = yard.instance;
        let ends = std::iter::once(0).chain(stops.iter().copied());
        let legs: Vec<(usize, usize)> = ends.zip(stops.iter().copied().chain([0])).collect();
        if stops.is_empty() || !legs.iter().all(|&(from, to)| yard.drivable(from, to)) {
            return None;
        }
        let last = stops.iter().rposition(|&stop| instance.demand(stop) > 0);
        let first = stops.iter().position(|&stop| instance.backhaul(stop) > 0);
        let mut draft = Self {
            stops: stops.to_vec(),
            cost: legs.iter().map(|&(from, to)| yard.cost(from, to)).sum(),
            length: legs.iter().map(|&(from, to)| yard.length(from, to)).sum(),
            delivered: stops.iter().map(|&stop| instance.demand(stop)).sum(),
            picked_up: stops.iter().map(|&stop| instance.backhaul(stop)).sum(),
            after_deliveries: last.map_or(0, |place| place + 1),
            before_pickups: first.unwrap_or(stops.len()),
            ..Self::empty(yard)
        };
        draft.clock(yard);
        let amounts = draft.delivered.max(draft.picked_up) <= instance.capacity()
            && draft.after_deliveries <= draft.before_pickups;
        let in_time =
            draft.leave.iter().zip(&legs).zip(&draft.latest).all(|((leave, &(from, to)), latest)| {
                // The end of a route has no service that would wait for an opening.
                let opens = if to == 0 { i64::MIN } else { instance.opens(to) };
                (leave + yard.time(from, to)).max(opens) <= *latest
            });
        (amounts && in_time && draft.length <= instance.limit()).then_some(draft)
    }

    /// Computes the times.
    fn clock(&mut self, yard: &Yard<'_>) {
        if !yard.timed {
            return;
        }
        let instance = yard.instance;
        self.leave.clear();
        self.leave.push(instance.opens(0));
        let (mut here, mut time) = (0, instance.opens(0));
        for &stop in &self.stops {
            time = (time + yard.time(here, stop)).max(instance.opens(stop)) + instance.service(stop);
            self.leave.push(time);
            here = stop;
        }
        self.latest.clear();
        self.latest.resize(self.stops.len() + 1, yard.end);
        for place in (0..self.stops.len()).rev() {
            let (stop, next) = (self.stops[place], self.after(place + 1));
            let start = self.latest[place + 1] - yard.time(stop, next) - instance.service(stop);
            self.latest[place] = start.min(instance.closes(stop));
        }
    }

    /// The stop at `place`, or the end of the route.
    fn after(&self, place: usize) -> usize {
        self.stops.get(place).copied().unwrap_or(0)
    }

    /// The stop before `place`, or the depot.
    fn before(&self, place: usize) -> usize {
        place.checked_sub(1).map_or(0, |place| self.stops[place])
    }

    /// The least cost that `stop` adds, and at which place, if it fits anywhere.
    pub(super) fn best_place(&self, yard: &Yard<'_>, stop: usize) -> Option<(i64, usize)> {
        let instance = yard.instance;
        if self.delivered + instance.demand(stop) > instance.capacity()
            || self.picked_up + instance.backhaul(stop) > instance.capacity()
        {
            return None;
        }
        let first = if instance.backhaul(stop) > 0 { self.after_deliveries } else { 0 };
        let last = if instance.demand(stop) > 0 { self.before_pickups } else { self.stops.len() };
        let mut best: Option<(i64, usize)> = None;
        let mut before = self.before(first);
        for place in first..=last {
            let after = self.after(place);
            if yard.drivable(before, stop) && yard.drivable(stop, after) {
                let added = yard.cost(before, stop) + yard.cost(stop, after) - yard.cost(before, after);
                if best.is_none_or(|(least, _)| added < least) && self.fits(yard, stop, place) {
                    best = Some((added, place));
                }
            }
            before = after;
        }
        best
    }

    /// Whether length and time allow `stop` at `place`, where the arcs are drivable.
    fn fits(&self, yard: &Yard<'_>, stop: usize, place: usize) -> bool {
        let (before, after) = (self.before(place), self.after(place));
        let added = yard.length(before, stop) + yard.length(stop, after) - yard.length(before, after);
        if self.length + added > yard.instance.limit() {
            return false;
        }
        if !yard.timed {
            return true;
        }
        let arrival = self.leave[place] + yard.time(before, stop);
        let leave = arrival.max(yard.instance.opens(stop)) + yard.instance.service(stop);
        arrival <= yard.instance.closes(stop) && leave + yard.time(stop, after) <= self.latest[place]
    }

    /// Puts `stop` at `place`, which [`Draft::best_place`] named.
    pub(super) fn insert(&mut self, yard: &Yard<'_>, stop: usize, place: usize) {
        let (before, after) = (self.before(place), self.after(place));
        self.cost += yard.cost(before, stop) + yard.cost(stop, after) - yard.cost(before, after);
        self.length += yard.length(before, stop) + yard.length(stop, after) - yard.length(before, after);
        let (demand, backhaul) = (yard.instance.demand(stop), yard.instance.backhaul(stop));
        self.delivered += demand;
        self.picked_up += backhaul;
        if demand > 0 {
            self.after_deliveries = self.after_deliveries.max(place);
        }
        self.after_deliveries += usize::from(place < self.after_deliveries || demand > 0);
        self.before_pickups = match backhaul > 0 {
            true => self.before_pickups.min(place),
            false => self.before_pickups + usize::from(place <= self.before_pickups),
        };
        self.stops.insert(place, stop);
        self.clock(yard);
    }

    /// Whether the same vehicle can drive `next` right after this route; both have stops.
    pub(super) fn can_precede(&self, yard: &Yard<'_>, next: &Self) -> bool {
        let instance = yard.instance;
        let (tail, head) = (self.before(self.stops.len()), next.after(0));
        let amounts = self.delivered + next.delivered <= instance.capacity()
            && self.picked_up + next.picked_up <= instance.capacity()
            && (self.picked_up == 0 || next.delivered == 0);
        if !amounts || !yard.drivable(tail, head) {
            return false;
        }
        let seam = yard.length(tail, head) - yard.length(tail, 0) - yard.length(0, head);
        let in_time = !yard.timed || self.leave[self.stops.len()] + yard.time(tail, head) <= next.latest[0];
        self.length + next.length + seam <= instance.limit() && in_time
    }

    /// Drives `next` right after this route, which [`Draft::can_precede`] allowed.
    pub(super) fn append(&mut self, yard: &Yard<'_>, next: &Self) {
        let (tail, head, here) = (self.before(self.stops.len()), next.after(0), self.stops.len());
        self.cost += next.cost + yard.cost(tail, head) - yard.cost(tail, 0) - yard.cost(0, head);
        self.length += next.length + yard.length(tail, head) - yard.length(tail, 0) - yard.length(0, head);
        if next.delivered > 0 {
            self.after_deliveries = here + next.after_deliveries;
        }
        if self.picked_up == 0 {
            self.before_pickups = here + next.before_pickups;
        }
        self.delivered += next.delivered;
        self.picked_up += next.picked_up;
        self.stops.extend_from_slice(&next.stops);
        self.clock(yard);
    }
}
