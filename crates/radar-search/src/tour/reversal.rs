//! Turning round a stretch of the tour. Every arc in it changes its cost, so only short ones are tried.

use radar_bound::Weight;

use super::order::Order;
use crate::candidates::Neighbours;

/// A stretch to turn round: its first place and how many nodes it has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reversal {
    pub place: usize,
    pub length: usize,
}

impl Reversal {
    /// The nodes around the two arcs at the ends.
    pub fn ends<W: Weight>(&self, order: &Order<W>) -> [u32; 4] {
        let (first, last) = (order.at(self.place), order.at(self.place + self.length - 1));
        [order.behind(first).node, first, last, order.ahead(last).node]
    }

    /// What the tour saves, arc by arc.
    #[inline]
    pub fn gain<W: Weight>(&self, order: &Order<W>) -> i64 {
        let reduced = order.reduced();
        let first = order.at(self.place);
        let before = order.behind(first);
        let mut gain = before.cost.to_i64();
        let mut node = first;
        for _ in 1..self.length {
            let arc = order.ahead(node);
            gain += arc.cost.to_i64() - reduced.at(arc.node as usize, node as usize).to_i64();
            node = arc.node;
        }
        let after = order.ahead(node);
        gain + after.cost.to_i64()
            - reduced.at(before.node as usize, node as usize).to_i64()
            - reduced.at(first as usize, after.node as usize).to_i64()
    }
}

/// The first reversal found that gains and puts a candidate arc out of `tail` into the tour, with its exact
/// gain.
///
/// On a symmetric table the stretch itself would change by the difference of what its two ends `lean`, the
/// price of leaving them less the price of entering them. What does not gain by this estimate is not looked
/// at more closely; and as one of the two new arcs must then beat the arc that it shares an end with, by
/// costs from which half the lean of both ends is taken, candidates that do not are passed over.
#[inline]
pub(crate) fn find<W: Weight>(
    order: &Order<W>,
    neighbours: &Neighbours<W>,
    lean: &[i64],
    longest: usize,
    tail: u32,
) -> Option<(Reversal, i64)> {
    let reduced = order.reduced();
    let lean = |node: u32| lean[node as usize];
    let next = order.ahead(tail);
    let previous = order.behind(tail);
    let (to_beat, own) = (2 * next.cost.to_i64() - lean(next.node), lean(tail));
    for &(head, cost) in neighbours.out.of(tail as usize) {
        // Nodes after `tail` up to `head`, and as many from `tail` up to before `head`.
        let last = order.behind(head);
        let after_tail = to_beat + lean(head) > 2 * cost.to_i64();
        let before_head = 2 * last.cost.to_i64() + lean(last.node) - own > 2 * cost.to_i64();
        if !(after_tail || before_head) {
            continue;
        }
        let length = order.steps(tail, head);
        if length < 2 || length > longest {
            continue;
        }
        if after_tail {
            let beyond = order.ahead(head);
            let saved = next.cost.to_i64() + beyond.cost.to_i64() - cost.to_i64();
            let other = reduced.at(next.node as usize, beyond.node as usize).to_i64();
            if saved - other + lean(head) - lean(next.node) > 0 {
                let reversal = Reversal { place: order.place(next.node) as usize, length };
                let gain = reversal.gain(order);
                if gain > 0 {
                    return Some((reversal, gain));
                }
            }
        }
        if before_head {
            let saved = previous.cost.to_i64() + last.cost.to_i64() - cost.to_i64();
            let other = reduced.at(previous.node as usize, last.node as usize).to_i64();
            if saved - other + lean(last.node) - own > 0 {
                let reversal = Reversal { place: order.place(tail) as usize, length };
                let gain = reversal.gain(order);
                if gain > 0 {
                    return Some((reversal, gain));
                }
            }
        }
    }
    None
}
