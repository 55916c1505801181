//! From a stated problem to an instance, with everything there is to say about it.
//!
//! Four passes, each needing what the one before established: shapes, values, integers, reach.

mod build;
mod reach;
mod shape;
mod values;

pub(crate) use reach::examine as reach;

use std::sync::Arc;

use crate::finding::{Finding, Severity};
use crate::instance::Instance;
use crate::problem::Problem;
use crate::scale::Survey;
use crate::table::Table;

/// What validation found, and the instance unless something is malformed.
#[derive(Clone, Debug)]
pub struct Report {
    /// Everything found, errors before blockers before warnings.
    pub findings: Vec<Finding>,
    /// The instance; absent exactly when there is an error.
    pub instance: Option<Instance>,
}

impl Report {
    /// The findings of one severity.
    pub fn of(&self, severity: Severity) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.severity() == severity)
    }

    /// Whether some stop cannot be served or the fleet cannot serve all.
    pub fn is_blocked(&self) -> bool {
        self.of(Severity::Blocker).next().is_some()
    }
}

impl Problem {
    /// Checks everything and, unless something is malformed, builds the instance.
    pub fn validate(self) -> Report {
        Arc::new(self).validate_shared()
    }

    /// The same for a problem that others look at too: its tables are not copied.
    pub fn validate_shared(self: Arc<Self>) -> Report {
        let mut findings = Vec::new();
        shape::examine(&self, &mut findings);
        let surveys = Surveys::of(&self);
        values::examine(&self, &surveys, &mut findings);
        let malformed =
            |findings: &[Finding]| findings.iter().any(|finding| finding.severity() == Severity::Error);
        let mut instance = None;
        if !malformed(&findings) {
            instance = build::instance(self, &surveys, &mut findings);
        }
        if let Some(instance) = &instance {
            findings.extend(reach::examine(instance));
        }
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity()));
        Report { findings, instance }
    }
}

/// What one pass over each table found: tables are large, and everything about their values is learned at once.
struct Surveys {
    distance: Survey,
    duration: Option<Survey>,
}

impl Surveys {
    fn of(problem: &Problem) -> Self {
        let look = |table: &Table| {
            let mut survey = Survey::default();
            table.stretches().for_each(|stretch| survey.look(&stretch, table.precision()));
            survey
        };
        Self { distance: look(&problem.distance), duration: problem.duration.as_ref().map(look) }
    }
}

/// The first few of many things, and how many there are; words are found only for those shown.
#[derive(Default)]
struct Listed {
    shown: Vec<String>,
    count: usize,
}

impl Listed {
    const SHOWN: usize = 5;

    fn add(&mut self, words: impl FnOnce() -> String) {
        self.count += 1;
        if self.shown.len() < Self::SHOWN {
            self.shown.push(words());
        }
    }

    fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl std::fmt::Display for Listed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.shown.join(", "))?;
        match self.count - self.shown.len() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}
