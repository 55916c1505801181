//! Where one trajectory stands.

use radar_problem::Instance;

/// Where one trajectory stands: everything the masks look at except which stops are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The first node: of the tour, or the first stop of the first route.
    pub start: usize,
    /// The node it stands at.
    pub node: usize,
    /// When it is ready to leave that node.
    pub time: i64,
    /// How far the current route has gone.
    pub length: i64,
    /// What the current route has delivered.
    pub delivered: i64,
    /// What the current route has picked up. Anything above 0 means that no delivery may follow.
    pub picked_up: i64,
    /// How many routes have been opened.
    pub routes: usize,
    /// How many stops are left.
    pub remaining: usize,
    /// What all routes so far have delivered.
    pub all_delivered: i64,
    /// What all routes so far have picked up.
    pub all_picked_up: i64,
}

impl State {
    /// Before the first move: in the depot, or nowhere yet on a tour.
    pub fn new(instance: &Instance, start: usize) -> Self {
        Self {
            start,
            node: 0,
            time: instance.opens(0),
            length: 0,
            delivered: 0,
            picked_up: 0,
            routes: 0,
            remaining: instance.stops().len(),
            all_delivered: 0,
            all_picked_up: 0,
        }
    }

    /// After a legal move of a route to `node`, and what it cost.
    pub fn after(&self, instance: &Instance, node: usize) -> (Self, i64) {
        if node == 0 {
            let cost = if instance.is_open() { 0 } else { instance.cost().at(self.node, 0) };
            let Self { start, routes, remaining, all_delivered, all_picked_up, .. } = *self;
            let fresh = Self::new(instance, start);
            return (Self { routes, remaining, all_delivered, all_picked_up, ..fresh }, cost);
        }
        let arrival = self.time + instance.duration().at(self.node, node);
        let next = Self {
            start: self.start,
            node,
            time: arrival.max(instance.opens(node)) + instance.service(node),
            length: self.length + instance.distance().at(self.node, node),
            delivered: self.delivered + instance.demand(node),
            picked_up: self.picked_up + instance.backhaul(node),
            routes: self.routes + usize::from(self.node == 0),
            remaining: self.remaining - 1,
            all_delivered: self.all_delivered + instance.demand(node),
            all_picked_up: self.all_picked_up + instance.backhaul(node),
        };
        (next, instance.cost().at(self.node, node))
    }

    /// After the forced first move of a tour, which is driven from nowhere.
    pub fn on_tour(instance: &Instance, start: usize) -> Self {
        Self { node: start, routes: 1, remaining: instance.nodes() - 1, ..Self::new(instance, start) }
    }

    /// After a legal move of a tour to `node`, and what it cost; the last move also pays the way back
    /// to the start.
    pub fn along(&self, instance: &Instance, node: usize) -> (Self, i64) {
        let mut cost = instance.cost().at(self.node, node);
        let next = Self { node, remaining: self.remaining - 1, ..*self };
        if next.remaining == 0 {
            cost += instance.cost().at(node, self.start);
        }
        (next, cost)
    }
}
