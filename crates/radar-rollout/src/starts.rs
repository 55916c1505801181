//! Which forced first moves a rollout tries.

use crate::bits;
use crate::mask::Rules;
use crate::state::State;

/// Which of the offered starts to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// Every one.
    All,
    /// At most so many: spread evenly over the node numbers, unless whoever builds routes knows which are likelier (a
    /// network does).
    AtMost(usize),
}

impl Rules<'_> {
    /// The starts on offer: every node of a tour, every stop of routes that may be served first.
    pub fn starts(&self) -> Vec<usize> {
        let instance = self.instance();
        if instance.is_tour() {
            return instance.stops().collect();
        }
        let mut stops = vec![0; bits::words(instance.nodes())];
        instance.stops().for_each(|stop| bits::insert(&mut stops, stop));
        let mut mask = stops.clone();
        self.fill(&State::new(instance, 0), &stops, &mut mask);
        bits::Mask::new(&mask).iter().filter(|&stop| stop != 0).collect()
    }
}

impl Starts {
    /// The chosen ones of `offered`.
    pub fn of(self, offered: &[usize]) -> Vec<usize> {
        match self {
            Self::All => offered.to_vec(),
            Self::AtMost(count) if count >= offered.len() => offered.to_vec(),
            Self::AtMost(count) => (0..count).map(|at| offered[at * offered.len() / count]).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_starts_are_distinct_and_begin_with_the_first() {
        let offered: Vec<usize> = (3..20).collect();
        for count in 0..25 {
            let chosen = Starts::AtMost(count).of(&offered);
            assert_eq!(chosen.len(), count.min(offered.len()));
            assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(count == 0 || chosen[0] == 3);
        }
        assert_eq!(Starts::All.of(&offered), offered);
        assert_eq!(Starts::AtMost(2).of(&offered), [3, 11]);
    }
}
