//! What it is worth to serve a stop, as it comes nearer to what is fair round by round.

/// What of a price's error is mended at once, and what of the last change goes on.
const PACE: f64 = 0.25;
const MOMENTUM: f64 = 0.6;

/// What prices have changed since the first ones, in temperatures. The depot is among the places, at 0, and its price stays (S).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Prices {
    change: Vec<f64>,
    speed: Vec<f64>,
    /// e^change.
    pub factor: Vec<f64>,
}

impl Prices {
    /// The first ones.
    pub fn new(count: usize) -> Self {
        Self { change: vec![0.0; count], speed: vec![0.0; count], factor: vec![1.0; count] }
    }

    /// Those of some places, in their order.
    pub fn of(&self, places: impl Iterator<Item = usize> + Clone) -> Self {
        let of = |values: &[f64]| -> Vec<f64> { places.clone().map(|place| values[place]).collect() };
        Self { change: of(&self.change), speed: of(&self.speed), factor: of(&self.factor) }
    }

    /// Changes them so that visits, of the places from 1 on, come nearer to one. What all stops lack together each mends by its part of
    /// a route, of which there are so many, with so many stops each at least.
    pub fn follow(&mut self, visits: &[f64], routes: f64, stops_at_least: f64) {
        let all: f64 = visits.iter().sum();
        let stops = visits.len().max(1) as f64;
        // What is no number any more is too many.
        let lack = |visits: f64| -(if visits.is_nan() { 1e30 } else { visits.clamp(1e-30, 1e30) }).ln();
        let common = lack(all / stops);
        let of_route = (all / routes.max(1e-30)).max(stops_at_least).clamp(1.0, stops);
        for (stop, &visits) in (1..).zip(visits) {
            let own = (lack(visits) - common).clamp(-2.0, 2.0);
            self.speed[stop] = MOMENTUM * self.speed[stop] + PACE * own;
            let change = self.change[stop] + self.speed[stop] + common.clamp(-4.0, 4.0) / of_route;
            self.change[stop] = change.clamp(-60.0, 60.0);
            self.factor[stop] = self.change[stop].exp();
        }
    }
}
