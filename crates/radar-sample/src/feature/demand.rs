//! What stops receive or hand over: whole amounts.

use radar_kernel::random::Stream;

/// The law of an amount.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DemandLaw {
    /// Uniform on 1..=9.
    #[default]
    Uniform,
    /// With a chance of 0.8 uniform on 1..=3, otherwise on 4..=10.
    SkewedSmall,
    /// With a chance of 0.8 uniform on 4..=10, otherwise on 1..=3.
    SkewedLarge,
}

impl DemandLaw {
    fn draw(self, stream: &mut Stream) -> f64 {
        let small = match self {
            Self::Uniform => return stream.between(1, 9) as f64,
            Self::SkewedSmall => stream.chance(0.8),
            Self::SkewedLarge => !stream.chance(0.8),
        };
        if small { stream.between(1, 3) as f64 } else { stream.between(4, 10) as f64 }
    }
}

/// The chance that a stop hands over, where backhauls are wanted.
const BACKHAUL: f64 = 0.2;

/// An amount per node (the depot's is 0) and whether it is handed over where backhauls are wanted.
pub(super) struct Amounts(Vec<(f64, bool)>);

impl Amounts {
    /// Every stop receives: without backhauls, pickups become deliveries.
    pub(super) fn all(&self) -> Vec<f64> {
        self.0.iter().map(|&(amount, _)| amount).collect()
    }

    pub(super) fn deliveries(&self) -> Vec<f64> {
        self.0.iter().map(|&(amount, backhaul)| if backhaul { 0.0 } else { amount }).collect()
    }

    pub(super) fn pickups(&self) -> Vec<f64> {
        self.0.iter().map(|&(amount, backhaul)| if backhaul { amount } else { 0.0 }).collect()
    }
}

/// Draws a delivery, a pickup and which of the two it is for every stop. If no stop came out as a
/// pickup, one stop is made one, so that a set with backhauls has some (at 100 stops this is as rare
/// as 2e-10).
pub(super) fn draw(law: DemandLaw, nodes: usize, stream: &mut Stream) -> Amounts {
    let mut amounts = vec![(0.0, false); nodes];
    let Some((_, stops)) = amounts.split_first_mut() else { return Amounts(amounts) };
    for stop in stops.iter_mut() {
        let (delivery, pickup) = (law.draw(stream), law.draw(stream));
        *stop = if stream.chance(BACKHAUL) { (pickup, true) } else { (delivery, false) };
    }
    if !stops.is_empty() && !stops.iter().any(|&(_, backhaul)| backhaul) {
        let chosen = stream.index(stops.len());
        stops[chosen].1 = true;
    }
    Amounts(amounts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many(law: DemandLaw) -> Vec<(f64, bool)> {
        (0..200)
            .flat_map(|index| draw(law, 101, &mut Stream::new(1, "demand", index)).0.split_off(1))
            .collect()
    }

    fn share(amounts: &[(f64, bool)], holds: impl Fn(f64) -> bool) -> f64 {
        amounts.iter().filter(|(amount, _)| holds(*amount)).count() as f64 / amounts.len() as f64
    }

    #[test]
    fn amounts_follow_their_laws() {
        let uniform = many(DemandLaw::Uniform);
        for value in 1..=9 {
            assert!((share(&uniform, |amount| amount == f64::from(value)) - 1.0 / 9.0).abs() < 0.01);
        }
        let mean = uniform.iter().map(|(amount, _)| amount).sum::<f64>() / uniform.len() as f64;
        assert!((mean - 5.0).abs() < 0.07, "{mean}");
        for (law, small) in [(DemandLaw::SkewedSmall, 0.8), (DemandLaw::SkewedLarge, 0.2)] {
            let amounts = many(law);
            assert!((share(&amounts, |amount| amount <= 3.0) - small).abs() < 0.01);
            for value in 1..=10 {
                let expected = if value <= 3 { small / 3.0 } else { (1.0 - small) / 7.0 };
                let found = share(&amounts, |amount| amount == f64::from(value));
                assert!((found - expected).abs() < 0.012, "{law:?} {value}: {found} for {expected}");
            }
        }
    }

    #[test]
    fn a_fifth_is_handed_over() {
        let amounts = many(DemandLaw::Uniform);
        let share = amounts.iter().filter(|(_, backhaul)| *backhaul).count() as f64 / amounts.len() as f64;
        assert!((share - 0.2).abs() < 0.01, "{share}");
    }

    #[test]
    fn there_is_always_a_pickup_and_nothing_is_both() {
        for nodes in 2..8 {
            for index in 0..50 {
                let amounts = draw(DemandLaw::Uniform, nodes, &mut Stream::new(2, "demand", index));
                let (deliveries, pickups) = (amounts.deliveries(), amounts.pickups());
                assert!(pickups.iter().any(|&amount| amount > 0.0));
                let sums = deliveries.iter().zip(&pickups).map(|(delivery, pickup)| delivery + pickup);
                assert_eq!(sums.collect::<Vec<_>>(), amounts.all());
                assert!(deliveries.iter().zip(&pickups).all(|(delivery, pickup)| delivery * pickup == 0.0));
            }
        }
    }
}
