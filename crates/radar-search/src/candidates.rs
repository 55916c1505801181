//! Where it may be worth going: the cheapest arcs by reduced cost.

use radar_bound::{Reduced, Weight};

use crate::prior::EdgePrior;

/// Per node a list of other nodes, cheapest arc first.
#[derive(Clone, Debug)]
pub struct Candidates<W> {
    starts: Vec<u32>,
    arcs: Vec<(u32, W)>,
}

impl<W: Weight> Candidates<W> {
    /// The nodes worth going to from `node`, with the reduced cost of the arc.
    #[inline(always)]
    pub fn of(&self, node: usize) -> &[(u32, W)] {
        &self.arcs[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    fn from_lists(lists: Vec<Vec<(W, u32)>>) -> Self {
        let mut starts = vec![0];
        let mut arcs = Vec::with_capacity(lists.iter().map(Vec::len).sum());
        for mut list in lists {
            list.sort_unstable();
            list.dedup();
            arcs.extend(list.into_iter().map(|(cost, node)| (node, cost)));
            starts.push(arcs.len() as u32);
        }
        Self { starts, arcs }
    }
}

/// Candidates in both directions. Arcs that no plan can use are never among them.
#[derive(Clone, Debug)]
pub struct Neighbours<W> {
    /// Where to go from a node.
    pub out: Candidates<W>,
    /// Where to come from to a node.
    pub back: Candidates<W>,
}

/// How much a prior must believe in an arc to make it a candidate, and how many per node it may name.
const BELIEVED: f32 = 0.05;
const NAMED: usize = 5;

impl<W: Weight> Neighbours<W> {
    /// The `count` cheapest arcs out of each node united with the `count` cheapest into it, and with what
    /// the prior believes in.
    pub fn of(reduced: &Reduced<W>, count: usize, prior: Option<&dyn EdgePrior>) -> Self {
        let nodes = reduced.nodes();
        let mut out: Vec<Vec<(W, u32)>> = (0..nodes).map(|from| least_of_row(reduced, from, count)).collect();
        let mut back = least_of_columns(reduced, count);
        let own: Vec<usize> = back.iter().map(Vec::len).collect();
        for from in 0..nodes {
            if let Some(prior) = prior {
                for to in believed(prior, reduced, from) {
                    out[from].push((reduced.at(from, to), to as u32));
                }
            }
            for &(cost, to) in &out[from] {
                back[to as usize].push((cost, from as u32));
            }
        }
        for to in 0..nodes {
            for at in 0..own[to] {
                let (cost, from) = back[to][at];
                out[from as usize].push((cost, to as u32));
            }
        }
        Self { out: Candidates::from_lists(out), back: Candidates::from_lists(back) }
    }
}

/// How many costs are compared with the threshold at once; a loop over them vectorises.
const CHUNK: usize = 16;

/// The cheapest arcs out of `from`, cheapest first; of equals the first.
fn least_of_row<W: Weight>(reduced: &Reduced<W>, from: usize, count: usize) -> Vec<(W, u32)> {
    let mut least: Vec<(W, u32)> = Vec::with_capacity(2 * count + 1);
    if count == 0 {
        return least;
    }
    let mut threshold = W::FORBIDDEN;
    for (chunk, costs) in reduced.row(from).chunks(CHUNK).enumerate() {
        if costs.iter().fold(W::FORBIDDEN, |least, &cost| least.min(cost)) >= threshold {
            continue;
        }
        for (at, &cost) in costs.iter().enumerate() {
            let to = chunk * CHUNK + at;
            if cost < threshold && !reduced.is_absent(from, to) {
                insert(&mut least, (cost, to as u32), count);
                if least.len() == count {
                    threshold = least[count - 1].0;
                }
            }
        }
    }
    least
}

/// The cheapest arcs into each node. Goes through the table by rows, because columns are far apart.
fn least_of_columns<W: Weight>(reduced: &Reduced<W>, count: usize) -> Vec<Vec<(W, u32)>> {
    let nodes = reduced.nodes();
    let mut least: Vec<Vec<(W, u32)>> = (0..nodes).map(|_| Vec::with_capacity(3 * count)).collect();
    if count == 0 {
        return least;
    }
    let mut thresholds = vec![W::FORBIDDEN; nodes];
    for from in 0..nodes {
        let row = reduced.row(from);
        for chunk in (0..nodes).step_by(CHUNK) {
            let end = (chunk + CHUNK).min(nodes);
            let below = row[chunk..end].iter().zip(&thresholds[chunk..end]);
            if !below.fold(false, |any, (cost, threshold)| any | (cost < threshold)) {
                continue;
            }
            for to in chunk..end {
                let cost = row[to];
                if cost < thresholds[to] && !reduced.is_absent(from, to) {
                    insert(&mut least[to], (cost, from as u32), count);
                    if least[to].len() == count {
                        thresholds[to] = least[to][count - 1].0;
                    }
                }
            }
        }
    }
    least
}

/// Puts `arc` where it belongs in a sorted list of at most `count`.
#[inline]
fn insert<W: Weight>(least: &mut Vec<(W, u32)>, arc: (W, u32), count: usize) {
    let at = least.iter().rposition(|other| other.0 <= arc.0).map_or(0, |at| at + 1);
    least.truncate(count - 1);
    least.insert(at.min(least.len()), arc);
}

/// What the prior believes in most among the arcs out of `from`.
fn believed<W: Weight>(prior: &dyn EdgePrior, reduced: &Reduced<W>, from: usize) -> Vec<usize> {
    let named = (0..reduced.nodes()).filter(|&to| !reduced.is_absent(from, to));
    let mut named: Vec<(f32, usize)> = named.map(|to| (prior.belief(from, to), to)).collect();
    named.retain(|&(belief, _)| belief >= BELIEVED);
    named.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    named.into_iter().take(NAMED).map(|(_, to)| to).collect()
}
