//! The validation set: instances that no run learns from, references for them, and how the network does.

mod kept;

pub use kept::Kept;

use radar_net::{Decoding, NetError, Network};
use radar_problem::{Instance, Problem};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::config::{Config, References};
use crate::data::Source;
use crate::error::TrainError;
use crate::folder::Folder;
use crate::label::{Reference, solve_all};
use crate::roads::{Prints, refuse_change};
use crate::run::{Event, Outside};
use crate::state::Status;

/// A set of instances and what good plans for them cost.
pub struct Examination {
    instances: Vec<Instance>,
    references: Vec<Option<Reference>>,
    roads: Prints,
}

/// How the network did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// The mean cost of the best greedy plan over all starts, in stated units, of what was solved.
    pub cost: f64,
    /// The mean of cost over reference, less one.
    pub gap: Option<f64>,
    /// Instances without any complete plan.
    pub unsolved: usize,
}

impl Mark {
    /// Whether it is better than another one. Costs decide where one of them has no gap.
    pub fn beats(&self, other: &Self) -> bool {
        let (one, other_one) = self.gap.zip(other.gap).unwrap_or((self.cost, other.cost));
        (self.unsolved, one) < (other.unsolved, other_one)
    }
}

impl Examination {
    /// The set of a configuration; its references are those of the folder, or are searched for and put there.
    /// `None` when it was stopped. Another set than the one that the run has been measured on is refused.
    pub fn prepare(
        config: &Config,
        source: &Source,
        folder: &Folder,
        status: &Status,
        outside: &Outside<'_>,
    ) -> Result<Option<Self>, TrainError> {
        let (wanted, Outside { stop, hear, .. }) = (&config.validation, outside);
        hear(&Event::Preparing(wanted.count));
        if !wanted.roads.is_empty() && wanted.roads != config.data.roads {
            source.notes().iter().for_each(|note| hear(&Event::Note(note.clone())));
        }
        if wanted.roads.is_empty() && !config.data.roads.is_empty() && status.examined.is_none() {
            let note = "the validation set is of the matrices that are learned from; `validation.roads` names others";
            hear(&Event::Note(note.to_owned()));
        }
        let roads = source.prints().clone();
        status.validation_roads.as_ref().map_or(Ok(()), |before| refuse_change(before, &roads))?;
        let Some(instances) = source.instances(wanted.size(&config.data), 0, wanted.count, stop)? else {
            return Ok(None);
        };
        let set = Set::of(&instances)?;
        let kept = Kept::get(folder)?;
        if kept.is_none() && folder.has(Folder::REFERENCES) {
            let note =
                format!("{} was changed or damaged: references are searched for again", Folder::REFERENCES);
            hear(&Event::Note(note));
        }
        let found = |references| Kept::new(config, &set.content, references);
        if let Some(known) = kept.as_ref().filter(|kept| kept.are_of(config, &set.content, instances.len())) {
            set.put(folder)?;
            let whole = found(known.references.clone());
            // A run of before says from now on whose they are.
            if whole != *known {
                whole.put(folder)?;
            }
            return Ok(Some(Self { instances, references: whole.references, roads }));
        }
        if kept.is_some() && status.examined.is_some() {
            return Err(TrainError::new(
                "other-validation",
                format!("{} are of other instances than are drawn now", Folder::REFERENCES),
                "bring back what they were drawn from, or start another run (--init RUN/last.safetensors)",
            ));
        }
        let references = match wanted.references {
            References::None => vec![None; instances.len()],
            References::Search => {
                solve_all(&instances, wanted.search_steps, stop, &|| hear(&Event::Prepared))
            }
        };
        if stop() {
            return Ok(None);
        }
        set.put(folder)?;
        let kept = found(references);
        kept.put(folder)?;
        Ok(Some(Self { instances, references: kept.references, roads }))
    }

    /// What tells the files that the set is cut out of from others.
    pub fn roads(&self) -> &Prints {
        &self.roads
    }

    /// How many references there are, and how many of them are proved to be optimal.
    pub fn references(&self) -> (usize, usize) {
        let all = self.references.iter().flatten();
        (all.clone().count(), all.filter(|reference| reference.optimal).count())
    }

    /// Has the network solve every instance greedily from all starts. `None` when it was stopped.
    pub fn mark(
        &self,
        network: &Network,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Mark>, TrainError> {
        let decoding = Decoding::default();
        let cost = |instance: &Instance| -> Result<Option<f64>, NetError> {
            if stop() {
                return Ok(None);
            }
            let decoded = network.decode(instance, &decoding, stop)?;
            Ok(decoded.plans.first().map(|(_, cost)| instance.cost_scale().undo(*cost)))
        };
        let costs: Vec<Option<f64>> = self.instances.par_iter().map(cost).collect::<Result<_, _>>()?;
        if stop() {
            return Ok(None);
        }
        let solved: Vec<f64> = costs.iter().flatten().copied().collect();
        let gaps: Vec<f64> = costs
            .iter()
            .zip(&self.references)
            .filter_map(|(cost, reference)| {
                let reference =
                    reference.as_ref().map(|reference| reference.cost).filter(|&cost| cost > 0.0)?;
                Some((*cost)? / reference - 1.0)
            })
            .collect();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
        Ok(Some(Mark {
            cost: mean(&solved),
            gap: (!gaps.is_empty()).then(|| mean(&gaps)),
            unsolved: costs.len() - solved.len(),
        }))
    }
}

/// The instances as a file.
struct Set {
    name: &'static str,
    content: Vec<u8>,
}

impl Set {
    fn of(instances: &[Instance]) -> Result<Self, TrainError> {
        let problems: Vec<Problem> = instances.iter().map(|instance| instance.input().clone()).collect();
        let [compact, lines] = Folder::VALIDATION;
        Ok(match radar_format::write::problems("npz", &problems) {
            Ok(content) => Self { name: compact, content },
            // A set of unlike problems has no common arrays.
            Err(_) => Self { name: lines, content: radar_format::write::problems("json-lines", &problems)? },
        })
    }

    /// Writes it, unless it is there.
    fn put(&self, folder: &Folder) -> Result<(), TrainError> {
        match folder.has(self.name) && folder.get(self.name)? == self.content {
            true => Ok(()),
            false => folder.put(self.name, &self.content),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsolved_counts_before_gap_before_cost() {
        let mark = |unsolved, gap, cost| Mark { cost, gap, unsolved };
        assert!(mark(0, Some(0.2), 1.0).beats(&mark(1, Some(0.1), 1.0)));
        assert!(mark(0, Some(0.1), 2.0).beats(&mark(0, Some(0.2), 1.0)));
        assert!(!mark(0, Some(0.1), 1.0).beats(&mark(0, Some(0.1), 2.0)));
        assert!(mark(0, None, 1.0).beats(&mark(0, None, 2.0)));
        assert!(mark(0, None, 1.0).beats(&mark(0, Some(0.1), 2.0)));
        assert!(!mark(0, Some(0.1), 2.0).beats(&mark(0, None, 1.0)));
    }
}
