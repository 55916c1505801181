//! The rate at a step.

use crate::config::{Schedule, ScheduleKind};

impl Schedule {
    /// What the rate is multiplied by at a step (from 0) when this share of the budget is spent.
    pub fn factor_at(&self, step: u64, share: f64) -> f64 {
        let least = self.factor.unwrap_or(1.0);
        let warmup = self.warmup.unwrap_or(0);
        let rise = if step < warmup { (step + 1) as f64 / (warmup + 1) as f64 } else { 1.0 };
        rise * match self.kind {
            ScheduleKind::Constant => 1.0,
            ScheduleKind::Step => {
                let passed = self.drops.iter().filter(|&&drop| share >= drop).count();
                least.powi(passed as i32)
            }
            ScheduleKind::Cosine => {
                let wave = (1.0 + (std::f64::consts::PI * share.clamp(0.0, 1.0)).cos()) / 2.0;
                least + (1.0 - least) * wave
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(kind: ScheduleKind, drops: &[f64], factor: f64) -> Schedule {
        Schedule { kind, warmup: Some(4), drops: drops.to_vec(), factor: Some(factor) }
    }

    #[test]
    fn warm_up_rises_to_the_rate() {
        let schedule = schedule(ScheduleKind::Constant, &[], 1.0);
        let rates: Vec<f64> = (0..6).map(|step| schedule.factor_at(step, 0.0)).collect();
        assert_eq!(rates, [0.2, 0.4, 0.6, 0.8, 1.0, 1.0]);
    }

    #[test]
    fn drops_lie_on_the_budget() {
        let schedule = schedule(ScheduleKind::Step, &[0.9, 0.98], 0.1);
        assert_eq!(schedule.factor_at(9, 0.899), 1.0);
        assert_eq!(schedule.factor_at(9, 0.9), 0.1);
        assert!((schedule.factor_at(9, 0.99) - 0.01).abs() < 1e-15);
    }

    #[test]
    fn a_wave_goes_from_all_to_the_rest() {
        let schedule = schedule(ScheduleKind::Cosine, &[], 0.2);
        assert_eq!(schedule.factor_at(9, 0.0), 1.0);
        assert!((schedule.factor_at(9, 0.5) - 0.6).abs() < 1e-12);
        assert!((schedule.factor_at(9, 1.0) - 0.2).abs() < 1e-12);
        assert!((schedule.factor_at(9, 1.5) - 0.2).abs() < 1e-12);
    }
}
