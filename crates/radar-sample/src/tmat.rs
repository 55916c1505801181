//! "tmat": random integers closed under the triangle inequality, the paper's ATSP.

use radar_kernel::closure;
use radar_kernel::random::Stream;
use radar_problem::Table;

use crate::ground::{Ground, Measure};

/// Entries are whole millionths; stated values are exactly the decimals `k / 1_000_000`.
const MILLION: u64 = 1_000_000;

/// Arcs uniform on 0..=999,999 millionths, independent for each direction, then shortest ways.
pub(crate) fn ground(nodes: usize, seed: u64, index: u64) -> Ground {
    let mut stream = Stream::new(seed, "tmat", index);
    let mut arcs = vec![0; nodes * nodes];
    for (at, arc) in arcs.iter_mut().enumerate() {
        if at / nodes != at % nodes {
            *arc = stream.below(MILLION) as u32;
        }
    }
    let closed = closure::close(nodes, &mut arcs);
    debug_assert!(closed.is_ok(), "a million is within the range of the closure");
    let values = arcs.into_iter().map(|arc| f64::from(arc) / MILLION as f64).collect();
    Ground::new(Table::from_values(nodes, nodes, values), Measure::Absolute)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(nodes: usize, index: u64) -> Vec<u64> {
        let table = ground(nodes, 5, index).distance;
        table.iter().map(|value| (value * MILLION as f64).round() as u64).collect()
    }

    #[test]
    fn the_triangle_inequality_holds() {
        let nodes = 40;
        let ways = entries(nodes, 0);
        for from in 0..nodes {
            for by in 0..nodes {
                for to in 0..nodes {
                    assert!(ways[from * nodes + to] <= ways[from * nodes + by] + ways[by * nodes + to]);
                }
            }
        }
    }

    #[test]
    fn two_nodes_keep_the_uniform_law() {
        // Nothing can be shortened between two nodes, so the entries show the law itself.
        let draws: Vec<u64> =
            (0..4000).flat_map(|index| [entries(2, index)[1], entries(2, index)[2]]).collect();
        let mean = draws.iter().sum::<u64>() as f64 / draws.len() as f64;
        assert!((mean - 499_999.5).abs() < 4.0 * 288_675.0 / (draws.len() as f64).sqrt(), "{mean}");
        assert!(draws.iter().all(|&draw| draw < MILLION));
        assert!(draws.iter().any(|&draw| draw > 999_000) && draws.iter().any(|&draw| draw < 1000));
    }

    #[test]
    fn entries_shrink_as_first_passage_theory_says() {
        // The typical way on a complete graph of n nodes is ln n / n long.
        let (nodes, count) = (100, 20);
        let total: u64 = (0..count).flat_map(|index| entries(nodes, index)).sum();
        let mean = total as f64 / (count as usize * nodes * (nodes - 1)) as f64 / MILLION as f64;
        let typical = (nodes as f64).ln() / nodes as f64;
        assert!((mean / typical - 1.0).abs() < 0.2, "{mean} against {typical}");
    }
}
