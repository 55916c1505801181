//! What a set of breaches would need.

use std::collections::BTreeMap;

use radar_problem::{Instance, Relaxation};

use crate::clause::{Breach, Clause};

/// The bound that a breach would need raised by `amount`; `None` when it breaks no bound.
fn relaxation(breach: &Breach, amount: i64) -> Option<Relaxation> {
    match breach.clause {
        Clause::UnknownNode
        | Clause::DepotInside
        | Clause::RepeatedStop
        | Clause::MissingStop
        | Clause::TourShape
        | Clause::UnreachableArc
        | Clause::DeliveryAfterPickup => None,
        Clause::TooManyRoutes => Some(Relaxation::Vehicles(0).with_amount(amount)),
        Clause::DeliveryOverload | Clause::PickupOverload => Some(Relaxation::Capacity(amount)),
        Clause::LateArrival => breach.node.map(|node| Relaxation::Close { node, by: amount }),
        Clause::LateReturn => Some(Relaxation::Close { node: 0, by: amount }),
        Clause::OverLimit => Some(Relaxation::Limit(amount)),
        Clause::OverDuration => Some(Relaxation::MaxDuration(amount)),
    }
}

/// What was wrong before, and is therefore not held against a change: by clause and place, the
/// excess. A change is no worse when it exceeds no bound anywhere by more than that.
#[derive(Default)]
pub(super) struct Tolerance(BTreeMap<Key, i64>);

/// A clause and what it is about: route, node, other node.
type Key = (Clause, Option<usize>, Option<usize>, Option<usize>);

fn key(breach: &Breach) -> Key {
    let Breach { clause, route, node, other, .. } = *breach;
    match clause {
        // The stop at which a bound on the whole route is first exceeded moves with every change.
        Clause::DeliveryOverload | Clause::PickupOverload | Clause::OverLimit | Clause::OverDuration => {
            (clause, route, None, None)
        }
        Clause::UnreachableArc => (clause, route, node, other),
        Clause::UnknownNode
        | Clause::DepotInside
        | Clause::RepeatedStop
        | Clause::MissingStop
        | Clause::TourShape
        | Clause::TooManyRoutes
        | Clause::DeliveryAfterPickup
        | Clause::LateArrival
        | Clause::LateReturn => (clause, route, node, None),
    }
}

impl Tolerance {
    pub fn of(breaches: &[Breach]) -> Self {
        let mut worst = BTreeMap::new();
        for breach in breaches {
            let entry = worst.entry(key(breach)).or_insert(0);
            *entry = breach.excess().max(*entry);
        }
        Self(worst)
    }

    /// By how much a breach is worse than before; `None` when it is not.
    fn surplus(&self, breach: &Breach) -> Option<i64> {
        match self.0.get(&key(breach)) {
            None => Some(breach.excess()),
            Some(&before) => (breach.excess() > before).then(|| breach.excess() - before),
        }
    }

    /// Whether no breach is worse than before.
    pub fn covers(&self, breaches: &[Breach]) -> bool {
        breaches.iter().all(|breach| self.surplus(breach).is_none())
    }

    /// The breaches that are worse than before.
    pub fn beyond(&self, breaches: Vec<Breach>) -> Vec<Breach> {
        breaches.into_iter().filter(|breach| self.surplus(breach).is_some()).collect()
    }

    /// What the breaches that are worse than before would need.
    pub fn need(&self, breaches: &[Breach]) -> Need {
        let mut need = Need::default();
        let mut amounts = BTreeMap::new();
        for breach in breaches {
            let Some(surplus) = self.surplus(breach) else { continue };
            match relaxation(breach, 0) {
                None => need.unmendable += 1,
                Some(bound) => {
                    let amount = amounts.entry(bound).or_insert(0);
                    *amount = surplus.max(*amount);
                }
            }
        }
        need.relaxations = amounts.into_iter().map(|(bound, amount)| bound.with_amount(amount)).collect();
        need
    }
}

/// The one smallest relaxation that removes a set of breaches, as far as bounds are concerned.
#[derive(Clone, Debug, Default)]
pub(super) struct Need {
    /// One per bound, ordered.
    pub relaxations: Vec<Relaxation>,
    /// How many breaches no loosened bound would remove.
    pub unmendable: usize,
}

impl Need {
    /// Adds what something else needs: of each bound, the larger amount.
    pub fn include(&mut self, other: &Need) {
        self.unmendable += other.unmendable;
        for &relaxation in &other.relaxations {
            let bound = relaxation.with_amount(0);
            match self.relaxations.binary_search_by_key(&bound, |known| known.with_amount(0)) {
                Ok(place) => self.relaxations[place] = self.relaxations[place].max(relaxation),
                Err(place) => self.relaxations.insert(place, relaxation),
            }
        }
    }

    /// How much is asked, each amount relative to the bound it raises.
    pub fn effort(&self, instance: &Instance) -> f64 {
        let relative = |&relaxation: &Relaxation| {
            let bound = match relaxation {
                Relaxation::Capacity(_) => instance.capacity(),
                Relaxation::Close { node, .. } => instance.closes(node),
                Relaxation::Limit(_) => instance.limit(),
                Relaxation::MaxDuration(_) => instance.max_duration(),
                Relaxation::Vehicles(_) => instance.vehicles().unwrap_or(1) as i64,
            };
            relaxation.amount() as f64 / bound.max(1) as f64
        };
        self.relaxations.iter().map(relative).sum()
    }
}
