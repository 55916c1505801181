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

    /// Chooses the scale for `values`, of which sums of `nodes + 1` must stay in range. Infinite values are
    /// passed over. `None` when even whole units overflow.
    pub fn choose<'a>(
        nodes: usize,
        values: impl Iterator<Item = (&'a f64, Precision)> + Clone,
    ) -> Option<Self> {
        let finite = values.clone().filter(|(value, _)| value.is_finite());
        let largest =
            finite.fold(0.0_f64, |most, (&value, precision)| most.max(stated(value, precision).abs()));
        Self::choose_by(
            nodes,
            largest,
            values.map(|(value, precision)| (std::slice::from_ref(value), precision)),
        )
    }

    /// Chooses the scale for values that come in stretches, the largest of them `largest`, of which sums of
    /// `nodes + 1` must stay in range. Infinite values are passed over. `None` when even whole units
    /// overflow.
    pub fn choose_by<S: AsRef<[f64]>>(
        nodes: usize,
        largest: f64,
        stretches: impl Iterator<Item = (S, Precision)>,
    ) -> Option<Self> {
        let room = CEILING / (nodes as f64 + 1.0);
        let fits = |digits: u32| largest * power(digits) < room;
        if !fits(0) {
            return None;
        }
        let mut scale = Self::UNIT;
        'all: for (stretch, precision) in stretches {
            // Most stretches need no more digits than those before.
            while !are_whole(stretch.as_ref(), precision, scale.factor()) {
                if scale.digits == MAX_DIGITS || !fits(scale.digits + 1) {
                    scale.exact = false;
                    break 'all;
                }
                scale.digits += 1;
            }
        }
        if !scale.exact {
            scale.digits = (0..=MAX_DIGITS).rev().find(|&digits| fits(digits)).unwrap_or(0);
        }
        Some(scale)
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

/// Whether every finite value is what a whole number over `factor` reads as.
fn are_whole(values: &[f64], precision: Precision, factor: f64) -> bool {
    // Adding and taking away this rounds to a whole number, in a loop that vectorises. A tie is not whole
    // whichever way it goes.
    const ROUNDER: f64 = 6_755_399_441_055_744.0; // 2^52 + 2^51
    let is_whole = |value: f64| {
        let value = value.abs();
        let whole = (value * factor + ROUNDER) - ROUNDER;
        (whole / factor == value) | (value == f64::INFINITY)
    };
    let is_whole_and_large = |value: f64| {
        let value = value.abs();
        rounded(value * factor) as f64 / factor == value || value == f64::INFINITY
    };
    let is_small = |value: f64| value.abs() * factor < 2_251_799_813_685_248.0 || value.is_infinite(); // 2^51
    match precision {
        Precision::Double if values.iter().fold(true, |all, &value| all & is_small(value)) => {
            values.iter().fold(true, |all, &value| all & is_whole(value))
        }
        Precision::Double => values.iter().all(|&value| is_whole_and_large(value)),
        Precision::Single => values.iter().all(|&value| is_whole_and_large(seven_digits(value))),
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
