//! Several road matrices, each drawn from as often as the others.

use radar_kernel::random::Stream;

use crate::ground::Ground;
use crate::roads::{Pick, Roads};

/// One road matrix or several. Of as many instances in a row as there are matrices, counted from the first, each
/// comes from another one, in an order that is drawn anew every time: a batch, or a set to measure on, is of all
/// cities or of as many as it can be. (RRNCO takes ten cities for every thousand instances and a hundred in a row
/// from each; what a city's share is in the long run is the same.)
#[derive(Clone, Debug, PartialEq)]
pub struct Atlas(Vec<Roads>);

impl From<Roads> for Atlas {
    fn from(roads: Roads) -> Self {
        Self(vec![roads])
    }
}

impl Atlas {
    /// An atlas of some matrices; `None` when there is none.
    pub fn new(roads: Vec<Roads>) -> Option<Self> {
        (!roads.is_empty()).then_some(Self(roads))
    }

    /// How many points can be chosen from every matrix.
    pub fn nodes(&self) -> usize {
        self.0.iter().map(Roads::nodes).min().unwrap_or(0)
    }

    /// Whether it is known where all points are.
    pub(crate) fn has_points(&self) -> bool {
        self.0.iter().all(Roads::has_points)
    }

    /// The matrix that instance `index` under `seed` is drawn from.
    fn city(&self, seed: u64, index: u64) -> usize {
        let count = self.0.len();
        let (round, place) = (index / count as u64, index % count as u64);
        Stream::new(seed, "atlas", round).sample(count, count)[place as usize]
    }

    pub(crate) fn ground(&self, pick: Pick, nodes: usize, seed: u64, index: u64) -> Ground {
        self.0[self.city(seed, index)].ground(pick, nodes, seed, index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use radar_problem::Table;
    use std::collections::BTreeSet;

    fn atlas(cities: usize) -> Atlas {
        let city = |size: usize| {
            let table = Table::from_values(size, size, vec![0.0; size * size]);
            Roads::new(table, None, None, f64::INFINITY).expect("sound")
        };
        Atlas::new((0..cities).map(|number| city(3 + number)).collect()).expect("some cities")
    }

    #[test]
    fn every_city_comes_once_in_a_round() {
        for count in [1, 4, 25] {
            let atlas = atlas(count);
            let cities: Vec<usize> = (0..100 * count as u64).map(|at| atlas.city(7, at)).collect();
            for round in cities.chunks(count) {
                assert_eq!(round.iter().collect::<BTreeSet<_>>().len(), count, "{round:?}");
            }
        }
        assert_eq!(atlas(25).nodes(), 3);
        assert!(Atlas::new(Vec::new()).is_none());
    }

    #[test]
    fn rounds_have_orders_of_their_own() {
        let atlas = atlas(8);
        let round =
            |seed, number: u64| (0..8).map(|at| atlas.city(seed, 8 * number + at)).collect::<Vec<_>>();
        assert_ne!(round(7, 0), round(7, 1));
        assert_ne!(round(7, 0), round(8, 0));
        assert_eq!(round(7, 0), round(7, 0));
    }
}
