//! What a piece of driving takes, in the exact units of a road table.

use std::ops::{Add, Sub};

/// Tenths of a second and tenths of a metre. Trips compare by duration and then by length, so a
/// quickest path is also the shortest among the quickest, and its length does not depend on the order
/// in which paths were found.
///
/// The two share one word, duration above length, which makes adding and comparing single operations;
/// 32 bits hold 400,000 km.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Trip(u64);

impl Trip {
    /// Later than every real trip, and still safe to add one to.
    pub const NEVER: Trip = Trip(u64::MAX / 2);

    /// Rounds seconds and metres to tenths.
    pub fn new(seconds: f64, metres: f64) -> Self {
        Self::of_tenths((10.0 * seconds).round() as u32, (10.0 * metres).round() as u32)
    }

    /// Takes tenths of seconds and of metres.
    pub fn of_tenths(duration: u32, length: u32) -> Self {
        Self(u64::from(duration) << 32 | u64::from(length))
    }

    /// Tenths of seconds.
    pub fn duration(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Tenths of metres.
    pub fn length(self) -> u32 {
        self.0 as u32
    }
}

impl Add for Trip {
    type Output = Trip;

    #[inline]
    fn add(self, other: Trip) -> Trip {
        Trip(self.0 + other.0)
    }
}

/// What is left of a trip after a part of it: both of its quantities must be at least the part's.
impl Sub for Trip {
    type Output = Trip;

    #[inline]
    fn sub(self, part: Trip) -> Trip {
        Trip(self.0 - part.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_make_up_the_whole() {
        let (whole, part) = (Trip::new(12.34, 100.04), Trip::new(2.0, 17.5));
        assert_eq!((whole.duration(), whole.length()), (123, 1000));
        assert_eq!(whole - part + part, whole);
        assert_eq!((whole - part).length(), 825);
        assert!(Trip::new(1.0, 9.0) < Trip::new(1.0, 9.1) && Trip::new(1.0, 9.1) < Trip::new(1.1, 0.0));
    }
}
