//! Two cycles made one.

use radar_bound::Weight;

use super::exchange::{Exchange, Layout};
use super::sequential::Paths;

/// Which nodes are on the smaller cycle, forgotten by counting on.
pub(crate) struct Marks {
    marks: Vec<u32>,
    current: u32,
}

impl Marks {
    pub fn new(nodes: usize) -> Self {
        Self { marks: vec![0; nodes], current: 0 }
    }

    fn renew(&mut self) {
        if self.current == u32::MAX {
            self.marks.fill(0);
            self.current = 0;
        }
        self.current += 1;
    }

    #[inline(always)]
    fn set(&mut self, node: u32) {
        self.marks[node as usize] = self.current;
    }

    #[inline(always)]
    fn has(&self, node: u32) -> bool {
        self.marks[node as usize] == self.current
    }
}

/// Joins the two cycles that `exchange` would leave, by swapping the heads of one arc on each, such that all
/// together still gains. `gain` is what `exchange` alone saves. Takes the best swap whose arc out of the
/// smaller cycle is a candidate that does not use up the gain, if the smaller cycle is small enough.
///
/// The result is one cycle and has the exact gain.
pub(crate) fn mend<W: Weight>(
    paths: &mut Paths<W>,
    exchange: &Exchange,
    layout: &Layout,
    gain: i64,
) -> Option<(Exchange, i64)> {
    let Paths { order, neighbours, settings, .. } = *paths;
    let nodes_of = |cycle: u32| layout.on(cycle).map(|(_, length)| length).sum::<usize>();
    let one = layout.cycle(exchange, 0);
    let other = !one & ((1 << exchange.tails().len()) - 1);
    let smaller = if nodes_of(one) <= nodes_of(other) { one } else { other };
    if nodes_of(smaller) > settings.patch || exchange.tails().len() + 2 > Exchange::MOST {
        return None;
    }
    let marks = &mut *paths.marks;
    marks.renew();
    for (start, length) in layout.on(smaller) {
        (start..start + length).for_each(|place| marks.set(order.at(place)));
    }
    let mut best = -gain;
    let mut swap = None;
    for (start, length) in layout.on(smaller) {
        // The last of a stretch is a tail of the exchange: its arc is gone.
        for place in start..start + length - 1 {
            let tail = order.at(place);
            let arc = order.ahead(tail);
            for &(head, cost) in neighbours.out.of(tail as usize).iter().take(settings.breadth[0]) {
                let left = arc.cost.to_i64() - cost.to_i64();
                if left <= -gain {
                    break;
                }
                let outer = order.behind(head);
                let saved = left + outer.cost.to_i64();
                if saved <= best || marks.has(head) || marks.has(outer.node) {
                    continue;
                }
                let delta = saved - order.reduced().at(outer.node as usize, arc.node as usize).to_i64();
                if delta > best && !exchange.tails().contains(&outer.node) {
                    best = delta;
                    swap = Some((tail, outer.node));
                }
            }
        }
    }
    swap.map(|(tail, outer)| (exchange.with_swap(tail, outer), gain + best))
}
