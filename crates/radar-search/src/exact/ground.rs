//! What one vehicle may do: the rules of a route, one arc at a time.

use radar_problem::{Instance, NEVER, UNREACHABLE};

use super::{Exact, MOST_WEIGHED};

/// The stops that are free to go anywhere, and the rules. A set of them is a number, one bit each.
pub(super) struct Ground<'a> {
    pub instance: &'a Instance,
    pub stops: Vec<usize>,
    pub stop: &'a dyn Fn() -> bool,
    is_timed: bool,
    is_limited: bool,
    /// When every route must have ended.
    end: i64,
}

/// A vehicle under way: what it has spent when it leaves a node. Less of everything is better; what no
/// constraint asks for is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spent {
    pub cost: i64,
    pub length: i64,
    pub time: i64,
}

impl Spent {
    /// Whether nothing of the other is less.
    pub fn is_as_good_as(&self, other: &Self) -> bool {
        self.cost <= other.cost && self.length <= other.length && self.time <= other.time
    }
}

impl<'a> Ground<'a> {
    /// `None` for tours, and for more stops than can be weighed.
    pub fn of(request: &Exact<'a>) -> Option<Self> {
        let instance = request.instance;
        let is_begun = |stop: &usize| request.beginnings.iter().any(|stops| stops.contains(stop));
        let stops: Vec<usize> = instance.stops().filter(|stop| !is_begun(stop)).collect();
        if instance.is_tour() || stops.len() > MOST_WEIGHED {
            return None;
        }
        let back = if instance.is_open() { NEVER } else { instance.closes(0) };
        let end = back.min(instance.opens(0).saturating_add(instance.max_duration()));
        let is_timed = end < NEVER || instance.stops().any(|stop| instance.closes(stop) < NEVER);
        let is_limited = instance.limit() < NEVER;
        Some(Self { instance, stops, stop: request.stop, is_timed, is_limited, end })
    }

    /// How many sets there are.
    pub fn sets(&self) -> usize {
        1 << self.stops.len()
    }

    /// The stops of a set, ascending.
    pub fn members(&self, set: usize) -> Vec<usize> {
        self.stops.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1).map(|(_, &stop)| stop).collect()
    }

    /// Whether a vehicle that has served `begun` can also hold what a set receives and hands over.
    pub fn holds(&self, begun: &[usize], set: usize) -> bool {
        let stops = self.members(set);
        let total = |amount: fn(&Instance, usize) -> i64| -> i64 {
            stops.iter().chain(begun).map(|&stop| amount(self.instance, stop)).sum()
        };
        let capacity = self.instance.capacity();
        total(Instance::demand) <= capacity && total(Instance::backhaul) <= capacity
    }

    /// A vehicle about to leave the depot.
    pub fn departure(&self) -> Spent {
        Spent { cost: 0, length: 0, time: if self.is_timed { self.instance.opens(0) } else { 0 } }
    }

    /// On to a stop and through its service, if that is legal. A route that is too late or too long stays so.
    pub fn onward(&self, spent: Spent, from: usize, to: usize) -> Option<Spent> {
        let instance = self.instance;
        let mut spent = self.drive(spent, from, to)?;
        if self.is_timed {
            if spent.time > instance.closes(to) {
                return None;
            }
            spent.time = spent.time.max(instance.opens(to)) + instance.service(to);
            // Closed routes end later still.
            if spent.time > self.end {
                return None;
            }
        }
        Some(spent)
    }

    /// What the route costs that ends here, if that is legal.
    pub fn finish(&self, spent: Spent, last: usize) -> Option<i64> {
        if self.instance.is_open() {
            return Some(spent.cost);
        }
        self.drive(spent, last, 0).filter(|spent| spent.time <= self.end).map(|spent| spent.cost)
    }

    fn drive(&self, spent: Spent, from: usize, to: usize) -> Option<Spent> {
        let (distance, duration) =
            (self.instance.distance().at(from, to), self.instance.duration().at(from, to));
        if distance == UNREACHABLE || duration == UNREACHABLE {
            return None;
        }
        let length = if self.is_limited { spent.length + distance } else { 0 };
        let time = if self.is_timed { spent.time + duration } else { 0 };
        let cost = spent.cost + self.instance.cost().at(from, to);
        (length <= self.instance.limit()).then_some(Spent { cost, length, time })
    }
}
