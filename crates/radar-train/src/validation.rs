//! The validation set: instances that no run learns from, references for them, and how the network does.

use radar_net::{Decoding, NetError, Network};
use radar_problem::{Instance, Problem};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::config::{Config, References};
use crate::data::Source;
use crate::error::TrainError;
use crate::folder::Folder;
use crate::label::{Reference, solve_all};

/// A set of instances and what good plans for them cost.
pub struct Examination {
    instances: Vec<Instance>,
    references: Vec<Option<Reference>>,
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
    /// Whether it is better than another one.
    pub fn beats(&self, other: &Self) -> bool {
        let key = |mark: &Self| (mark.unsolved, mark.gap.unwrap_or(mark.cost));
        key(self) < key(other)
    }
}

impl Examination {
    /// The set of a configuration; its references are those of the folder, or are searched for and put there.
    /// `None` when there is nothing to validate on, or when it was stopped.
    pub fn prepare(
        config: &Config,
        folder: &Folder,
        stop: &(dyn Fn() -> bool + Sync),
        done: &(dyn Fn() + Sync),
    ) -> Result<Option<Self>, TrainError> {
        let wanted = &config.validation;
        if wanted.count == 0 {
            return Ok(None);
        }
        let nodes = wanted.nodes.or(config.data.sizes().last().copied()).unwrap_or_default();
        let source = Source::validation(&config.data, &wanted.roads, nodes, wanted.seed)?;
        let instances = source.instances(nodes, 0, wanted.count)?;
        let references = match wanted.references {
            References::None => vec![None; instances.len()],
            References::Search => match kept(folder, instances.len())? {
                Some(references) => references,
                None => {
                    let references = solve_all(&instances, wanted.search_steps, stop, done);
                    if stop() {
                        return Ok(None);
                    }
                    keep(folder, &instances, &references)?;
                    references
                }
            },
        };
        Ok(Some(Self { instances, references }))
    }

    /// How many instances there are.
    pub fn count(&self) -> usize {
        self.instances.len()
    }

    /// Has the network solve every instance greedily from all starts.
    pub fn mark(&self, network: &Network) -> Result<Mark, TrainError> {
        let decoding = Decoding::default();
        let cost = |instance: &Instance| -> Result<Option<f64>, NetError> {
            let decoded = network.decode(instance, &decoding, &|| false)?;
            Ok(decoded.plans.first().map(|(_, cost)| instance.cost_scale().undo(*cost)))
        };
        let costs: Vec<Option<f64>> = self.instances.par_iter().map(cost).collect::<Result<_, _>>()?;
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
        Ok(Mark {
            cost: mean(&solved),
            gap: (!gaps.is_empty()).then(|| mean(&gaps)),
            unsolved: costs.len() - solved.len(),
        })
    }
}

/// References that an earlier session found.
fn kept(folder: &Folder, count: usize) -> Result<Option<Vec<Option<Reference>>>, TrainError> {
    if !folder.has(Folder::REFERENCES) {
        return Ok(None);
    }
    let references: Option<Vec<Option<Reference>>> =
        serde_json::from_slice(&folder.get(Folder::REFERENCES)?).ok();
    Ok(references.filter(|references| references.len() == count))
}

fn keep(folder: &Folder, instances: &[Instance], references: &[Option<Reference>]) -> Result<(), TrainError> {
    let problems: Vec<Problem> = instances.iter().map(|instance| instance.input().clone()).collect();
    let [compact, lines] = Folder::VALIDATION;
    match radar_format::write::problems("npz", &problems) {
        Ok(content) => folder.put(compact, &content)?,
        // A set of unlike problems has no common arrays.
        Err(_) => folder.put(lines, &radar_format::write::problems("json-lines", &problems)?)?,
    }
    let internal =
        |error: serde_json::Error| TrainError::new("internal", error.to_string(), "please report it");
    folder.put(Folder::REFERENCES, &serde_json::to_vec(references).map_err(internal)?)
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
    }
}
