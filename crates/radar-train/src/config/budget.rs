//! When a run is over: by time, CPU time, steps or instances; the first that is spent ends it.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::section::{self, Section, whole};
use super::span;
use crate::error::TrainError;

/// Limits of a run; none of them is a run without end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Budget {
    /// Wall time, over all sessions of the run.
    #[serde(serialize_with = "spanned")]
    pub time: Option<Duration>,
    /// CPU time of all threads.
    #[serde(serialize_with = "spanned")]
    pub cpu: Option<Duration>,
    /// Steps.
    #[serde(serialize_with = "section::or_none")]
    pub steps: Option<u64>,
    /// Instances; the last batch is cut to fit.
    #[serde(serialize_with = "section::or_none")]
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

/// One limit, and what is used of it.
struct Limit {
    name: &'static str,
    most: Amount,
    used: Amount,
}

#[derive(Clone, Copy)]
enum Amount {
    Span(Duration),
    Count(u64),
}

impl Limit {
    /// How much of it is used.
    fn share(&self) -> f64 {
        self.used.value() / self.most.value()
    }
}

/// As it is typed in short.
impl fmt::Display for Limit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name {
            "time" => write!(out, "{}", self.most),
            name => write!(out, "{name}={}", self.most),
        }
    }
}

impl Amount {
    fn value(self) -> f64 {
        match self {
            Self::Span(span) => span.as_secs_f64(),
            Self::Count(count) => count as f64,
        }
    }

    fn twice(self) -> Self {
        match self {
            Self::Span(span) => Self::Span(Duration::from_secs((2.0 * span.as_secs_f64()).ceil() as u64)),
            Self::Count(count) => Self::Count(count.saturating_mul(2)),
        }
    }

    /// With fewer digits, and never less than it is.
    fn rounded_up(self) -> Self {
        match self {
            Self::Span(span) => {
                Self::Span(Duration::from_millis(100) * span.as_nanos().div_ceil(100_000_000) as u32)
            }
            Self::Count(count) => Self::Count(count),
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Span(span) => out.pad(&span::write(*span)),
            Self::Count(count) => count.fmt(out),
        }
    }
}

/// The word for a limit that there is not.
const NONE: &str = "none";

fn spanned<S: Serializer>(span: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&span.map_or_else(|| NONE.to_owned(), span::write))
}

impl Budget {
    pub(super) fn read(mut table: Section) -> Result<Self, TrainError> {
        let span = |value: &Value| value.as_str().and_then(span::parse);
        let budget = Self {
            time: table.or_word(NONE, "time", |table, key| table.read(key, span::VALID, span))?,
            cpu: table.or_word(NONE, "cpu", |table, key| table.read(key, span::VALID, span))?,
            steps: table.or_word(NONE, "steps", |table, key| table.whole(key, 1..=1 << 53))?,
            instances: table.or_word(NONE, "instances", |table, key| table.whole(key, 1..=1 << 53))?,
        };
        table.finish()?;
        Ok(budget)
    }

    /// Its limits as single keys, such as `budget.steps=500`: together with others of that kind, the first that is
    /// spent ends the run.
    pub fn keys(&self) -> Vec<String> {
        let limits = self.against(&Spent::default());
        limits.map(|Limit { name, most, .. }| format!("budget.{name}={most}")).collect()
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
        self.against(spent).map(|limit| limit.share()).fold(0.0, f64::max)
    }

    /// The limits that there are, and what is used of each.
    fn against(&self, spent: &Spent) -> impl Iterator<Item = Limit> + use<> {
        let span = |name, most: Option<Duration>, used| {
            most.map(|most| Limit { name, most: Amount::Span(most), used: Amount::Span(used) })
        };
        let count = |name, most: Option<u64>, used| {
            most.map(|most| Limit { name, most: Amount::Count(most), used: Amount::Count(used) })
        };
        let all = [
            span("time", self.time, spent.time),
            span("cpu", self.cpu, spent.cpu),
            count("steps", self.steps, spent.steps),
            count("instances", self.instances, spent.instances),
        ];
        all.into_iter().flatten()
    }

    /// The limit that has ended a run, and twice what was used, both as they are typed.
    pub fn ended_by(&self, spent: &Spent) -> Option<(String, String)> {
        let Limit { name, most, used } = self.against(spent).find(|limit| limit.share() >= 1.0)?;
        Some((format!("{name}={most}"), format!("{name}={}", used.twice())))
    }

    /// Refuses limits that a run is beyond already: it keeps those that it has.
    pub(crate) fn refuse_spent(&self, spent: &Spent, kept: &Self) -> Result<(), TrainError> {
        let Some(limit) = self.against(spent).find(|limit| limit.share() > 1.0) else { return Ok(()) };
        let kept: Vec<String> = kept.against(spent).map(|limit| limit.to_string()).collect();
        let kept = match &kept[..] {
            [] => "goes on without end".to_owned(),
            limits => format!("keeps its budget of {}", limits.join(" and ")),
        };
        let used = limit.used.rounded_up();
        let cause = format!("{limit} is less than the {used} already used; the run {kept}");
        Err(TrainError::new("budget-spent", cause, "--resume goes on with it"))
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
    use crate::config::Config;

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
    fn a_limit_that_is_behind_is_refused() {
        let spent = Spent { steps: 5, time: Duration::from_millis(1950), ..Spent::default() };
        let kept = Budget { time: Some(Duration::from_secs(100)), ..Budget::default() };
        let refused = |text: &str, kept: &Budget| {
            Budget::parse(text)
                .expect("a budget")
                .refuse_spent(&spent, kept)
                .map_err(|error| error.to_string())
        };
        assert_eq!(
            refused("1s", &kept),
            Err("error [budget-spent]: 1s is less than the 2s already used; the run keeps its budget of 100s; \
                 --resume goes on with it"
                .to_owned())
        );
        let text = refused("steps=4", &Budget::default()).expect_err("behind");
        assert!(
            text.contains("steps=4 is less than the 5 already used; the run goes on without end"),
            "{text}"
        );
        // Where it is just spent, the run is done.
        for text in ["2s", "steps=5", "cpu=1s", "instances=1"] {
            assert_eq!(refused(text, &kept), Ok(()), "{text}");
        }
    }

    #[test]
    fn what_is_no_limit_is_said() {
        let budget = Budget { steps: Some(3), time: Some(Duration::from_secs(9)), ..Budget::default() };
        let table = Section::new("budget", serde_json::to_value(budget).expect("JSON")).expect("a table");
        assert_eq!(Budget::read(table), Ok(budget));
    }

    #[test]
    fn limits_that_are_given_in_two_ways_hold_together() {
        let over = |set: &str, typed: &str| {
            let mut set = vec![set.to_owned()];
            set.extend(Budget::parse(typed).expect("a budget").keys());
            Config::from_toml("[budget]\ninstances = 9", &set).expect("sound").budget
        };
        let steps = Budget { steps: Some(5), ..Budget::default() };
        assert_eq!(over("batch=3", "steps=5"), steps);
        assert_eq!(over("budget.time=7s", "steps=5"), Budget { time: Some(Duration::from_secs(7)), ..steps });
        assert_eq!(over("budget.cpu=3h", "7s").cpu, Some(Duration::from_secs(10_800)));
        assert_eq!(over("budget.steps=3", "steps=5"), steps);
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
