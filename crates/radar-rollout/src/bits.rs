//! Sets of nodes as words of 64 bits.

/// How many words hold `nodes` bits.
pub(crate) fn words(nodes: usize) -> usize {
    nodes.div_ceil(64)
}

/// Adds `node`.
#[inline]
pub(crate) fn insert(words: &mut [u64], node: usize) {
    words[node / 64] |= 1 << (node % 64);
}

/// Takes `node` out.
#[inline]
pub(crate) fn remove(words: &mut [u64], node: usize) {
    words[node / 64] &= !(1 << (node % 64));
}

/// Keeps the nodes for which `keep` holds. Words without a node cost one comparison.
#[inline]
pub(crate) fn retain(words: &mut [u64], mut keep: impl FnMut(usize) -> bool) {
    for (block, word) in words.iter_mut().enumerate() {
        let mut left = *word;
        while left != 0 {
            let lowest = left & left.wrapping_neg();
            if !keep(block * 64 + left.trailing_zeros() as usize) {
                *word ^= lowest;
            }
            left ^= lowest;
        }
    }
}

/// The nodes that may come next, bit `j % 64` of word `j / 64` for node `j`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask<'a>(&'a [u64]);

impl<'a> Mask<'a> {
    /// Reads words as a set of nodes.
    pub fn new(words: &'a [u64]) -> Self {
        Self(words)
    }

    /// The words themselves.
    pub fn words(self) -> &'a [u64] {
        self.0
    }

    /// Whether `node` is in the set.
    #[inline]
    pub fn contains(self, node: usize) -> bool {
        self.0.get(node / 64).is_some_and(|word| word >> (node % 64) & 1 == 1)
    }

    /// How many nodes are in the set.
    pub fn count(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no node is in the set.
    pub fn is_empty(self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The nodes in ascending order.
    pub fn iter(self) -> impl Iterator<Item = usize> + 'a {
        self.0.iter().enumerate().flat_map(|(block, &word)| {
            std::iter::successors(Some(word), |&left| Some(left & left.wrapping_sub(1)))
                .take_while(|&left| left != 0)
                .map(move |left| block * 64 + left.trailing_zeros() as usize)
        })
    }

    /// The node with `rank` smaller ones in the set, if there are so many.
    pub fn nth(self, mut rank: usize) -> Option<usize> {
        for (block, &word) in self.0.iter().enumerate() {
            let here = word.count_ones() as usize;
            if rank < here {
                let rest = (0..rank).fold(word, |left, _| left & (left - 1));
                return Some(block * 64 + rest.trailing_zeros() as usize);
            }
            rank -= here;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_what_was_put_in() {
        let members = [0, 1, 63, 64, 127, 130];
        let mut set = vec![0; words(131)];
        members.iter().for_each(|&node| insert(&mut set, node));
        let mask = Mask::new(&set);
        assert_eq!(mask.iter().collect::<Vec<_>>(), members);
        assert_eq!(mask.count(), members.len());
        for (rank, &node) in members.iter().enumerate() {
            assert_eq!(mask.nth(rank), Some(node));
        }
        assert_eq!(mask.nth(members.len()), None);
        assert_eq!((0..300).filter(|&node| mask.contains(node)).collect::<Vec<_>>(), members);

        remove(&mut set, 64);
        remove(&mut set, 5);
        retain(&mut set, |node| node % 2 == 1);
        assert_eq!(Mask::new(&set).iter().collect::<Vec<_>>(), [1, 63, 127]);
        retain(&mut set, |_| false);
        assert!(Mask::new(&set).is_empty());
        assert_eq!((words(0), words(64), words(65)), (0, 1, 2));
    }
}
