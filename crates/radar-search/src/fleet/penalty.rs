//! What it costs to break a constraint for a while.

use super::record::Excess;

/// Cost per unit of excess. Weights rise while plans keep breaking a constraint, fall while they keep it,
/// and stay within bounds.
#[derive(Clone, Debug)]
pub(crate) struct Penalties {
    weights: [f64; 4],
    least: [f64; 4],
    most: [f64; 4],
    kept: [u32; 4],
    seen: u32,
}

/// After so many steps the weights are looked at.
const PERIOD: u32 = 50;
/// The share of steps that ends without excess is brought between these.
const SHARES: std::ops::Range<f64> = 0.3..0.5;
/// A fine is never above this, so that the fines of all routes can be summed.
const DEAREST: f64 = 7e13;
const RISE: f64 = 1.15;
const FALL: f64 = 0.87;

impl Penalties {
    /// `typical` is the cost of a unit of excess that would make it a toss-up.
    pub fn new(typical: [f64; 4]) -> Self {
        Self {
            weights: typical,
            least: typical.map(|weight| weight * 0.02),
            most: typical.map(|weight| weight * 40.0),
            kept: [0; 4],
            seen: 0,
        }
    }

    /// The penalty of one route.
    #[inline(always)]
    pub fn of(&self, excess: Excess) -> i64 {
        // An excess that is known to be 0 costs nothing at run time either.
        let one = |amount: i64, weight: f64| {
            if amount > 0 { (amount as f64 * weight).min(DEAREST) as i64 + 1 } else { 0 }
        };
        one(excess.amount, self.weights[0])
            + one(excess.order, self.weights[1])
            + one(excess.length, self.weights[2])
            + one(excess.time, self.weights[3])
    }

    /// Takes note of what a step ended with; says whether weights changed.
    pub fn learn(&mut self, excess: Excess) -> bool {
        self.seen += 1;
        for (kept, amount) in self.kept.iter_mut().zip(listed(excess)) {
            *kept += u32::from(amount == 0);
        }
        if self.seen < PERIOD {
            return false;
        }
        let before = self.weights;
        for at in 0..self.weights.len() {
            let share = f64::from(self.kept[at]) / f64::from(PERIOD);
            let factor = match share {
                share if share < SHARES.start => RISE,
                share if share > SHARES.end => FALL,
                _ => 1.0,
            };
            self.weights[at] = (self.weights[at] * factor).clamp(self.least[at], self.most[at]);
        }
        (self.seen, self.kept) = (0, [0; 4]);
        before != self.weights
    }
}

fn listed(excess: Excess) -> [i64; 4] {
    [excess.amount, excess.order, excess.length, excess.time]
}
