//! Differences between what was recorded and what a subject says.

use std::fmt;

use super::{Answer, Case, Subject, TOLERANCE, features};
use crate::reference::environment::forced;

/// One compared tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// The largest absolute difference over all instances; infinite where something is not a number.
    pub error: f64,
    /// The largest that passes.
    pub tolerance: f64,
    /// Why there is nothing to compare, if so: a failure.
    pub fault: Option<String>,
    /// How it was compared, if not as all others.
    pub note: Option<String>,
}

impl Line {
    /// Whether it is near enough.
    pub fn passed(&self) -> bool {
        self.fault.is_none() && self.error <= self.tolerance
    }
}

/// All comparisons of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// One line per tensor.
    pub lines: Vec<Line>,
    /// Tensors of the file that were not compared.
    pub ignored: Vec<String>,
}

impl Report {
    /// Whether everything is near enough.
    pub fn passed(&self) -> bool {
        self.lines.iter().all(Line::passed)
    }

    /// The largest error of all.
    pub fn worst(&self) -> f64 {
        self.lines.iter().map(|line| line.error).fold(0.0, f64::max)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.lines.iter().map(|line| line.name.len()).max().unwrap_or(0);
        for line in &self.lines {
            let Line { name, error, tolerance, fault, note } = line;
            let verdict = if line.passed() { "ok" } else { "FAILED" };
            write!(f, "{name:width$}  {error:9.2e}  of {tolerance:.1e}  {verdict}")?;
            match fault.as_ref().or(note.as_ref()) {
                Some(words) => writeln!(f, " ({words})")?,
                None => writeln!(f)?,
            }
        }
        if !self.ignored.is_empty() {
            writeln!(f, "not compared: {}", self.ignored.join(", "))?;
        }
        Ok(())
    }
}

/// Asks the subject and compares every tensor that a forward pass gives.
pub(super) fn compare(case: &Case, subject: &dyn Subject) -> Report {
    let config = case.weights.config();
    let mut names = vec!["act.embedding".to_owned()];
    for layer in 0..config.layers {
        names.extend([format!("act.encoder.{layer}.attention"), format!("act.encoder.{layer}")]);
    }
    names.extend(
        ["rollout.step_probabilities", "rollout.chosen_probability", "rollout.cost"].map(str::to_owned),
    );

    let mut lines = features::compare(case, subject);
    let questions = case.questions();
    match subject.answer(&case.weights, &questions) {
        Err(fault) => lines.push(fault_line("answer", fault)),
        Ok(answers) if answers.len() != case.batch => {
            lines
                .push(fault_line("answer", format!("{} answers to {} questions", answers.len(), case.batch)));
        }
        Ok(mut answers) => {
            for (at, answer) in answers.iter_mut().enumerate() {
                let chosen = chosen(case, at, answer);
                answer.insert("rollout.chosen_probability".to_owned(), chosen);
            }
            lines.extend(names.into_iter().map(|name| line(case, &answers, name)));
        }
    }
    Report { lines, ignored: case.ignored().to_vec() }
}

/// The probability of each chosen node (P, T), 1 for forced moves, out of the full distributions.
fn chosen(case: &Case, at: usize, answer: &Answer) -> Vec<f64> {
    let forced = forced(case.weights.config().task).min(case.steps);
    let mut steps =
        answer.get("rollout.step_probabilities").into_iter().flat_map(|all| all.chunks(case.nodes));
    let mut chosen = Vec::new();
    for trajectory in &case.questions()[at].trajectories {
        chosen.extend(std::iter::repeat_n(1.0, forced));
        for &action in &trajectory[forced..] {
            let probability = steps.next().and_then(|step| step.get(action)).copied();
            chosen.push(probability.unwrap_or(f64::NAN));
        }
    }
    chosen
}

fn line(case: &Case, answers: &[Answer], name: String) -> Line {
    let mut error = 0.0_f64;
    for (at, answer) in answers.iter().enumerate() {
        let wanted = case.recorded(&name, at);
        let Some(found) = answer.get(&name) else {
            return fault_line(&name, "the subject does not give it".to_owned());
        };
        if found.len() != wanted.len() {
            let fault = format!("{} entries where the case has {}", found.len(), wanted.len());
            return fault_line(&name, fault);
        }
        error = found.iter().zip(wanted).map(|(&a, &b)| distance(a, f64::from(b))).fold(error, f64::max);
    }
    Line { name, error, tolerance: TOLERANCE, fault: None, note: None }
}

pub(super) fn fault_line(name: &str, fault: String) -> Line {
    let (name, fault) = (name.to_owned(), Some(fault));
    Line { name, error: f64::INFINITY, tolerance: TOLERANCE, fault, note: None }
}

/// |a - b|, infinite where that is not a number: a maximum would pass over it.
pub(super) fn distance(a: f64, b: f64) -> f64 {
    let difference = (a - b).abs();
    if difference.is_nan() { f64::INFINITY } else { difference }
}
