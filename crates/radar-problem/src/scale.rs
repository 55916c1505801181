//! The one scaling from stated decimals to integers.
//!
//! Per quantity, the scale is the smallest power of ten that makes every value integral. When none
//! does within range, it is the largest for which `(nodes + 1) * largest` stays below 2^53, and values
//! are rounded to nearest (ties away from zero).

use crate::table::Precision;

/// Sums of `nodes + 1` scaled values stay below this, so that they are exact in f64 as well.
pub const CEILING: f64 = 9_007_199_254_740_992.0; // 2^53

/// The finest scale: values below its reciprocal mean nothing on a road.
const MAX_DIGITS: u32 = 15;

/// A power of ten and whether it loses anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    digits: u32,
    exact: bool,
}

impl Scale {
    /// Whole numbers stay as they are.
    pub const UNIT: Scale = Scale { digits: 0, exact: true };

    /// Chooses the scale for `values`, none negative, of which sums of `nodes + 1` must stay in range. Infinite values are
    /// passed over. `None` when even whole units overflow.
    pub fn choose<'a>(nodes: usize, values: impl Iterator<Item = (&'a f64, Precision)>) -> Option<Self> {
        let mut survey = Survey::default();
        values.for_each(|(value, precision)| survey.look(std::slice::from_ref(value), precision));
        Self::of(nodes, &survey)
    }

    /// The scale for all values that a survey saw, of which sums of `nodes + 1` must stay in range. `None`
    /// when even whole units overflow.
    pub(crate) fn of(nodes: usize, survey: &Survey) -> Option<Self> {
        let room = CEILING / (nodes as f64 + 1.0);
        let fits = |&digits: &u32| survey.largest * power(digits) < room;
        match survey.digits.filter(fits) {
            Some(digits) => Some(Self { digits, exact: true }),
            None => (0..=MAX_DIGITS).rev().find(fits).map(|digits| Self { digits, exact: false }),
        }
    }

    /// How many decimal digits are kept.
    pub fn digits(self) -> u32 {
        self.digits
    }

    /// Units of the scaled integers per stated unit.
    pub fn factor(self) -> f64 {
        power(self.digits)
    }

    /// Whether every value kept all its digits.
    pub fn is_exact(self) -> bool {
        self.exact
    }

    /// The largest error of one scaled value, in stated units.
    pub fn rounding(self) -> f64 {
        if self.exact { 0.0 } else { 0.5 / self.factor() }
    }

    /// A stated value in scaled units, rounded to nearest.
    #[inline]
    pub fn apply(self, value: f64, precision: Precision) -> i64 {
        rounded(stated(value, precision) * self.factor())
    }

    /// A scaled value in stated units.
    pub fn undo(self, scaled: i64) -> f64 {
        scaled as f64 / self.factor()
    }
}

/// The scales of the three quantities of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scales {
    /// Distances and the length limit.
    pub distance: Scale,
    /// Durations, windows, service, shift.
    pub duration: Scale,
    /// Deliveries, pickups, capacity.
    pub amount: Scale,
}

/// The powers of ten that are exact.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

#[inline]
fn power(digits: u32) -> f64 {
    POWERS.get(digits as usize).copied().unwrap_or_else(|| 10.0_f64.powi(digits as i32))
}

/// The decimal that was meant: single precision carries seven significant digits.
fn stated(value: f64, precision: Precision) -> f64 {
    match precision {
        Precision::Double => value,
        Precision::Single => seven_digits(value),
    }
}

/// The decimal of seven significant digits nearest to a value that came as f32.
pub fn seven_digits(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() || (value.fract() == 0.0 && value.abs() < 1e7) {
        return value;
    }
    let exponent = decimal_exponent(value.abs());
    let shift = power(exponent.abs_diff(6));
    match exponent <= 6 {
        true => rounded(value * shift) as f64 / shift,
        false => rounded(value / shift) as f64 * shift,
    }
}

/// The power of ten of the first digit of a positive value. A logarithm would take longer than all the
/// rest, and a table has many values.
fn decimal_exponent(value: f64) -> i32 {
    let binary = (value.to_bits() >> 52) as i32 - 1023;
    // log10(2) is a little above 1233 / 4096; the guess is right or one too small or too large.
    let guess = (binary * 1233) >> 12;
    match guess {
        -20..=20 => {
            let least = |exponent: i32| match exponent < 0 {
                true => 1.0 / POWERS[exponent.unsigned_abs() as usize],
                false => POWERS[exponent as usize],
            };
            if value >= least(guess + 1) {
                guess + 1
            } else if value < least(guess) {
                guess - 1
            } else {
                guess
            }
        }
        _ => value.log10().floor() as i32,
    }
}

/// The nearest whole number, ties away from zero, of a value below 2^53: `round` without its call.
#[inline(always)]
fn rounded(value: f64) -> i64 {
    let whole = value as i64;
    let rest = value - whole as f64;
    // Values beyond the range are cut off at it.
    whole.saturating_add(i64::from(rest >= 0.5) - i64::from(rest <= -0.5))
}

/// Adding and taking away this rounds to a whole number, to the even one of two that are equally near, in loops
/// that vectorise; what is added stands in the low bits meanwhile.
const ROUNDER: f64 = 6_755_399_441_055_744.0; // 2^52 + 2^51

/// Below this the rounder rounds.
const ROUNDABLE: f64 = 2_251_799_813_685_248.0; // 2^51

/// The nearest whole number, ties away from zero, of a value from 0 to [`ROUNDABLE`]: plus the rounder.
#[inline(always)]
fn rounded_up_there(value: f64) -> f64 {
    let whole = (value + ROUNDER) - ROUNDER;
    let tie = if value - whole == 0.5 { 1.0 } else { 0.0 };
    (whole + tie) + ROUNDER
}

impl Scale {
    /// Whether [`Scale::narrow`] and [`Scale::wide`] hold for values up to `largest`.
    pub(crate) fn is_quick(self, largest: f64, precision: Precision) -> bool {
        match precision {
            Precision::Double => largest * self.factor() < ROUNDABLE,
            // With room for seven digits, the nearest whole number is that of the decimal that was meant.
            Precision::Single => self.exact && largest * self.factor() < SEVEN_DIGITS,
        }
    }

    /// [`Scale::apply`] of a value of which the whole number fits 32 bits, without a branch.
    #[inline(always)]
    pub(crate) fn narrow(self, value: f64) -> i32 {
        rounded_up_there(value * self.factor()).to_bits() as i32
    }

    /// [`Scale::apply`] without a branch.
    #[inline(always)]
    pub(crate) fn wide(self, value: f64) -> i64 {
        rounded_up_there(value * self.factor()).to_bits() as i64 - ROUNDER.to_bits() as i64
    }
}

/// Whole numbers below this have seven digits.
const SEVEN_DIGITS: f64 = 1e7;

/// Whether every value, finite and at most `largest` or infinite, is what a whole number over `factor` reads
/// as.
fn are_whole(values: &[f64], largest: f64, precision: Precision, factor: f64) -> bool {
    let is_whole = |value: f64| {
        let whole = (value * factor + ROUNDER) - ROUNDER;
        (whole / factor == value) | (value == f64::INFINITY)
    };
    let is_whole_and_large =
        |value: f64| rounded(value * factor) as f64 / factor == value || value == f64::INFINITY;
    // Half a unit of the seventh digit is more than this share of a value: what is nearer to a whole number
    // of at most seven digits was meant to be it.
    const NEAR: f64 = 0.49e-7;
    let is_surely_whole = |value: f64| {
        let scaled = value * factor;
        let whole = (scaled + ROUNDER) - ROUNDER;
        ((scaled - whole).abs() <= NEAR * scaled) | (value == f64::INFINITY)
    };
    let is_meant_whole = |value: f64| is_whole_and_large(seven_digits(value));
    match precision {
        // A tie is not whole whichever way it goes.
        Precision::Double if largest * factor < ROUNDABLE => {
            values.iter().fold(true, |all, &value| all & is_whole(value))
        }
        Precision::Double => values.iter().all(|&value| is_whole_and_large(value)),
        Precision::Single if largest * factor < SEVEN_DIGITS => {
            values.iter().fold(true, |all, &value| all & is_surely_whole(value))
                || values.iter().all(|&value| is_surely_whole(value) || is_meant_whole(value))
        }
        Precision::Single => values.iter().all(|&value| is_meant_whole(value)),
    }
}

/// What one look at many values finds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Survey {
    /// Whether no value is negative or no number. The rest means nothing otherwise.
    pub sound: bool,
    /// Whether one is infinite.
    pub infinite: bool,
    /// The largest that is not.
    pub largest: f64,
    /// The fewest decimal digits that make every finite value whole, if some do.
    digits: Option<u32>,
}

impl Default for Survey {
    fn default() -> Self {
        Self { sound: true, infinite: false, largest: 0.0, digits: Some(0) }
    }
}

impl Survey {
    /// Looks at more values, all while they are at hand.
    pub fn look(&mut self, values: &[f64], precision: Precision) {
        const LANES: usize = 8;
        let (mut unsound, mut infinite, mut most) = ([false; LANES], [false; LANES], [0.0_f64; LANES]);
        let mut lane = |at: usize, value: f64| {
            unsound[at] |= value.partial_cmp(&0.0).is_none_or(|order| order.is_lt());
            infinite[at] |= value == f64::INFINITY;
            let finite = if value < f64::INFINITY { value } else { 0.0 };
            most[at] = if finite > most[at] { finite } else { most[at] };
        };
        let mut chunks = values.chunks_exact(LANES);
        for chunk in &mut chunks {
            (0..LANES).for_each(|at| lane(at, chunk[at]));
        }
        chunks.remainder().iter().for_each(|&value| lane(0, value));
        self.sound &= !unsound.contains(&true);
        self.infinite |= infinite.contains(&true);
        let largest = most.into_iter().fold(0.0, f64::max);
        self.largest = self.largest.max(largest);
        if !self.sound {
            return;
        }
        // Most values need no more digits than those before.
        while let Some(digits) = self.digits
            && !are_whole(values, largest, precision, power(digits))
        {
            self.digits = (digits < MAX_DIGITS).then_some(digits + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(nodes: usize, values: &[f64]) -> Option<Scale> {
        Scale::choose(nodes, values.iter().map(|value| (value, Precision::Double)))
    }

    #[test]
    fn the_smallest_power_that_is_exact() {
        for (values, digits) in [
            (vec![1.0, 2.0], 0),
            (vec![0.1, 7.0], 1),
            (vec![12.25, 0.1], 2),
            (vec![304.8, 0.007], 3),
            (vec![f64::INFINITY, 2.5], 1),
            (vec![], 0),
        ] {
            let scale = choose(10, &values).expect("in range");
            assert!(scale.is_exact(), "{values:?}");
            assert_eq!(scale.digits(), digits, "{values:?}");
            for value in values.into_iter().filter(|value| value.is_finite()) {
                assert_eq!(scale.undo(scale.apply(value, Precision::Double)), value);
            }
        }
    }

    #[test]
    fn otherwise_the_largest_that_fits() {
        let third = 1.0 / 3.0;
        let scale = choose(9, &[third, 1000.0]).expect("in range");
        assert!(!scale.is_exact());
        assert_eq!(scale.digits(), 11); // 10 * 1000 * 10^11 = 10^15 < 2^53 < 10^16
        assert_eq!(scale.apply(third, Precision::Double), 33_333_333_333);
        assert!(scale.rounding() > 0.0);
    }

    #[test]
    fn single_precision_means_seven_digits() {
        let value = f64::from(304.8_f32);
        let scale = Scale::choose(9, [(&value, Precision::Single)].into_iter()).expect("in range");
        assert_eq!((scale.digits(), scale.is_exact()), (1, true));
        assert_eq!(scale.apply(value, Precision::Single), 3048);
        assert!(!choose(1 << 20, &[value]).expect("in range").is_exact());
        let small = f64::from(0.001_234_567_f32);
        assert_eq!(seven_digits(small), 0.001_234_567);
        assert_eq!(seven_digits(f64::from(123_456_789.0_f32)), 123_456_800.0);
    }

    #[test]
    fn what_overflows_is_refused() {
        assert!(choose(9, &[CEILING / 10.0]).is_none());
        assert!(choose(9, &[CEILING / 10.0 - 1.0]).is_some());
        assert!(choose(0, &[f64::MAX]).is_none());
    }
}
