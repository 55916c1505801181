//! Numbers in files: f32, bf16 and f16.

/// How many bits a written weight keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// All of f32.
    #[default]
    Full,
    /// bf16, rounded to the nearest, ties to even: half the bytes, eight bits of mantissa.
    Half,
}

/// The bf16 nearest to a finite number, ties to even.
pub(super) fn to_bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    if value.is_nan() {
        // Truncation could turn it into an infinity.
        return (bits >> 16) as u16 | 0x40;
    }
    let even = (bits >> 16) & 1;
    ((bits + 0x7FFF + even) >> 16) as u16
}

/// A bf16 as f32, exactly.
pub(super) fn from_bf16(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// An IEEE half as f32, exactly.
pub(super) fn from_f16(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1F), f32::from(bits & 0x3FF));
    sign * match exponent {
        0 => fraction * 2_f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction / 1024.0) * 2_f32.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bf16_goes_to_the_nearest_even() {
        for (value, wanted) in [
            (1.0, 1.0),
            (1.0 + 2_f32.powi(-8), 1.0), // a tie, to the even 1.0
            (1.0 + 3.0 * 2_f32.powi(-8), 1.0 + 4.0 * 2_f32.powi(-8)), // a tie, to the even above
            (1.0 + 2_f32.powi(-8) + 2_f32.powi(-20), 1.0 + 2_f32.powi(-7)),
            (-0.1, -0.100_097_656),
        ] {
            assert_eq!(from_bf16(to_bf16(value)), wanted, "{value}");
        }
        assert!(from_bf16(to_bf16(f32::NAN)).is_nan());
        assert!(from_bf16(to_bf16(f32::from_bits(0x7F80_0001))).is_nan());
        assert_eq!(from_bf16(to_bf16(f32::NEG_INFINITY)), f32::NEG_INFINITY);
        for bits in (0..=u16::MAX).filter(|&bits| !from_bf16(bits).is_nan()) {
            assert_eq!(to_bf16(from_bf16(bits)), bits);
        }
    }

    #[test]
    fn halves_are_read_exactly() {
        let cases = [
            (0x3C00, 1.0),
            (0xC000, -2.0),
            (0x7BFF, 65504.0),
            (0x0001, 5.960_464_5e-8),
            (0x3555, 0.333_251_95),
        ];
        assert!(cases.iter().all(|&(bits, value)| from_f16(bits) == value));
        assert_eq!(from_f16(0x7C00), f32::INFINITY);
        assert!(from_f16(0x7E00).is_nan());
        assert!(from_f16(0x8000).is_sign_negative());
    }
}
