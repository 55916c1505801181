//! When a run is over: by time, CPU time, steps or instances; the first that is spent ends it.

use std::time::Duration;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::section::{Section, whole};
use super::span;
use crate::error::TrainError;

/// Limits of a run; none of them is a run without end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Budget {
    /// Wall time, over all sessions of the run.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "spanned")]
    pub time: Option<Duration>,
    /// CPU time of all threads.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "spanned")]
    pub cpu: Option<Duration>,
    /// Steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// Instances; the last batch is cut to fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instances: Option<u64>,
}

/// What a run has used so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// Steps.
    pub steps: u64,
    /// Instances.
    pub instances: u64,
    /// Wall time.
    pub time: Duration,
    /// CPU time of all threads.
    pub cpu: Duration,
}

fn spanned<S: Serializer>(span: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&span.map(span::write).unwrap_or_default())
}

impl Budget {
    pub(super) fn read(mut table: Section) -> Result<Self, TrainError> {
        let span = |value: &Value| value.as_str().and_then(span::parse);
        let budget = Self {
            time: table.read("time", span::VALID, span)?,
            cpu: table.read("cpu", span::VALID, span)?,
            steps: table.whole("steps", 1..=1 << 53)?,
            instances: table.whole("instances", 1..=1 << 53)?,
        };
        table.finish()?;
        Ok(budget)
    }

    /// Reads what somebody typed: `2h`, or `cpu=2h`, `steps=500`, `instances=1e6`.
    pub fn parse(text: &str) -> Result<Self, TrainError> {
        let (kind, amount) = text.split_once('=').unwrap_or(("time", text));
        let count =
            || amount.parse::<f64>().ok().and_then(|number| whole(&number.into())).filter(|&count| count > 0);
        let span = || span::parse(amount);
        let budget = match kind.trim() {
            "time" => span().map(|time| Self { time: Some(time), ..Self::default() }),
            "cpu" => span().map(|cpu| Self { cpu: Some(cpu), ..Self::default() }),
            "steps" => count().map(|steps| Self { steps: Some(steps), ..Self::default() }),
            "instances" => count().map(|instances| Self { instances: Some(instances), ..Self::default() }),
            _ => None,
        };
        budget.ok_or_else(|| {
            TrainError::config(
                format!("`{text}` is no budget"),
                "give a span such as 2h, or cpu=2h, steps=500 or instances=1e6",
            )
        })
    }

    /// Whether nothing ends the run.
    pub fn is_endless(&self) -> bool {
        *self == Self::default()
    }

    /// The share of the budget that is spent, 1 or more when it is over; 0 throughout a run without end.
    pub fn share(&self, spent: &Spent) -> f64 {
        self.shares(spent).into_iter().fold(0.0, f64::max)
    }

    /// The shares of time, CPU time, steps and instances; 0 where there is no limit.
    fn shares(&self, spent: &Spent) -> [f64; 4] {
        let part = |limit: Option<f64>, used: f64| limit.map_or(0.0, |limit| used / limit);
        let span = |span: Option<Duration>| span.map(|span| span.as_secs_f64());
        let count = |count: Option<u64>| count.map(|count| count as f64);
        [
            part(span(self.time), spent.time.as_secs_f64()),
            part(span(self.cpu), spent.cpu.as_secs_f64()),
            part(count(self.steps), spent.steps as f64),
            part(count(self.instances), spent.instances as f64),
        ]
    }

    /// The limit that has ended a run, and twice what was used, both as they are typed.
    pub fn ended_by(&self, spent: &Spent) -> Option<(String, String)> {
        let at = self.shares(spent).iter().position(|&share| share >= 1.0)?;
        let span = |name: &str, limit: Option<Duration>, used: Duration| {
            let more = Duration::from_secs((2.0 * used.as_secs_f64()).ceil() as u64);
            limit.map(|limit| {
                (format!("{name}={}", span::write(limit)), format!("{name}={}", span::write(more)))
            })
        };
        let count = |name: &str, limit: Option<u64>, used: u64| {
            limit.map(|limit| (format!("{name}={limit}"), format!("{name}={}", used.saturating_mul(2))))
        };
        match at {
            0 => span("time", self.time, spent.time),
            1 => span("cpu", self.cpu, spent.cpu),
            2 => count("steps", self.steps, spent.steps),
            _ => count("instances", self.instances, spent.instances),
        }
    }

    /// How many instances the next batch may have.
    pub fn next_batch(&self, batch: usize, spent: &Spent) -> usize {
        let left = self.instances.map_or(u64::MAX, |most| most.saturating_sub(spent.instances));
        batch.min(usize::try_from(left).unwrap_or(usize::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_limit_counts() {
        let budget = Budget { steps: Some(10), instances: Some(100), ..Budget::default() };
        let mut spent = Spent { steps: 5, instances: 90, ..Spent::default() };
        assert_eq!(budget.share(&spent), 0.9);
        assert_eq!(budget.next_batch(64, &spent), 10);
        spent.steps = 10;
        assert_eq!(budget.share(&spent), 1.0);
        let typed = |one: &str, more: &str| Some((one.to_owned(), more.to_owned()));
        assert_eq!(budget.ended_by(&spent), typed("steps=10", "steps=20"));
        let timed = Budget { time: Some(Duration::from_secs(90)), ..Budget::default() };
        assert_eq!(timed.ended_by(&spent), None);
        spent.time = Duration::from_secs(91);
        let (one, more) = timed.ended_by(&spent).expect("over");
        assert_eq!((Budget::parse(&one), one.as_str()), (Ok(timed), "time=90s"));
        assert_eq!(more, "time=182s");
        assert!(Budget::parse(&more).is_ok_and(|more| more.ended_by(&spent).is_none()));
        assert_eq!(Budget::default().share(&spent), 0.0);
        assert_eq!(Budget::default().next_batch(64, &spent), 64);
    }

    #[test]
    fn budgets_are_typed_in_short() {
        assert_eq!(Budget::parse("2h").map(|budget| budget.time), Ok(Some(Duration::from_secs(7200))));
        assert_eq!(Budget::parse("cpu=90s").map(|budget| budget.cpu), Ok(Some(Duration::from_secs(90))));
        assert_eq!(Budget::parse("steps=500").map(|budget| budget.steps), Ok(Some(500)));
        assert_eq!(Budget::parse("instances=1e6").map(|budget| budget.instances), Ok(Some(1_000_000)));
        for wrong in ["", "soon", "steps=0", "steps=1.5", "epochs=3", "instances=-1"] {
            assert!(
                Budget::parse(wrong).is_err_and(|error| error.to_string().contains("instances=1e6")),
                "{wrong}"
            );
        }
    }
}
