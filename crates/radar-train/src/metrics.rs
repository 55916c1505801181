//! The journal of a run: one JSON object per line, of some steps or of a validation.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::config::Spent;
use crate::error::TrainError;
use crate::lesson::Tally;
use crate::validation::Mark;

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
pub enum Line {
    /// The mean over the steps since the last such line.
    Train(Train),
    /// A validation.
    Validation(Examined),
}

/// What some steps were like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Train {
    /// Steps so far.
    pub step: u64,
    /// Instances so far.
    pub instances: u64,
    /// Fewest and most nodes of an instance, depots included; not known of lines before there was this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<(usize, usize)>,
    /// The mean loss of an instance.
    pub loss: f64,
    /// The mean over instances of the best cost over their starts, in stated units; of the plans that are imitated
    /// where these are given. Instances without a complete trajectory have no cost, neither here nor below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The mean cost over starts and instances.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// The share of trajectories that served every stop.
    pub complete: f64,
    /// The mean length of the gradient, before it was clipped.
    pub gradient: f64,
    /// The largest difference between the log-probability of a trajectory when drawn and when learned from.
    pub log_prob_gap: f64,
    /// The rate of the last step.
    pub rate: f64,
    /// Wall time so far.
    pub seconds: f64,
    /// CPU time so far.
    pub cpu_seconds: f64,
}

/// A validation and when it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Examined {
    /// Steps so far.
    pub step: u64,
    /// Instances so far.
    pub instances: u64,
    /// What came of it.
    #[serde(flatten)]
    pub mark: Mark,
    /// Wall time so far.
    pub seconds: f64,
    /// CPU time so far.
    pub cpu_seconds: f64,
}

/// Steps that are not in the journal yet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pending {
    steps: u64,
    instances: u64,
    #[serde(default)]
    nodes: Option<(usize, usize)>,
    #[serde(default)]
    unsolved: u64,
    loss: f64,
    best: f64,
    mean: f64,
    trajectories: u64,
    complete: u64,
    gradient: f64,
    log_prob_gap: f64,
    rate: f64,
}

impl Pending {
    /// How many there are.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Takes in a step on instances of so many nodes.
    pub fn take(&mut self, tally: &Tally, nodes: usize, gradient: f64, rate: f64) {
        self.steps += 1;
        let (least, most) = self.nodes.unwrap_or((nodes, nodes));
        self.nodes = Some((least.min(nodes), most.max(nodes)));
        self.instances += tally.instances as u64;
        self.unsolved += tally.unsolved as u64;
        self.loss += tally.loss;
        self.best += tally.best;
        self.mean += tally.mean;
        self.trajectories += tally.trajectories as u64;
        self.complete += tally.complete as u64;
        self.gradient += gradient;
        self.log_prob_gap = self.log_prob_gap.max(tally.log_prob_gap);
        self.rate = rate;
    }

    /// The line of these steps; `None` if there are none.
    pub fn line(&mut self, spent: &Spent) -> Option<Train> {
        let sums = std::mem::take(self);
        if sums.steps == 0 {
            return None;
        }
        let solved = sums.instances - sums.unsolved;
        let of_solved = |sum: f64| (solved > 0).then(|| sum / solved as f64);
        Some(Train {
            step: spent.steps,
            instances: spent.instances,
            nodes: sums.nodes,
            loss: sums.loss / sums.instances.max(1) as f64,
            score: of_solved(sums.best),
            cost: of_solved(sums.mean),
            complete: sums.complete as f64 / sums.trajectories.max(1) as f64,
            gradient: sums.gradient / sums.steps as f64,
            log_prob_gap: sums.log_prob_gap,
            rate: sums.rate,
            seconds: spent.time.as_secs_f64(),
            cpu_seconds: spent.cpu.as_secs_f64(),
        })
    }
}

/// The file of lines.
pub struct Journal {
    path: PathBuf,
    file: File,
    position: u64,
    is_short: bool,
}

impl Journal {
    /// Opens the file where a state left it: lines after that belong to steps that will be taken again. If it
    /// is shorter than that, it goes on after its last whole line.
    pub fn open(path: &Path, position: u64) -> Result<Self, TrainError> {
        let open = || -> std::io::Result<(File, u64)> {
            let mut file =
                OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
            let mut lines = Vec::new();
            file.read_to_end(&mut lines)?;
            lines.truncate(usize::try_from(position).unwrap_or(usize::MAX));
            let whole = lines.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end as u64 + 1);
            file.set_len(whole)?;
            file.seek(SeekFrom::Start(whole))?;
            Ok((file, whole))
        };
        let (file, whole) = open().map_err(|error| TrainError::unwritable(path, error))?;
        let is_short = position != u64::MAX && whole < position;
        Ok(Self { path: path.to_owned(), file, position: whole, is_short })
    }

    /// Whether lines were missing that the state knows of.
    pub fn is_short(&self) -> bool {
        self.is_short
    }

    /// Adds a line.
    pub fn write(&mut self, line: &Line) -> Result<(), TrainError> {
        let internal =
            |error: serde_json::Error| TrainError::new("internal", error.to_string(), "please report it");
        let text = format!("{}\n", serde_json::to_string(line).map_err(internal)?);
        self.file.write_all(text.as_bytes()).map_err(|error| TrainError::unwritable(&self.path, error))?;
        self.position += text.len() as u64;
        Ok(())
    }

    /// Makes sure that all lines are on the disk; where they end.
    pub fn sync(&mut self) -> Result<u64, TrainError> {
        self.file.sync_data().map_err(|error| TrainError::unwritable(&self.path, error))?;
        Ok(self.position)
    }
}

/// All lines of a file; what is no line of ours is passed over.
pub fn read(text: &str) -> Vec<Line> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(best: f64) -> Tally {
        let unsolved = usize::from(best == 0.0);
        let (instances, trajectories, complete, log_prob_gap) = (2, 10, 9, 0.5);
        Tally { instances, unsolved, loss: 4.0, best, mean: 8.0, trajectories, complete, log_prob_gap }
    }

    #[test]
    fn lines_are_means_since_the_last() {
        let mut pending = Pending::default();
        let spent = Spent { steps: 2, instances: 4, ..Spent::default() };
        assert_eq!(pending.line(&spent), None);
        pending.take(&tally(2.0), 20, 1.0, 0.1);
        pending.take(&tally(6.0), 50, 3.0, 0.2);
        let line = pending.line(&spent).expect("two steps");
        assert_eq!((line.loss, line.score, line.cost, line.complete), (2.0, Some(2.0), Some(4.0), 0.9));
        assert_eq!((line.gradient, line.rate, line.log_prob_gap), (2.0, 0.2, 0.5));
        assert_eq!(line.nodes, Some((20, 50)));
        assert_eq!(pending, Pending::default());
    }

    #[test]
    fn what_was_not_solved_has_no_cost() {
        let spent = Spent::default();
        let mut pending = Pending::default();
        pending.take(&tally(6.0), 9, 1.0, 0.1);
        pending.take(&tally(0.0), 9, 1.0, 0.1);
        let line = pending.line(&spent).expect("two steps");
        assert_eq!((line.score, line.loss), (Some(2.0), 2.0));
        let nothing = Tally { instances: 2, unsolved: 2, ..Tally::default() };
        pending.take(&nothing, 9, 1.0, 0.1);
        let line = Line::Train(pending.line(&spent).expect("a step"));
        let text = serde_json::to_string(&line).expect("JSON");
        assert!(!text.contains("score") && !text.contains("\"cost\""), "{text}");
        assert_eq!(read(&text), [line]);
    }
}
