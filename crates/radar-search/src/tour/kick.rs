//! Small random changes that a local search does not simply take back.

use radar_bound::Weight;
use radar_kernel::random::Stream;

use super::exchange::Exchange;
use super::order::Order;
use crate::prior::EdgePrior;

/// How the pieces of a tour are put together again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kick {
    /// A B C becomes A C B.
    Swap,
    /// A B C D becomes A D C B.
    Bridge,
}

/// Cuts the tour at arcs at most `stride` steps apart and puts it together again, each piece in its
/// direction; of the pieces only A may be longer. The result is one cycle. `None` on tours with fewer arcs
/// than are cut.
///
/// With a prior, the first cut is where the tour is less to be believed of two places.
pub(crate) fn draw<W: Weight>(
    order: &Order<W>,
    prior: Option<&dyn EdgePrior>,
    kick: Kick,
    stride: usize,
    stream: &mut Stream,
) -> Option<Exchange> {
    let nodes = order.nodes().len();
    let cuts = match kick {
        Kick::Swap => 3,
        Kick::Bridge => 4,
    };
    if nodes < cuts {
        return None;
    }
    let stride = stride.clamp(1, (nodes - 1) / (cuts - 1));
    let mut place = doubted(order, prior, stream);
    let mut tails = [0; 4];
    for tail in &mut tails[..cuts] {
        *tail = order.at(place);
        place += 1 + stream.index(stride);
    }
    Some(match kick {
        Kick::Swap => Exchange::sequential(&tails[..3]),
        Kick::Bridge => Exchange::between(&tails, &[2, 3, 0, 1]),
    })
}

/// The place of an arc to cut.
fn doubted<W: Weight>(order: &Order<W>, prior: Option<&dyn EdgePrior>, stream: &mut Stream) -> usize {
    let nodes = order.nodes().len();
    let place = stream.index(nodes);
    let Some(prior) = prior else { return place };
    let other = stream.index(nodes);
    let belief = |place: usize| {
        let tail = order.at(place);
        prior.belief(tail as usize, order.ahead(tail).node as usize)
    };
    if belief(other) < belief(place) { other } else { place }
}
