//! Keeping the smallest changes among many places.

use std::collections::BTreeMap;

use radar_problem::{Instance, NEVER, Relaxation};

use super::Place;
use super::need::Need;

/// A place that was weighed.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub place: Place,
    pub need: Need,
    /// What it adds to the cost, where that is defined; decides between equal needs.
    pub added: Option<i64>,
}

impl Candidate {
    fn added(&self) -> i64 {
        self.added.unwrap_or(NEVER)
    }
}

/// The best of the candidates seen so far, in four classes. Among equals the cheapest stays, then
/// the first.
#[derive(Default)]
pub(super) struct Selection {
    /// Needs nothing.
    pub fit: Option<Candidate>,
    /// Needs one bound raised: for each bound the least.
    singles: BTreeMap<Relaxation, Candidate>,
    /// Needs several: the fewest, then the least.
    combined: Option<Candidate>,
    /// Cannot be admitted by raising bounds.
    pub hopeless: Option<Candidate>,
}

impl Selection {
    pub fn add(&mut self, instance: &Instance, candidate: Candidate) {
        let need = &candidate.need;
        match need.relaxations[..] {
            _ if need.unmendable > 0 => keep(&mut self.hopeless, candidate, |candidate| {
                let Candidate { need, .. } = candidate;
                (need.unmendable, need.relaxations.len(), need.effort(instance), 0)
            }),
            [] => keep(&mut self.fit, candidate, |candidate| (0, 0, 0.0, candidate.added())),
            [only] => {
                let bound = only.with_amount(0);
                let mut least = self.singles.remove(&bound);
                keep(&mut least, candidate, |candidate| {
                    (0, 0, candidate.need.effort(instance), candidate.added())
                });
                self.singles.extend(least.map(|least| (bound, least)));
            }
            _ => keep(&mut self.combined, candidate, |candidate| {
                let need = &candidate.need;
                (0, need.relaxations.len(), need.effort(instance), candidate.added())
            }),
        }
    }

    /// The candidates to propose, the least effort first: the one that fits, else all that need one
    /// bound, else the best combination.
    pub fn proposals(&self, instance: &Instance) -> Vec<&Candidate> {
        if let Some(fit) = &self.fit {
            return vec![fit];
        }
        if self.singles.is_empty() {
            return self.combined.iter().collect();
        }
        let mut singles: Vec<&Candidate> = self.singles.values().collect();
        singles.sort_by(|a, b| a.need.effort(instance).total_cmp(&b.need.effort(instance)));
        singles
    }
}

/// Replaces what is kept when the newcomer ranks strictly lower.
fn keep(
    kept: &mut Option<Candidate>,
    newcomer: Candidate,
    rank: impl Fn(&Candidate) -> (usize, usize, f64, i64),
) {
    let better = kept.as_ref().is_none_or(|kept| {
        let ((a, b, effort, added), (c, d, other_effort, other_added)) = (rank(&newcomer), rank(kept));
        let order = (a, b).cmp(&(c, d)).then(effort.total_cmp(&other_effort)).then(added.cmp(&other_added));
        order.is_lt()
    });
    if better {
        *kept = Some(newcomer);
    }
}
