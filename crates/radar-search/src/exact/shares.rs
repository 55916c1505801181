//! The cheapest way to give the stops of every set to vehicles.

use super::ground::Ground;
use super::ways::Ways;

/// What every set costs after each vehicle, and which part of it that vehicle drives.
pub(super) struct Shares {
    /// Vehicles that leave the depot first, then those that have set out.
    layers: Vec<Vec<Option<Share>>>,
    /// How many layers are of vehicles that leave the depot.
    free: usize,
}

/// The cost of a set so far, and the part of it that the last vehicle drives; 0 if it stays at the depot.
#[derive(Clone, Copy)]
struct Share {
    cost: i64,
    part: usize,
}

impl Shares {
    /// Shares out every set among vehicles that have `begun`, and at most `vehicles` others. `None` if there is
    /// no time.
    pub fn of(ground: &Ground<'_>, begun: &[Ways], others: &Ways, vehicles: usize) -> Option<Self> {
        let sets = ground.sets();
        let mut nobody = vec![None; sets];
        nobody[0] = Some(Share { cost: 0, part: 0 });
        let mut shares = Self { layers: vec![nobody], free: 1 };
        for _ in 0..vehicles.min(ground.stops.len()) {
            // Vehicles are alike, so the next one may take the first of the stops that are left.
            shares.add(ground, others, |set, part| part & set & set.wrapping_neg() != 0, true)?;
        }
        shares.free = shares.layers.len();
        for ways in begun {
            shares.add(ground, ways, |_, _| true, false)?;
        }
        Some(shares)
    }

    /// One more vehicle, for the parts of a set that it may have; it may have none if it can stay at home.
    fn add(
        &mut self,
        ground: &Ground<'_>,
        ways: &Ways,
        may_have: impl Fn(usize, usize) -> bool,
        may_stay: bool,
    ) -> Option<()> {
        let before = self.layers.last()?;
        let mut layer: Vec<Option<Share>> = Vec::with_capacity(before.len());
        for set in 0..before.len() {
            if set % 64 == 0 && (ground.stop)() {
                return None;
            }
            let stay = before[set].filter(|_| may_stay).map(|share| Share { part: 0, ..share });
            let parts = subsets(set).filter(|&part| may_have(set, part));
            let shared = parts
                .filter_map(|part| Some(Share { cost: ways.cost(part)? + before[set & !part]?.cost, part }));
            layer.push(stay.into_iter().chain(shared).min_by_key(|share| share.cost));
        }
        self.layers.push(layer);
        Some(())
    }

    /// What it costs to serve a set and nobody else.
    pub fn cost(&self, set: usize) -> Option<i64> {
        self.layers.last().and_then(|layer| layer[set]).map(|share| share.cost)
    }

    /// Who drives what: the number of a vehicle that had set out, or none, with its part of the set.
    pub fn split(&self, mut set: usize) -> Vec<(Option<usize>, usize)> {
        let mut routes = Vec::new();
        for (at, layer) in self.layers.iter().enumerate().skip(1).rev() {
            let part = layer[set].map_or(0, |share| share.part);
            let vehicle = at.checked_sub(self.free);
            if vehicle.is_some() || part != 0 {
                routes.push((vehicle, part));
            }
            set &= !part;
        }
        // Vehicles under way first, as they were given.
        routes.sort_by_key(|&(vehicle, _)| vehicle.unwrap_or(usize::MAX));
        routes
    }
}

/// Every subset of a set, the empty one and itself included.
fn subsets(set: usize) -> impl Iterator<Item = usize> {
    let next = move |&part: &usize| (part != 0).then(|| (part - 1) & set);
    std::iter::successors(Some(set), next)
}
