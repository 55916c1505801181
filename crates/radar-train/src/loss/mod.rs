//! What is learned from trajectories: each loss turns costs and log-probabilities into one weight per
//! trajectory, the slope of the loss along that trajectory's log-probability.
//!
//! A new loss is a file here, a variant of [`Loss`], its name in the configuration and what it displaces in presets
//! (ARCHITECTURE.md lists the places).

mod imitation;
mod leader;
mod preference;
mod reinforce;

use serde::{Deserialize, Serialize};

/// A loss by name, with its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind", deny_unknown_fields)]
pub enum Loss {
    /// REINFORCE with the mean over starts as its baseline.
    Reinforce,
    /// The same, and the best trajectories count more.
    Leader {
        /// How much more.
        extra: f64,
        /// How many are the best.
        leaders: usize,
        /// How much the others count: nothing is computed for those that do not.
        rest: f64,
    },
    /// Preferences between all pairs of trajectories.
    Preference {
        /// How sharply log-probabilities are compared.
        alpha: f64,
    },
    /// The log-probability of given plans.
    Imitation {
        /// The share of trajectories of tours that first go their own way, and are told how to end best from there.
        astray: f64,
        /// Steps of search behind such an end.
        steps: u64,
    },
}

impl Loss {
    /// Whether trajectories are given instead of drawn.
    pub fn imitates(self) -> bool {
        matches!(self, Self::Imitation { .. })
    }

    /// Writes the slope of an instance's loss along each trajectory's log-probability; returns the loss.
    /// `steps` is how many choices each trajectory had.
    pub fn weigh(self, costs: &[f64], log_probs: &[f64], steps: &[usize], weights: &mut [f64]) -> f64 {
        match self {
            Self::Reinforce => reinforce::weigh(costs, log_probs, weights),
            Self::Leader { extra, leaders, rest } => {
                leader::weigh((extra, leaders, rest), costs, log_probs, weights)
            }
            Self::Preference { alpha } => preference::weigh(alpha, costs, log_probs, weights),
            Self::Imitation { .. } => imitation::weigh(log_probs, steps, weights),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOSSES: [Loss; 5] = [
        Loss::Reinforce,
        Loss::Leader { extra: 2.0, leaders: 1, rest: 1.0 },
        Loss::Leader { extra: 0.5, leaders: 2, rest: 0.0 },
        Loss::Preference { alpha: 0.3 },
        Loss::Imitation { astray: 0.0, steps: 0 },
    ];

    #[test]
    fn weights_are_the_slopes_of_the_loss() {
        let costs = [3.0, 1.0, 2.5, 2.5, 4.0];
        let logs = [-3.0, -2.0, -5.0, -4.5, -1.0];
        let steps = [3, 3, 4, 4, 5];
        for loss in LOSSES {
            let mut weights = [0.0; 5];
            loss.weigh(&costs, &logs, &steps, &mut weights);
            for at in 0..5 {
                let side = |sign: f64| {
                    let mut logs = logs;
                    logs[at] += sign * 1e-6;
                    loss.weigh(&costs, &logs, &steps, &mut [0.0; 5])
                };
                let slope = (side(1.0) - side(-1.0)) / 2e-6;
                assert!((slope - weights[at]).abs() < 1e-6, "{loss:?} {at}: {slope} {}", weights[at]);
            }
        }
    }

    #[test]
    fn leaders_count_more_and_the_rest_as_said() {
        let costs = [3.0, 1.0, 2.0, 2.0, 4.5];
        let weigh = |loss: Loss| {
            let mut weights = [0.0; 5];
            loss.weigh(&costs, &[-1.0; 5], &[3; 5], &mut weights);
            weights
        };
        let plain = weigh(Loss::Reinforce);
        // Of two that cost the same the first leads.
        let factors = [0.5, 3.0, 3.0, 0.5, 0.5];
        let found = weigh(Loss::Leader { extra: 2.0, leaders: 2, rest: 0.5 });
        assert_eq!(found, std::array::from_fn(|at| plain[at] * factors[at]));
        // More leaders than there are trajectories: all lead.
        let found = weigh(Loss::Leader { extra: 1.0, leaders: 9, rest: 0.0 });
        assert_eq!(found, plain.map(|weight| 2.0 * weight));
    }

    #[test]
    fn equal_costs_teach_nothing() {
        for loss in LOSSES.into_iter().filter(|loss| !loss.imitates()) {
            for cost in [2.0, 0.7, 1.0 / 3.0, 1e9 + 0.1] {
                let mut weights = [1.0; 7];
                loss.weigh(&[cost; 7], &[-1.0, -2.0, -3.0, -4.0, -5.0, -6.0, -7.0], &[3; 7], &mut weights);
                assert_eq!(weights, [0.0; 7], "{loss:?} {cost}");
            }
        }
    }

    #[test]
    fn far_preferences_stay_numbers() {
        let mut weights = [0.0; 2];
        let loss = Loss::Preference { alpha: 1.0 }.weigh(&[1.0, 2.0], &[-2000.0, 0.0], &[1; 2], &mut weights);
        assert!((loss - 500.0).abs() < 1.0, "{loss}");
        assert!(weights.iter().all(|weight| weight.is_finite()));
    }
}
