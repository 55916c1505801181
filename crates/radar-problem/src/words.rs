//! Scaled quantities in words: stated units, and clock times where the unit is seconds.

use crate::instance::Instance;
use crate::scale::Scale;
use crate::{NEVER, UNREACHABLE};

impl Instance {
    /// A length with its unit.
    pub fn length_in_words(&self, scaled: i64) -> String {
        quantity(scaled, self.scales.distance, self.input.units.distance.as_deref())
    }

    /// A span of time with its unit.
    pub fn span_in_words(&self, scaled: i64) -> String {
        quantity(scaled, self.scales.duration, self.input.units.duration.as_deref())
    }

    /// A moment: a clock time where the unit is seconds, a number with its unit otherwise.
    pub fn moment_in_words(&self, scaled: i64) -> String {
        let unit = self.input.units.duration.as_deref();
        if unit != Some("s") || !(0..NEVER).contains(&scaled) {
            return quantity(scaled, self.scales.duration, unit);
        }
        clock(self.scales.duration.undo(scaled))
    }

    /// An amount of goods.
    pub fn amount_in_words(&self, scaled: i64) -> String {
        quantity(scaled, self.scales.amount, None)
    }
}

/// Seconds as `8:30` or, where they matter, `8:30:15`.
pub fn clock(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60);
    match rest {
        0 => format!("{hours}:{minutes:02}"),
        _ => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

fn quantity(scaled: i64, scale: Scale, unit: Option<&str>) -> String {
    match (scaled, unit) {
        (NEVER..=UNREACHABLE, _) => "never".to_owned(),
        (_, Some(unit)) => format!("{} {unit}", scale.undo(scaled)),
        (_, None) => scale.undo(scaled).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Problem, Table, Units};

    #[test]
    fn seconds_are_clock_times_and_other_units_are_named() {
        let with = |unit: Option<&str>| {
            let units = Units { distance: Some("m".into()), duration: unit.map(str::to_owned) };
            let table = Table::from_rows(vec![vec![0.0, 2.5], vec![1.0, 0.0]]);
            Problem { units, ..Problem::vrp(table) }.validate().instance.expect("sound")
        };
        let seconds = with(Some("s"));
        assert_eq!(seconds.moment_in_words(306_000), "8:30");
        assert_eq!(seconds.moment_in_words(306_014), "8:30:01");
        assert_eq!(seconds.span_in_words(15), "1.5 s");
        assert_eq!(seconds.length_in_words(25), "2.5 m");
        assert_eq!(seconds.moment_in_words(NEVER), "never");
        assert_eq!(with(Some("min")).moment_in_words(600), "60 min");
        assert_eq!(with(None).moment_in_words(600), "60");
    }
}
