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
    /// The cost of a plan that came in time. A fifth and a hundredth of a second late is forgiven to those who
    /// keep time, because most look at their clock between long steps.
    pub fn cost_within(&self, budget: f64, forgiving: bool) -> Option<f64> {
        let allowed = if forgiving { 1.2 * budget + 0.01 } else { budget };
        let cost = self.cost.as_ref().ok()?;
        self.seconds.is_some_and(|seconds| seconds <= allowed).then_some(*cost)
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
        let within = |seconds, forgiving| outcome(Ok(1.0), Some(seconds)).cost_within(0.1, forgiving);
        assert_eq!([within(0.1, false), within(0.101, false)], [Some(1.0), None]);
        assert_eq!([within(0.129, true), within(0.131, true)], [Some(1.0), None]);
        assert_eq!(outcome(Ok(1.0), None).cost_within(0.1, true), None);
        assert_eq!(outcome(Err(String::new()), Some(0.0)).cost_within(0.1, true), None);
    }
}
