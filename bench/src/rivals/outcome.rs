//! What one solver did with one instance.

use serde_json::{Value, json};

/// The end of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The instance.
    pub name: String,
    pub digest: String,
    /// The checker's cost in stated units, or why there is none.
    pub cost: Result<f64, String>,
    /// CPU seconds used, where they are known.
    pub seconds: Option<f64>,
    /// Whether the plan came with a proof.
    pub optimal: bool,
}

impl Outcome {
    /// The cost of a plan that came by `deadline` CPU seconds.
    pub fn cost_by(&self, deadline: f64) -> Option<f64> {
        let cost = self.cost.as_ref().ok()?;
        self.seconds.is_some_and(|seconds| seconds <= deadline).then_some(*cost)
    }

    pub fn to_json(&self) -> Value {
        let (name, digest, seconds, optimal) = (&self.name, &self.digest, self.seconds, self.optimal);
        let (cost, why) = (self.cost.as_ref().ok(), self.cost.as_ref().err());
        json!({
            "instance": name,
            "digest": digest,
            "cost": cost,
            "why": why,
            "seconds": seconds,
            "optimal": optimal,
        })
    }

    pub fn from_json(value: &Value) -> Option<Self> {
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        Some(Self {
            name: text("instance")?,
            digest: text("digest")?,
            cost: value["cost"].as_f64().ok_or_else(|| text("why").unwrap_or_default()),
            seconds: value["seconds"].as_f64(),
            optimal: value["optimal"].as_bool()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(cost: Result<f64, String>, seconds: Option<f64>) -> Outcome {
        Outcome { name: "a 0".to_owned(), digest: "7".to_owned(), cost, seconds, optimal: false }
    }

    #[test]
    fn there_and_back() {
        for cost in [Ok(2.275_321), Err("died".to_owned())] {
            let outcome = outcome(cost, Some(0.02));
            assert_eq!(Outcome::from_json(&outcome.to_json()), Some(outcome));
        }
    }

    #[test]
    fn late_is_late() {
        let by = |seconds| outcome(Ok(1.0), Some(seconds)).cost_by(0.1);
        assert_eq!([by(0.1), by(0.101)], [Some(1.0), None]);
        assert_eq!(outcome(Ok(1.0), None).cost_by(0.1), None);
        assert_eq!(outcome(Err(String::new()), Some(0.0)).cost_by(0.1), None);
    }
}
