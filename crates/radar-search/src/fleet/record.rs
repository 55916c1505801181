//! What a stretch of a route adds up to. Records of two stretches join in constant time, so a move asks
//! what a new route would be without driving it; open routes, backhauls, limits and windows are fields of
//! the record and not cases in the moves.

use super::yard::Yard;

/// By how much a route breaks each constraint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Excess {
    /// Deliveries and pickups above the capacity, together.
    pub amount: i64,
    /// Deliveries that come after a pickup.
    pub order: i64,
    /// Length above the limit.
    pub length: i64,
    /// Lateness, as the time one would have to turn back the clock.
    pub time: i64,
}

impl Excess {
    /// Whether nothing is broken.
    #[inline]
    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    /// Adds what a route now breaks in place of what it broke.
    #[inline]
    pub fn exchange(&mut self, old: Self, new: Self) {
        self.amount += new.amount - old.amount;
        self.order += new.order - old.order;
        self.length += new.length - old.length;
        self.time += new.time - old.time;
    }
}

/// The record of a stretch. `join` is associative.
pub(crate) trait Record: Copy + std::fmt::Debug + PartialEq + Send + Sync {
    /// Whether the record of a stretch is that of a longer one less that of its beginning.
    const ADDITIVE: bool;

    /// A vehicle about to leave the depot.
    fn departure(yard: &Yard<'_>) -> Self;
    /// One stop.
    fn stop(yard: &Yard<'_>, node: usize) -> Self;
    /// The end of a route.
    fn arrival(yard: &Yard<'_>) -> Self;
    /// This stretch, which ends in `from`, followed by `next`, which begins with `to`.
    fn join(self, yard: &Yard<'_>, from: usize, to: usize, next: Self) -> Self;
    /// What is left of this stretch without its beginning, if the record is additive.
    fn without(self, beginning: Self) -> Self;
    /// What a route of this record breaks.
    fn excess(self, yard: &Yard<'_>) -> Excess;
}

/// Deliveries alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Load(i64);

impl Record for Load {
    const ADDITIVE: bool = true;

    fn departure(_: &Yard<'_>) -> Self {
        Self(0)
    }

    fn stop(yard: &Yard<'_>, node: usize) -> Self {
        Self(yard.instance().demand(node))
    }

    fn arrival(_: &Yard<'_>) -> Self {
        Self(0)
    }

    #[inline(always)]
    fn join(self, _: &Yard<'_>, _: usize, _: usize, next: Self) -> Self {
        Self(self.0 + next.0)
    }

    #[inline(always)]
    fn without(self, beginning: Self) -> Self {
        Self(self.0 - beginning.0)
    }

    #[inline(always)]
    fn excess(self, yard: &Yard<'_>) -> Excess {
        Excess { amount: (self.0 - yard.instance().capacity()).max(0), ..Excess::default() }
    }
}

/// Everything. Without `TIMED` the clock stands still, without cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full<const TIMED: bool> {
    load: i64,
    pickup: i64,
    /// Stops that receive, stops that hand over, and those that receive after one that handed over.
    receivers: u32,
    givers: u32,
    misplaced: u32,
    length: i64,
    clock: Clock,
}

/// When a stretch can be driven: it takes `duration` if begun between `early` and `late`, turning the
/// clock back by `warp` on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Clock {
    duration: i64,
    warp: i64,
    early: i64,
    late: i64,
}

impl Clock {
    #[inline(always)]
    fn join(self, travel: i64, next: Self) -> Self {
        let passed = self.duration - self.warp + travel;
        let wait = (next.early - passed - self.late).max(0);
        let warp = (self.early + passed - next.late).max(0);
        Self {
            duration: self.duration + next.duration + travel + wait,
            warp: self.warp + next.warp + warp,
            early: (next.early - passed).max(self.early) - wait,
            late: (next.late - passed).min(self.late) + warp,
        }
    }
}

impl<const TIMED: bool> Full<TIMED> {
    fn at(clock: Clock) -> Self {
        Self { load: 0, pickup: 0, receivers: 0, givers: 0, misplaced: 0, length: 0, clock }
    }
}

impl<const TIMED: bool> Record for Full<TIMED> {
    const ADDITIVE: bool = false;

    fn departure(yard: &Yard<'_>) -> Self {
        // Routes leave at the depot's opening.
        let opens = yard.instance().opens(0);
        Self::at(Clock { early: opens, late: opens, ..Clock::default() })
    }

    fn stop(yard: &Yard<'_>, node: usize) -> Self {
        let instance = yard.instance();
        let (load, pickup) = (instance.demand(node), instance.backhaul(node));
        let clock = Clock {
            duration: instance.service(node),
            warp: 0,
            early: instance.opens(node),
            late: instance.closes(node),
        };
        Self { load, pickup, receivers: (load > 0).into(), givers: (pickup > 0).into(), ..Self::at(clock) }
    }

    fn arrival(yard: &Yard<'_>) -> Self {
        Self::at(Clock { early: yard.instance().opens(0), late: yard.end, ..Clock::default() })
    }

    #[inline(always)]
    fn join(self, yard: &Yard<'_>, from: usize, to: usize, next: Self) -> Self {
        let late_receivers = if self.givers > 0 { next.receivers } else { next.misplaced };
        Self {
            load: self.load + next.load,
            pickup: self.pickup + next.pickup,
            receivers: self.receivers + next.receivers,
            givers: self.givers + next.givers,
            misplaced: self.misplaced + late_receivers,
            length: if yard.is_limited() { self.length + yard.length(from, to) + next.length } else { 0 },
            clock: if TIMED { self.clock.join(yard.travel(from, to), next.clock) } else { self.clock },
        }
    }

    fn without(self, _: Self) -> Self {
        self
    }

    #[inline(always)]
    fn excess(self, yard: &Yard<'_>) -> Excess {
        let instance = yard.instance();
        Excess {
            amount: (self.load - instance.capacity()).max(0) + (self.pickup - instance.capacity()).max(0),
            order: i64::from(self.misplaced),
            length: (self.length - instance.limit()).max(0),
            time: if TIMED { self.clock.warp } else { 0 },
        }
    }
}
