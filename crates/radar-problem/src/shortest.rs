//! Shortest ways from and to one node. Impossibility is claimed only from these: a real table may
//! break the triangle inequality, so a direct arc that fails proves nothing.

use crate::UNREACHABLE;
use crate::matrix::Matrix;

/// The length of the shortest way from `source` to every node; [`UNREACHABLE`] where there is none.
pub fn shortest_from(matrix: &Matrix<i64>, source: usize) -> Vec<i64> {
    dijkstra(matrix.nodes(), source, |from, to| matrix.at(from, to))
}

/// The length of the shortest way from every node to `target`; [`UNREACHABLE`] where there is none.
pub fn shortest_to(matrix: &Matrix<i64>, target: usize) -> Vec<i64> {
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
    fn a_detour_beats_a_long_arc() {
        let far = UNREACHABLE;
        let matrix = Matrix::from_values(4, vec![0, 1, 9, far, far, 0, 2, far, 5, far, 0, far, 1, 1, 1, 0]);
        let matrix = matrix.expect("sixteen values");
        assert_eq!(shortest_from(&matrix, 0), [0, 1, 3, far]);
        assert_eq!(shortest_to(&matrix, 0), [0, 7, 5, 1]);
    }
}
