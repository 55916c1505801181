//! The part of a stated route that can be driven.

use radar_problem::{Instance, UNREACHABLE};

/// A stated list without the nodes that do not exist. It starts at its home and, unless routes are
/// open, ends there: the depot, or the first node of a tour.
pub(crate) struct Trip<'a> {
    pub instance: &'a Instance,
    /// Which route of the plan it is.
    pub index: usize,
    /// Where a tour starts: position and node.
    pub start: Option<(usize, usize)>,
    /// The position of the way home, one past the last position of the stated list.
    end: usize,
    /// Position in the stated list, and node.
    pub stops: Vec<(usize, usize)>,
}

/// One arc of a trip.
#[derive(Clone, Copy)]
pub(crate) struct Leg {
    /// The position it leads to.
    pub position: usize,
    pub from: usize,
    pub to: usize,
}

impl<'a> Trip<'a> {
    pub fn new(instance: &'a Instance, index: usize, nodes: &[usize]) -> Self {
        let known = |&(_, node): &(usize, usize)| node < instance.nodes();
        let mut stops: Vec<_> = nodes.iter().copied().enumerate().filter(known).collect();
        // A tour is a circle, so its cost does not depend on where the list begins.
        let start = (instance.is_tour() && !stops.is_empty()).then(|| stops.remove(0));
        Self { instance, index, start, end: nodes.len(), stops }
    }

    /// The node it starts from and returns to.
    pub fn home(&self) -> usize {
        self.start.map_or(0, |(_, node)| node)
    }

    /// The arcs in driving order; none when there is no stop.
    pub fn legs(&self) -> impl Iterator<Item = Leg> {
        let last = self.stops.last().filter(|_| !self.instance.is_open());
        let origins = std::iter::once(self.home()).chain(self.stops.iter().map(|&(_, node)| node));
        let targets = self.stops.iter().copied().chain(last.map(|_| (self.end, self.home())));
        origins.zip(targets).map(|(from, (position, to))| Leg { position, from, to })
    }
}

impl Leg {
    /// Its length, or `None` when it cannot be driven.
    pub fn distance(self, instance: &Instance) -> Option<i64> {
        driveable(instance.distance().at(self.from, self.to))
    }

    /// Its travel time, or `None` when it cannot be driven.
    pub fn duration(self, instance: &Instance) -> Option<i64> {
        driveable(instance.duration().at(self.from, self.to))
    }

    /// Its cost, or `None` when it cannot be driven.
    pub fn cost(self, instance: &Instance) -> Option<i64> {
        driveable(instance.cost().at(self.from, self.to))
    }
}

fn driveable(entry: i64) -> Option<i64> {
    (entry < UNREACHABLE).then_some(entry)
}
