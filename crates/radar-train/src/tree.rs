//! A sum over the chunks of a batch whose additions are always the same ones.
//!
//! The chunks are the leaves of a binary tree. Neighbours are added in pairs, and their sums in pairs again;
//! what has no neighbour goes up as it is. Sums may come in any order and from anywhere: which two meet follows
//! from the number of leaves alone, so neither threads nor processes change a bit of the total.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A place in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Node {
    /// Steps above the leaves.
    level: u32,
    /// Its number from the left among those of its level.
    place: usize,
}

impl Node {
    /// The leaf of a chunk.
    pub fn leaf(chunk: usize) -> Self {
        Self { level: 0, place: chunk }
    }

    fn sibling(self) -> Self {
        Self { place: self.place ^ 1, ..self }
    }

    fn parent(self) -> Self {
        Self { level: self.level + 1, place: self.place / 2 }
    }

    /// The first leaf below it.
    fn first(self) -> Option<usize> {
        self.place.checked_mul(1_usize.checked_shl(self.level)?)
    }
}

/// Sums of equally long lists that have not met yet.
#[derive(Clone, Debug)]
pub struct Tree {
    leaves: usize,
    sums: BTreeMap<Node, Vec<f32>>,
    /// Lists that were added to others: their memory can serve again.
    spent: Vec<Vec<f32>>,
}

impl Tree {
    /// A tree over so many leaves, nothing summed.
    pub fn new(leaves: usize) -> Self {
        Self { leaves, sums: BTreeMap::new(), spent: Vec::new() }
    }

    /// Takes in the sum of a node, each once, and adds up as far as neighbours are there.
    pub fn add(&mut self, node: Node, sum: Vec<f32>) {
        let (mut node, mut sum) = (node, sum);
        while node.place > 0 || self.has(node.sibling()) {
            let sibling = node.sibling();
            if self.has(sibling) {
                let Some(other) = self.sums.remove(&sibling) else { break };
                let (mut left, right) = if node < sibling { (sum, other) } else { (other, sum) };
                left.iter_mut().zip(&right).for_each(|(left, right)| *left += right);
                self.spent.push(right);
                sum = left;
            }
            node = node.parent();
        }
        self.sums.insert(node, sum);
    }

    /// A list whose numbers nobody needs any more; an empty one if there is none.
    pub fn take_spent(&mut self) -> Vec<f32> {
        self.spent.pop().unwrap_or_default()
    }

    /// Whether any leaf is below a node.
    fn has(&self, node: Node) -> bool {
        node.first().is_some_and(|first| first < self.leaves)
    }

    /// The sums so far, each with its place.
    pub fn into_sums(self) -> impl Iterator<Item = (Node, Vec<f32>)> {
        self.sums.into_iter()
    }

    /// The sum of all leaves; `None` while some are missing.
    pub fn total(mut self) -> Option<Vec<f32>> {
        let (node, sum) = self.sums.pop_last()?;
        let whole = node.place == 0 && !self.has(node.sibling());
        (whole && self.sums.is_empty()).then_some(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use radar_kernel::random::Stream;

    /// By pairs of neighbours again and again.
    fn by_pairs(mut lists: Vec<Vec<f32>>) -> Vec<f32> {
        while lists.len() > 1 {
            let add = |pair: &[Vec<f32>]| match pair {
                [one, other] => one.iter().zip(other).map(|(one, other)| one + other).collect(),
                rest => rest.concat(),
            };
            lists = lists.chunks(2).map(add).collect();
        }
        lists.remove(0)
    }

    fn leaves(count: usize) -> Vec<Vec<f32>> {
        let mut stream = Stream::new(1, "leaves", count as u64);
        let number =
            |stream: &mut Stream| (stream.unit() as f32 - 0.5) * 10_f32.powf(stream.unit() as f32 * 6.0);
        (0..count).map(|_| (0..4).map(|_| number(&mut stream)).collect()).collect()
    }

    #[test]
    fn any_order_is_the_order_of_pairs() {
        for count in 1..40 {
            let lists = leaves(count);
            let wanted = by_pairs(lists.clone());
            let mut order: Vec<usize> = (0..count).collect();
            for seed in 0..3 {
                let mut tree = Tree::new(count);
                for &at in &order {
                    assert!(tree.clone().total().is_none());
                    tree.add(Node::leaf(at), lists[at].clone());
                }
                assert_eq!(tree.total(), Some(wanted.clone()), "{count} in order {order:?}");
                Stream::new(seed, "order", count as u64).shuffle(&mut order);
            }
        }
    }

    #[test]
    fn parts_meet() {
        for (count, parts) in [(1, 3), (5, 2), (7, 3), (16, 3), (33, 4)] {
            let lists = leaves(count);
            let mut whole = Tree::new(count);
            let mut sent = 0;
            for part in (0..parts).rev() {
                let mut own = Tree::new(count);
                let range = count * part / parts..count * (part + 1) / parts;
                range.for_each(|at| own.add(Node::leaf(at), lists[at].clone()));
                for (node, sum) in own.into_sums() {
                    whole.add(node, sum);
                    sent += 1;
                }
            }
            assert_eq!(whole.total(), Some(by_pairs(lists)));
            assert!(sent <= 2 * parts * (count.ilog2() as usize + 1), "{sent} sums of {count} chunks");
        }
        assert_eq!(Tree::new(3).total(), None);
    }
}
