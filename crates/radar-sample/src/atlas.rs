//! Several road matrices, drawn from as RRNCO draws from its cities.

use radar_kernel::random::Stream;

use crate::ground::Ground;
use crate::roads::{Pick, Roads};

/// Instances that share one draw of cities, cities drawn, and instances in a row from each.
const CHUNK: u64 = 1000;
const CITIES: usize = 10;
const IN_A_ROW: u64 = CHUNK / CITIES as u64;

/// One road matrix or several. For every thousand instances ten matrices are drawn without replacement (or
/// all, in random order, when there are fewer), and a hundred instances in a row come from each.
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
        let count = self.0.len().min(CITIES);
        let drawn = Stream::new(seed, "atlas", index / CHUNK).sample(self.0.len(), count);
        drawn[(index % CHUNK / IN_A_ROW) as usize % count]
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
    fn ten_cities_a_thousand_and_a_hundred_in_a_row() {
        let atlas = atlas(25);
        for chunk in 0..3 {
            let cities: Vec<usize> = (0..CHUNK).map(|at| atlas.city(7, chunk * CHUNK + at)).collect();
            assert_eq!(cities.iter().collect::<BTreeSet<_>>().len(), CITIES);
            assert!(cities.chunks(100).all(|row| row.iter().all(|city| *city == row[0])));
        }
        assert_ne!(
            atlas.city(7, 0),
            atlas.city(7, CHUNK),
            "another thousand, another draw (under this seed)"
        );
        assert_eq!(atlas.nodes(), 3);
    }

    #[test]
    fn fewer_cities_take_turns() {
        let atlas = atlas(3);
        let counts = (0..CHUNK).fold([0; 3], |mut counts, at| {
            counts[atlas.city(1, at)] += 1;
            counts
        });
        assert!(counts.iter().all(|&count| count >= 300), "{counts:?}");
        assert!(Atlas::new(Vec::new()).is_none());
    }
}
