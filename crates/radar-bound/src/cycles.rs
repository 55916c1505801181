//! The cycles of a permutation, and orders of nodes.

/// The cycles that `successor`, a permutation, falls into, each as a list of its nodes in order.
pub(crate) fn cycles(successor: &[u32]) -> Vec<Vec<u32>> {
    let mut seen = vec![false; successor.len()];
    let mut cycles = Vec::new();
    for first in 0..successor.len() {
        let mut cycle = Vec::new();
        let mut node = first;
        while !std::mem::replace(&mut seen[node], true) {
            cycle.push(node as u32);
            node = successor[node] as usize;
        }
        if !cycle.is_empty() {
            cycles.push(cycle);
        }
    }
    cycles
}

/// How many cycles `successor`, a permutation, falls into.
pub(crate) fn count(successor: &[u32]) -> usize {
    let mut seen = vec![false; successor.len()];
    let mut count = 0;
    for first in 0..successor.len() {
        count += usize::from(!seen[first]);
        let mut node = first;
        while !std::mem::replace(&mut seen[node], true) {
            node = successor[node] as usize;
        }
    }
    count
}

/// Whether `order` names each of `nodes` nodes once.
pub(crate) fn is_permutation(nodes: usize, order: &[u32]) -> bool {
    let mut seen = vec![false; nodes];
    let new = |&node: &u32| seen.get_mut(node as usize).is_some_and(|seen| !std::mem::replace(seen, true));
    order.len() == nodes && order.iter().all(new)
}

/// The nodes from node 0 on along `successor`, one cycle.
pub(crate) fn tour(successor: &[u32]) -> Vec<u32> {
    let following = std::iter::successors(Some(0), |&node: &u32| successor.get(node as usize).copied());
    following.take(successor.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_of_a_permutation() {
        let successor = [2, 1, 4, 5, 0, 3];
        assert_eq!(cycles(&successor), [vec![0, 2, 4], vec![1], vec![3, 5]]);
        assert_eq!((count(&successor), count(&[]), count(&[0])), (3, 0, 1));
        assert_eq!(tour(&[2, 0, 1]), [0, 2, 1]);
    }

    #[test]
    fn orders_that_are_none() {
        assert!(is_permutation(3, &[2, 0, 1]) && is_permutation(0, &[]));
        for bad in [&[0, 1][..], &[0, 1, 1], &[0, 1, 3], &[0, 1, 2, 0]] {
            assert!(!is_permutation(3, bad), "{bad:?}");
        }
    }
}
