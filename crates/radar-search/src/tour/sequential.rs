//! Exchanges along an alternating path: an arc of the tour leaves, an arc from its tail comes in, the arc
//! into the same head leaves, and so on, until closing the path pays.

use radar_bound::Weight;

use super::Settings;
use super::exchange::{Exchange, Layout};
use super::order::Order;
use super::patch::{self, Marks};
use crate::candidates::Neighbours;

/// A search for one exchange.
pub(crate) struct Paths<'s, 'a, W> {
    pub order: &'s Order<'a, W>,
    pub neighbours: &'a Neighbours<W>,
    pub settings: &'s Settings,
    pub marks: &'s mut Marks,
    /// The tails of the arcs that leave, as far as the path goes.
    tails: [u32; Exchange::MOST],
    /// The head of the first arc that leaves: closing the path leads there.
    home: u32,
}

impl<'s, 'a, W: Weight> Paths<'s, 'a, W> {
    pub fn new(
        order: &'s Order<'a, W>,
        neighbours: &'a Neighbours<W>,
        settings: &'s Settings,
        marks: &'s mut Marks,
    ) -> Self {
        Self { order, neighbours, settings, marks, tails: [0; Exchange::MOST], home: 0 }
    }

    /// The first exchange found that begins with the arc out of `tail` and gains, with its exact gain. The
    /// result is one cycle again.
    ///
    /// Only paths are followed on which more was saved than spent so far: some rotation of every exchange
    /// that gains has this property. Where closing the path leaves two cycles, [`patch::mend`] may join
    /// them. The first exchange is taken and not the best, because the best one mostly takes back the kick.
    #[inline]
    pub fn find(&mut self, tail: u32) -> Option<(Exchange, i64)> {
        let first = self.order.ahead(tail);
        if first.cost <= W::ZERO {
            return None;
        }
        self.tails[0] = tail;
        self.home = first.node;
        self.extend(1, first.cost.to_i64())
    }

    /// Tries all ways on from a path on which `length` arcs leave.
    fn extend(&mut self, length: usize, saved: i64) -> Option<(Exchange, i64)> {
        let (order, neighbours, settings) = (self.order, self.neighbours, self.settings);
        let candidates = neighbours.out.of(self.tails[length - 1] as usize);
        for &(head, cost) in candidates.iter().take(settings.breadth[length - 1]) {
            let left = saved - cost.to_i64();
            if left <= 0 {
                break;
            }
            let arc = order.behind(head);
            if self.tails[..length].contains(&arc.node) {
                continue;
            }
            self.tails[length] = arc.node;
            let saved = left + arc.cost.to_i64();
            let gain = saved - order.reduced().at(arc.node as usize, self.home as usize).to_i64();
            if gain > 0 {
                let found = self.close(length + 1, gain);
                if found.is_some() {
                    return found;
                }
            }
            if length + 1 < settings.depth {
                let found = self.extend(length + 1, saved);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// The exchange that closes the path, if it yields one cycle or can be mended.
    fn close(&mut self, length: usize, gain: i64) -> Option<(Exchange, i64)> {
        let exchange = Exchange::sequential(&self.tails[..length]);
        if let [one, two, three] = *exchange.tails() {
            // One cycle remains if the arcs come in this order along the tour, otherwise three.
            let in_order = self.order.steps(one, two) < self.order.steps(one, three);
            return in_order.then_some((exchange, gain));
        }
        let layout = Layout::of(self.order, &exchange);
        match layout.cycles(&exchange) {
            1 => Some((exchange, gain)),
            2 => patch::mend(self, &exchange, &layout, gain),
            _ => None,
        }
    }
}
