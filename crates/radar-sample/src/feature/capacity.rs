//! What a vehicle holds, by the number of stops.

/// The law of the capacity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CapacityLaw {
    /// The multi-task set's: 30 up to 20 stops, then one more per five stops, and beyond 1000 stops
    /// 230 and one more per 33.3.
    #[default]
    Multitask,
    /// The ACVRP table's: 30, 40, 50, 80, 100, 250 for 20, 50, 100, 200, 500, 1000 stops. Between these
    /// sizes it is interpolated and rounded down, below 20 it stays 30, and beyond 1000 the last slope
    /// goes on (three more per ten stops).
    Acvrp,
    /// The same for all sizes.
    Fixed(u32),
}

/// Sizes and capacities of the ACVRP table.
const ACVRP: [(usize, usize); 6] = [(20, 30), (50, 40), (100, 50), (200, 80), (500, 100), (1000, 250)];

impl CapacityLaw {
    /// The capacity for a number of stops.
    pub fn of(self, stops: usize) -> u64 {
        let capacity = match self {
            Self::Multitask => match stops {
                0..=20 => 30,
                21..=1000 => 30 + stops / 5,
                // 33.3 as tenths, to stay within integers.
                _ => 230 + (stops - 1000) * 10 / 333,
            },
            Self::Acvrp => interpolated(stops),
            Self::Fixed(capacity) => capacity as usize,
        };
        capacity as u64
    }
}

fn interpolated(stops: usize) -> usize {
    let [first, .., before, last] = ACVRP;
    if stops <= first.0 {
        return first.1;
    }
    let pairs = ACVRP.windows(2).map(|pair| (pair[0], pair[1]));
    let (low, high) = pairs.into_iter().find(|(_, high)| stops <= high.0).unwrap_or((before, last));
    low.1 + (stops - low.0) * (high.1 - low.1) / (high.0 - low.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_sizes_have_published_capacities() {
        for (stops, capacity) in ACVRP {
            assert_eq!(CapacityLaw::Acvrp.of(stops), capacity as u64);
        }
        for (stops, capacity) in
            [(1, 30), (20, 30), (21, 34), (50, 40), (100, 50), (1000, 230), (1033, 230), (1034, 231)]
        {
            assert_eq!(CapacityLaw::Multitask.of(stops), capacity, "{stops} stops");
        }
        assert_eq!(CapacityLaw::Fixed(50).of(7), 50);
    }

    #[test]
    fn between_them_it_grows() {
        assert_eq!([1, 35, 75, 150, 350].map(|stops| CapacityLaw::Acvrp.of(stops)), [30, 35, 45, 65, 90]);
        assert_eq!(CapacityLaw::Acvrp.of(2000), 550);
        assert!((1..3000).all(|stops| CapacityLaw::Acvrp.of(stops) <= CapacityLaw::Acvrp.of(stops + 1)));
    }
}
