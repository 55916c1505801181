//! The one scaling from stated decimals to integers.
//!
//! Per quantity, the scale is the smallest power of ten that makes every value integral. When none
//! does within range, it is the largest for which `(nodes + 1) * largest` stays below 2^53, and values
//! are rounded to nearest (ties away from zero).

use crate::matrix::Precision;

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

    /// Chooses the scale for `values`, of which sums of `nodes + 1` must stay in range. Infinite
    /// values are passed over. `None` when even whole units overflow.
    pub fn choose<'a>(
        nodes: usize,
        values: impl Iterator<Item = (&'a f64, Precision)> + Clone,
    ) -> Option<Self> {
        let finite = values.filter(|(value, _)| value.is_finite());
        let largest = finite
            .clone()
            .fold(0.0_f64, |most, (&value, precision)| most.max(stated(value, precision).abs()));
        let room = CEILING / (nodes as f64 + 1.0);
        let fits = |digits: u32| largest * power(digits) < room;
        if !fits(0) {
            return None;
        }
        let mut scale = Self::UNIT;
        let mut factor = 1.0;
        for (&value, precision) in finite {
            let value = stated(value, precision);
            while !is_whole(value, factor) {
                if scale.digits == MAX_DIGITS || !fits(scale.digits + 1) {
                    scale.exact = false;
                    break;
                }
                scale.digits += 1;
                factor = power(scale.digits);
            }
            if !scale.exact {
                break;
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
    pub fn apply(self, value: f64, precision: Precision) -> i64 {
        (stated(value, precision) * self.factor()).round() as i64
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

fn power(digits: u32) -> f64 {
    10.0_f64.powi(digits as i32)
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
    let exponent = value.abs().log10().floor() as i32;
    let shift = 10.0_f64.powi((6 - exponent).abs());
    match exponent <= 6 {
        true => (value * shift).round() / shift,
        false => (value / shift).round() * shift,
    }
}

/// Whether `value` is what a whole number over `factor` reads as.
fn is_whole(value: f64, factor: f64) -> bool {
    // Values are in range, so that this is `round` without its call: a table has many.
    let whole = (value.abs() * factor + 0.5) as i64 as f64;
    whole / factor == value.abs()
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
