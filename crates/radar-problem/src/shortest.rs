//! Shortest ways from and to one node. Impossibility is claimed only from these: a real table may
//! break the triangle inequality, so a direct arc that fails proves nothing.

use crate::UNREACHABLE;
use crate::scaled::Scaled;

/// The length of the shortest way from `source` to every node; [`UNREACHABLE`] where there is none.
pub fn shortest_from(matrix: &Scaled, source: usize) -> Vec<i64> {
    dijkstra(matrix.nodes(), source, |from, to| matrix.at(from, to))
}

/// Sweeps before the backward search gives up on short chains.
const SWEEPS: usize = 8;

/// The length of the shortest way from every node to `target`; [`UNREACHABLE`] where there is none.
///
/// Reading columns of a large matrix is slow, so rows are swept until nothing changes, which takes as
/// many sweeps as the longest of these ways has arcs: a few, on a real table. Where it takes more, the
/// columns are read after all.
pub fn shortest_to(matrix: &Scaled, target: usize) -> Vec<i64> {
    let mut best: Vec<i64> = (0..matrix.nodes()).map(|from| matrix.at(from, target)).collect();
    for _ in 0..SWEEPS {
        let mut changed = false;
        for from in 0..matrix.nodes() {
            let row = matrix.row(from).values();
            let ways = row.iter().zip(&best);
            let ways = ways.filter(|&(&step, &rest)| step < UNREACHABLE && rest < UNREACHABLE);
            if let Some(way) = ways.map(|(step, rest)| step + rest).min()
                && way < best[from]
            {
                best[from] = way;
                changed = true;
            }
        }
        if !changed {
            return best;
        }
    }
    dijkstra(matrix.nodes(), target, |from, to| matrix.at(to, from))
}

/// Dense Dijkstra: quadratic, which is what reading the matrix costs anyway.
fn dijkstra(nodes: usize, source: usize, arc: impl Fn(usize, usize) -> i64) -> Vec<i64> {
    let mut best = vec![UNREACHABLE; nodes];
    let mut done = vec![false; nodes];
    best[source] = 0;
    loop {
        let next = (0..nodes).filter(|&node| !done[node] && best[node] < UNREACHABLE);
        let Some(next) = next.min_by_key(|&node| best[node]) else { return best };
        done[next] = true;
        for to in 0..nodes {
            let step = arc(next, to);
            if step < UNREACHABLE && !done[to] {
                best[to] = best[to].min(best[next] + step);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_directions_agree_on_any_matrix() {
        // A chain longer than the sweeps, in the order that sweeps like least, and denser ones.
        let chain = Scaled::from_fn(20, |from, to| if to == from + 1 { 1 } else { UNREACHABLE });
        assert_eq!(shortest_to(&chain, 19), (0..20).rev().collect::<Vec<i64>>());
        let mut state = 1_u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        for nodes in 1..12 {
            let matrix = Scaled::from_fn(nodes, |from, to| match draw() % 4 {
                _ if from == to => 0,
                0 => UNREACHABLE,
                _ => (draw() % 50) as i64,
            });
            let turned = Scaled::from_fn(nodes, |from, to| matrix.at(to, from));
            for node in 0..nodes {
                assert_eq!(shortest_to(&matrix, node), shortest_from(&turned, node));
            }
        }
    }

    #[test]
    fn a_detour_beats_a_long_arc() {
        let far = UNREACHABLE;
        let rows = [[0, 1, 9, far], [far, 0, 2, far], [5, far, 0, far], [1, 1, 1, 0]];
        let matrix = Scaled::from_fn(4, |from, to| rows[from][to]);
        assert_eq!(shortest_from(&matrix, 0), [0, 1, 3, far]);
        assert_eq!(shortest_to(&matrix, 0), [0, 7, 5, 1]);
    }
}
