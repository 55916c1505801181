//! The cheapest route of one vehicle through every set of stops.

use super::ground::{Ground, Spent};

/// Beyond so many ways to stand somewhere the work is given up: time, length and cost may all disagree.
const MOST_WAYS: usize = 1 << 20;

/// A way through a set of stops that no other way through it to the same last stop makes useless.
#[derive(Clone, Copy)]
struct Way {
    spent: Spent,
    /// The last stop, by its bit, and the way up to it; none at the beginning.
    last: Option<(usize, usize)>,
}

/// All of them, and for each set the cheapest that ends there.
pub(super) struct Ways {
    ways: Vec<Way>,
    ends: Vec<Option<(i64, usize)>>,
}

impl Ways {
    /// Drives from the end of `begun` (the depot, if that is empty) through every set. `None` if there is no
    /// time, or too much to weigh.
    pub fn of(ground: &Ground<'_>, begun: &[usize]) -> Option<Self> {
        let (sets, stops) = (ground.sets(), ground.stops.len());
        let mut all = Self { ways: Vec::new(), ends: vec![None; sets] };
        let Some((spent, from)) = follow(ground, begun) else { return Some(all) };
        all.ways.push(Way { spent, last: None });
        if !begun.is_empty() {
            all.ends[0] = ground.finish(spent, from).map(|cost| (cost, 0));
        }
        let instance = ground.instance;
        let gives = |stop: usize| instance.backhaul(stop) > 0;
        let givers: usize = (0..stops).filter(|&bit| gives(ground.stops[bit])).map(|bit| 1 << bit).sum();
        let has_picked_up = begun.iter().any(|&stop| gives(stop));
        // Where the ways through a set that end in one of its stops stand in the list.
        let mut spans = vec![0..0; sets * stops];
        for set in 1..sets {
            if (ground.stop)() || all.ways.len() > MOST_WAYS {
                return None;
            }
            if !ground.holds(begun, set) {
                continue;
            }
            for last in (0..stops).filter(|bit| set >> bit & 1 == 1) {
                let (to, before) = (ground.stops[last], set & !(1 << last));
                if instance.demand(to) > 0 && (has_picked_up || before & givers != 0) {
                    continue;
                }
                let start = all.ways.len();
                let mut add = |way: usize, from: usize| {
                    if let Some(spent) = ground.onward(all.ways[way].spent, from, to) {
                        all.keep(start, Way { spent, last: Some((last, way)) });
                    }
                };
                if before == 0 {
                    add(0, from);
                }
                for bit in (0..stops).filter(|bit| before >> bit & 1 == 1) {
                    spans[before * stops + bit].clone().for_each(|way| add(way, ground.stops[bit]));
                }
                spans[set * stops + last] = start..all.ways.len();
                for way in start..all.ways.len() {
                    let Some(cost) = ground.finish(all.ways[way].spent, to) else { continue };
                    if all.ends[set].is_none_or(|(known, _)| cost < known) {
                        all.ends[set] = Some((cost, way));
                    }
                }
            }
        }
        Some(all)
    }

    /// Adds a way to those from `start` on, unless one of them is as good; those that it makes useless go.
    fn keep(&mut self, start: usize, way: Way) {
        if self.ways[start..].iter().any(|known| known.spent.is_as_good_as(&way.spent)) {
            return;
        }
        let mut kept = start;
        for at in start..self.ways.len() {
            if !way.spent.is_as_good_as(&self.ways[at].spent) {
                self.ways[kept] = self.ways[at];
                kept += 1;
            }
        }
        self.ways.truncate(kept);
        self.ways.push(way);
    }

    /// What the cheapest legal route through a set costs, its beginning included.
    pub fn cost(&self, set: usize) -> Option<i64> {
        self.ends[set].map(|(cost, _)| cost)
    }

    /// The stops of that route behind its beginning.
    pub fn route(&self, ground: &Ground<'_>, set: usize) -> Vec<usize> {
        let mut route = Vec::new();
        let mut way = self.ends[set].map(|(_, way)| self.ways[way]);
        while let Some((last, before)) = way.and_then(|way| way.last) {
            route.push(ground.stops[last]);
            way = Some(self.ways[before]);
        }
        route.reverse();
        route
    }
}

/// What a beginning spends, and where it ends; `None` if it breaks something.
fn follow(ground: &Ground<'_>, begun: &[usize]) -> Option<(Spent, usize)> {
    let mut picked_up = false;
    for &stop in begun {
        if picked_up && ground.instance.demand(stop) > 0 {
            return None;
        }
        picked_up |= ground.instance.backhaul(stop) > 0;
    }
    let mut at = (ground.departure(), 0);
    for &stop in begun {
        at = (ground.onward(at.0, at.1, stop)?, stop);
    }
    ground.holds(begun, 0).then_some(at)
}
