//! Rows to columns.

/// Rows and columns of a block: both its sides stay in the fastest memory.
const BLOCK: usize = 32;

/// The transposed of a matrix (N, N).
pub(crate) fn transposed(nodes: usize, matrix: &[f32]) -> Vec<f32> {
    let mut back = vec![0.0; nodes * nodes];
    let mut strips = back.chunks_mut((BLOCK * nodes).max(1));
    for left in (0..nodes).step_by(BLOCK) {
        let Some(strip) = strips.next() else { break };
        for top in (0..nodes).step_by(BLOCK) {
            let bottom = (top + BLOCK).min(nodes);
            for (place, to) in strip.chunks_exact_mut(nodes).enumerate() {
                let column = matrix[top * nodes..].iter().skip(left + place).step_by(nodes);
                to[top..bottom].iter_mut().zip(column).for_each(|(to, &from)| *to = from);
            }
        }
    }
    back
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_changes_sides() {
        for nodes in [0, 1, 2, 31, 32, 33, 100] {
            let matrix: Vec<f32> = (0..nodes * nodes).map(|at| at as f32).collect();
            let back = transposed(nodes, &matrix);
            assert_eq!(back.len(), matrix.len());
            for at in 0..nodes * nodes {
                assert_eq!(back[at], matrix[at % nodes * nodes + at / nodes]);
            }
        }
    }
}
