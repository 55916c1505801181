//! Whether a change for the worse is accepted: Metropolis with integers only.

use std::sync::LazyLock;

use radar_kernel::random::Stream;

/// Entries of the table of logarithms.
const ENTRIES: usize = 1 << 12;
/// Checkpoints of the cooling schedule.
const CHECKPOINTS: usize = 1 << 8;
/// Fractional bits of temperatures and of logarithms.
const HEAT_BITS: u32 = 8;
const LOG_BITS: u32 = 16;

/// `-ln((i + 1/2) / ENTRIES)`.
static LOGARITHMS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let scaled = |at: usize| minus_ln((at as f64 + 0.5) / ENTRIES as f64) * f64::from(1 << LOG_BITS);
    (0..ENTRIES).map(|at| scaled(at) as u32).collect()
});

/// A cooling schedule and the rule of acceptance. The same numbers on every platform: the tables come from
/// additions, multiplications and square roots alone.
#[derive(Clone, Debug)]
pub struct Anneal {
    /// The temperature at each checkpoint of the budget.
    schedule: Vec<i64>,
    heat: i64,
}

impl Anneal {
    /// Cools geometrically from `first` to `last`, in units of cost. A `first` of 0 accepts nothing worse.
    pub fn new(first: f64, last: f64) -> Self {
        let (first, last) = (first.max(0.0), last.max(0.0).min(first.max(0.0)));
        // The 256th root of the whole ratio: eight square roots.
        let mut ratio = if first > 0.0 { (last / first).max(1e-12) } else { 1.0 };
        for _ in 0..CHECKPOINTS.trailing_zeros() {
            ratio = ratio.sqrt();
        }
        let mut heat = first * f64::from(1_u32 << HEAT_BITS);
        let mut schedule = Vec::with_capacity(CHECKPOINTS + 1);
        for _ in 0..=CHECKPOINTS {
            schedule.push(heat as i64);
            heat *= ratio;
        }
        Self { heat: schedule[0], schedule }
    }

    /// Sets the temperature for the part of the budget that is spent.
    pub fn cool(&mut self, spent: f64) {
        let at = (spent.clamp(0.0, 1.0) * CHECKPOINTS as f64) as usize;
        self.heat = self.schedule[at.min(CHECKPOINTS)];
    }

    /// How much worse the next state may be: exponentially distributed, the temperature on average.
    #[inline]
    pub fn allowance(&self, stream: &mut Stream) -> i64 {
        let logarithm = LOGARITHMS[stream.bits() as usize % ENTRIES];
        let allowance = (i128::from(self.heat) * i128::from(logarithm)) >> (HEAT_BITS + LOG_BITS);
        allowance as i64
    }
}

/// `-ln(x)` for x in (0, 1], by the series of the inverse hyperbolic tangent on a reduced argument.
fn minus_ln(mut x: f64) -> f64 {
    const LN_2: f64 = std::f64::consts::LN_2;
    let mut halvings = 0.0;
    while x < 0.75 {
        x *= 2.0;
        halvings += 1.0;
    }
    let ratio = (x - 1.0) / (x + 1.0);
    let mut power = ratio;
    let mut sum = 0.0;
    for odd in 0..16 {
        sum += power / f64::from(2 * odd + 1);
        power *= ratio * ratio;
    }
    halvings * LN_2 - 2.0 * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_holds_logarithms() {
        for x in [1.0 / 8192.0, 0.1, 0.5, 0.75, 0.999, 1.0] {
            assert!((minus_ln(x) + f64::ln(x)).abs() < 1e-12, "{x}");
        }
    }

    #[test]
    fn allowances_average_to_the_temperature() {
        let mut anneal = Anneal::new(1000.0, 10.0);
        let mut stream = Stream::new(1, "anneal", 0);
        for (spent, expected) in [(0.0, 1000.0), (0.5, 100.0), (1.0, 10.0)] {
            anneal.cool(spent);
            let mean = (0..100_000).map(|_| anneal.allowance(&mut stream)).sum::<i64>() as f64 / 100_000.0;
            assert!((mean / expected - 1.0).abs() < 0.06, "{mean} for {expected}");
        }
    }

    #[test]
    fn no_temperature_allows_nothing() {
        let anneal = Anneal::new(0.0, 0.0);
        let mut stream = Stream::new(1, "anneal", 1);
        assert!((0..100).all(|_| anneal.allowance(&mut stream) == 0));
    }
}
