//! How a caller wants a problem solved.

use std::time::Duration;

use radar::{Budget, Method, Objective, Options};
use serde::{Deserialize, Serialize};

/// How to solve; what is not said is left to the library.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Wishes {
    /// Seconds of wall time.
    pub time: Option<f64>,
    /// Steps of each search, or plans that construction makes.
    pub steps: Option<u64>,
    /// Searches side by side that exchange their best.
    pub searches: Option<u16>,
    /// Where randomness comes from.
    pub seed: u64,
    /// How plans are made.
    pub method: MethodName,
    /// The network, by the name on its card.
    pub model: Option<String>,
    /// How many start nodes construction, or the network, tries.
    pub starts: Option<usize>,
    /// How many sketches of the matrix the network decodes from.
    pub augment: Option<u16>,
    /// What is minimised.
    pub minimise: Minimise,
    /// Serve what can be served when not every stop can.
    pub allow_unserved: bool,
}

/// How plans are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MethodName {
    /// What measured best for the problem and the budget: search, and before it a network where one is worth its time.
    #[default]
    Auto,
    /// Search, with a lower bound, and a proof where one is cheap.
    Search,
    /// Classical construction from many starts.
    Construct,
    /// A network, from many starts.
    Neural,
}

impl From<MethodName> for Method {
    fn from(name: MethodName) -> Self {
        match name {
            MethodName::Auto => Self::Auto,
            MethodName::Search => Self::Search,
            MethodName::Construct => Self::Construct,
            MethodName::Neural => Self::Neural,
        }
    }
}

/// What the cost is summed from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Minimise {
    /// The distance matrix.
    #[default]
    Distance,
    /// The duration matrix; every constraint stays as it is.
    Duration,
}

impl From<Minimise> for Objective {
    fn from(minimise: Minimise) -> Self {
        match minimise {
            Minimise::Distance => Self::Distance,
            Minimise::Duration => Self::Duration,
        }
    }
}

impl Wishes {
    /// The time, if it is one.
    pub fn span(&self) -> Result<Option<Duration>, String> {
        let span = self.time.map(|seconds| match Duration::try_from_secs_f64(seconds) {
            Ok(span) if !span.is_zero() => Ok(span),
            Err(_) if seconds > 0.0 => Err(format!("`time` is {seconds} seconds, which no clock counts to")),
            _ => Err(format!("`time` is {seconds}, which is no number of seconds above 0")),
        });
        span.transpose()
    }

    /// The options of the library, without plans to start from and without a network.
    pub fn options(&self) -> Result<Options, String> {
        let within = |name: &str, value: u64, most: u64| match (1..=most).contains(&value) {
            true => Ok(()),
            false => Err(format!("`{name}` is {value}, but goes from 1 to {most}")),
        };
        within("searches", self.searches.unwrap_or(1).into(), 256)?;
        within("augment", self.augment.unwrap_or(1).into(), 1024)?;
        within("starts", self.starts.unwrap_or(1) as u64, u32::MAX.into())?;
        within("steps", self.steps.unwrap_or(1), u64::MAX)?;
        Ok(Options {
            method: self.method.into(),
            seed: self.seed,
            budget: Budget { time: self.span()?, steps: self.steps },
            objective: self.minimise.into(),
            starts: self.starts,
            allow_unserved: self.allow_unserved,
            augment: self.augment.unwrap_or(1).into(),
            searches: self.searches.unwrap_or(1).into(),
            ..Options::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_is_none_says_why() {
        let span = |time| Wishes { time: Some(time), ..Wishes::default() }.span();
        assert_eq!(span(2.5), Ok(Some(Duration::from_millis(2500))));
        assert_eq!(span(-1.0), Err("`time` is -1, which is no number of seconds above 0".to_owned()));
        let long = span(f64::MAX).expect_err("refused");
        assert!(long.ends_with("which no clock counts to"), "{long}");
    }
}
