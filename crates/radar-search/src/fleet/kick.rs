//! A random exchange of two or three arcs in one neighbourhood: what local search is then to mend in
//! another way.

use radar_bound::Weight;
use radar_kernel::random::Stream;

use super::exchange::Exchange;
use super::plan::{Head, Plan};
use super::record::Record;
use crate::candidates::Neighbours;
use crate::prior::EdgePrior;

/// How often a fitting exchange is looked for.
const TRIES: usize = 20;

/// Applies a random exchange that adds less than `most` to the fines; says whether one was found.
///
/// With a prior, arcs that it believes in are mostly left alone.
pub(crate) fn kick<W: Weight, R: Record>(
    plan: &mut Plan<'_, W, R>,
    neighbours: &Neighbours<W>,
    prior: Option<&dyn EdgePrior>,
    most: i64,
    stream: &mut Stream,
) -> bool {
    let stops = plan.nodes() - 1;
    for _ in 0..TRIES {
        let seed = 1 + stream.index(stops);
        let Some(other) = neighbour(neighbours, seed, stream) else { continue };
        let Some(third) = neighbour(neighbours, seed, stream) else { continue };
        if other == third || other == 0 || third == 0 {
            continue;
        }
        let bits = stream.bits();
        let beside = |stop: usize, bit: u64| -> Head {
            if bits >> bit & 1 == 0 { stop as Head } else { plan.after(stop) }
        };
        let heads = [beside(seed, 0), beside(other, 1), beside(third, 2)];
        let count = 2 + (bits >> 3 & 1) as usize;
        let joins: &[usize] = match (count, bits >> 4 & 1) {
            (2, _) => &[1, 0],
            (_, 0) => &[1, 2, 0],
            _ => &[2, 0, 1],
        };
        let heads = &heads[..count];
        if heads[0] == heads[1] || heads.iter().any(|&head| plan.is_fixed(head)) {
            continue;
        }
        if let Some(prior) = prior {
            let belief = |&head: &Head| prior.belief(plan.tail(head), plan.node(head));
            let least = heads.iter().map(belief).fold(1.0_f32, f32::min);
            if stream.unit() < f64::from(least) {
                continue;
            }
        }
        let exchange = Exchange { heads, joins };
        if exchange.weigh(plan).is_some_and(|fine| fine < most) {
            let saving = exchange.saving(plan);
            exchange.apply(plan, saving);
            return true;
        }
    }
    false
}

/// A random candidate of `node` in either direction.
#[inline]
fn neighbour<W: Weight>(neighbours: &Neighbours<W>, node: usize, stream: &mut Stream) -> Option<usize> {
    let bits = stream.bits();
    let list = if bits & 1 == 0 { neighbours.out.of(node) } else { neighbours.back.of(node) };
    let near = list.len().min(10);
    (near > 0).then(|| list[(((bits >> 32) * near as u64) >> 32) as usize].0 as usize)
}
