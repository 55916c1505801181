//! The depot of a relaxed plan: how many routes, and which arcs it has.

use crate::Weight;
use crate::reduced::Reduced;

/// How many routes a plan may have, and what each is worth by the depot's prices, in parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fleet {
    pub least: usize,
    pub most: usize,
    pub per_route: i64,
}

impl Fleet {
    /// A tour is one route from node 0.
    pub fn of<W: Weight>(reduced: &Reduced<W>, parts: i64) -> Self {
        let (least, most) =
            if reduced.is_tour() { (1, 1) } else { (reduced.least_routes().max(1), reduced.most_routes()) };
        Self { least, most: most.max(least), per_route: reduced.per_route() * parts }
    }
}

/// The ways out of the depot and back, and the arcs of a spanning tree of the stops, each with its cost.
#[derive(Clone, Debug, Default)]
pub(super) struct Depot {
    pub out: Vec<(i64, u32)>,
    pub back: Vec<(i64, u32)>,
    /// Cost and number of each arc of the tree.
    pub tree: Vec<(i64, u32)>,
}

impl Depot {
    /// The least cost of a relaxed plan, multipliers aside, and its number of routes. Afterwards the
    /// cheapest ways come first and the dearest arcs of the tree: a plan of `k` routes has the first `k`
    /// ways of each kind and all but the first `k - 1` arcs.
    ///
    /// A plan of `k` routes leaves the depot `k` times, for different stops, comes back `k` times, and
    /// without the depot it is `k` paths through all stops: a forest of `stops - k` arcs. The cheapest
    /// forest is the cheapest tree without its `k - 1` dearest arcs (Kruskal's algorithm, stopped early).
    /// So one route more costs the next way out, the next way back and the price of a route, and saves the
    /// dearest arc left: the first two only grow, the last only shrinks, so that the cost is convex in `k`
    /// and the first increase ends the search.
    pub fn cheapest(&mut self, fleet: Fleet) -> (i64, usize) {
        if fleet.most == 1 {
            // A tour needs no sorting.
            for ways in [&mut self.out, &mut self.back] {
                if let Some(least) = (0..ways.len()).min_by_key(|&place| ways[place]) {
                    ways.swap(0, least);
                }
            }
        } else {
            self.out.sort_unstable();
            self.back.sort_unstable();
            self.tree.sort_unstable_by_key(|&arc| std::cmp::Reverse(arc));
        }
        let mut cost: i64 = self.tree.iter().map(|arc| arc.0).sum();
        let mut routes = 0;
        while routes < fleet.most {
            let (Some(out), Some(back)) = (self.out.get(routes), self.back.get(routes)) else { break };
            let saved = match routes {
                0 => 0,
                _ => self.tree.get(routes - 1).map_or(0, |arc| arc.0),
            };
            let more = out.0 + back.0 + fleet.per_route - saved;
            if routes >= fleet.least && more >= 0 {
                break;
            }
            cost += more;
            routes += 1;
        }
        (cost, routes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use radar_kernel::random::Stream;

    #[test]
    fn the_first_increase_ends_the_search() {
        let mut stream = Stream::new(1, "depot", 0);
        let mut between = 0;
        for _ in 0..2000 {
            let stops = 1 + stream.index(8);
            let mut draw = |count: usize| (0..count as u32).map(|at| (stream.between(-20, 30), at)).collect();
            let mut depot = Depot { out: draw(stops), back: draw(stops), tree: draw(stops - 1) };
            let least = 1 + stream.index(stops);
            let most = least + stream.index(stops - least + 1);
            let fleet = Fleet { least, most, per_route: stream.between(-20, 20) };
            let sorted = |arcs: &[(i64, u32)]| {
                let mut costs: Vec<i64> = arcs.iter().map(|arc| arc.0).collect();
                costs.sort_unstable();
                costs
            };
            let (out, back, tree) = (sorted(&depot.out), sorted(&depot.back), sorted(&depot.tree));
            let sum = |costs: &[i64]| costs.iter().sum::<i64>();
            let with = |routes: usize| {
                let ways = sum(&out[..routes]) + sum(&back[..routes]) + routes as i64 * fleet.per_route;
                ways + sum(&tree[..stops - routes])
            };
            let (cost, routes) = depot.cheapest(fleet);
            assert_eq!(Some(cost), (least..=most).map(with).min());
            assert_eq!(cost, with(routes));
            between += usize::from(routes > least && routes < most);
        }
        assert!(between > 50, "{between}");
    }
}
