//! What it is worth to serve a stop, as it comes nearer to what is fair round by round.

/// What of a price's error is mended at once, and what of the last change goes on.
const PACE: f64 = 0.25;
const MOMENTUM: f64 = 0.6;
/// No more than this at once of an error that all stops of a route have: whoever is dear makes neighbours dear, so that what each of
/// them mends adds up.
const PACE_OF_ROUTE: f64 = 2.75;
/// Where errors grow by so much in a round, the pace is slowed down by so much, and rises again by so much every other round.
const GROWN: f64 = 1.1;
const SLOWER: f64 = 0.7;
const FASTER: f64 = 1.15;
const SLOWEST: f64 = 0.05;

/// What prices have changed since the first ones, in temperatures. The depot is among the places, at 0, and its price stays (S).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Prices {
    change: Vec<f64>,
    speed: Vec<f64>,
    /// e^change.
    pub factor: Vec<f64>,
    /// The pace, as a part of the usual one, and the error of the last round.
    calm: f64,
    error: f64,
}

impl Prices {
    /// The first ones.
    pub fn new(count: usize) -> Self {
        let (change, speed, factor) = (vec![0.0; count], vec![0.0; count], vec![1.0; count]);
        Self { change, speed, factor, calm: 1.0, error: f64::INFINITY }
    }

    /// Those of some places, in their order.
    pub fn of(&self, places: impl Iterator<Item = usize> + Clone) -> Self {
        let of = |values: &[f64]| -> Vec<f64> { places.clone().map(|place| values[place]).collect() };
        let (change, speed, factor) = (of(&self.change), of(&self.speed), of(&self.factor));
        Self { change, speed, factor, calm: self.calm, error: f64::INFINITY }
    }

    /// Changes them so that visits, of the places from 1 on, come nearer to one. What all stops lack together each mends by its part of
    /// a route, of which there are so many, with so many stops each at least; when all are served, routes have about so many.
    pub fn follow(&mut self, visits: &[f64], routes: f64, [stops_at_least, stops_at_last]: [f64; 2]) {
        let all: f64 = visits.iter().sum();
        let stops = visits.len().max(1) as f64;
        // What is no number any more is too many.
        let lack = |visits: f64| -(if visits.is_nan() { 1e30 } else { visits.clamp(1e-30, 1e30) }).ln();
        let common = lack(all / stops);
        let of_route = (all / routes.max(1e-30)).max(stops_at_least).clamp(1.0, stops);
        let momentum = self.heed(visits.iter().map(|&visits| lack(visits).powi(2)).sum());
        let pace = self.calm * PACE.min(PACE_OF_ROUTE / of_route.max(stops_at_last.min(stops)));
        for (stop, &visits) in (1..).zip(visits) {
            let own = (lack(visits) - common).clamp(-2.0, 2.0);
            self.speed[stop] = momentum * self.speed[stop] + pace * own;
            let change = self.change[stop] + self.speed[stop] + common.clamp(-4.0, 4.0) / of_route;
            self.change[stop] = change.clamp(-60.0, 60.0);
            self.factor[stop] = self.change[stop].exp();
        }
    }

    /// Slows down where errors grow, of which this is the sum of squares; returns what of the last change goes on.
    fn heed(&mut self, squares: f64) -> f64 {
        let error = squares.sqrt();
        let grows = error > GROWN * std::mem::replace(&mut self.error, error);
        self.calm = if grows { (SLOWER * self.calm).max(SLOWEST) } else { (FASTER * self.calm).min(1.0) };
        if grows { 0.0 } else { MOMENTUM }
    }
}
