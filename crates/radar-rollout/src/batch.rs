//! Many trajectories side by side.

use rayon::prelude::*;

use crate::bits::{self, Mask};
use crate::mask::Rules;
use crate::rollout::Trajectory;
use crate::state::State;

/// Many trajectories, over one or several instances, as one list per quantity. A policy reads it whole
/// and answers with one node per trajectory.
///
/// Masks lie one after the other, [`Batch::stride`] words each, so that a network can take them as
/// they are.
pub struct Batch<'a> {
    rules: &'a [Rules<'a>],
    instance: Vec<usize>,
    state: Vec<State>,
    ended: Vec<bool>,
    cost: Vec<i64>,
    path: Vec<Vec<u32>>,
    stride: usize,
    unvisited: Vec<u64>,
    mask: Vec<u64>,
}

/// Fewer masks than this are not worth a second thread.
const MASKS_PER_THREAD: usize = 64;

impl<'a> Batch<'a> {
    /// One trajectory for each (index into `rules`, start), its forced first move done. A start must
    /// be one that [`Rules::starts`] offers.
    pub fn new(rules: &'a [Rules<'a>], starts: &[(usize, usize)]) -> Self {
        let nodes = rules.iter().map(|rules| rules.instance().nodes()).max().unwrap_or(0);
        let stride = bits::words(nodes);
        let mut batch = Self {
            rules,
            instance: starts.iter().map(|&(instance, _)| instance).collect(),
            state: Vec::with_capacity(starts.len()),
            ended: vec![false; starts.len()],
            cost: vec![0; starts.len()],
            path: vec![Vec::new(); starts.len()],
            stride,
            unvisited: vec![0; stride * starts.len()],
            mask: vec![0; stride * starts.len()],
        };
        for (at, &(index, start)) in starts.iter().enumerate() {
            let instance = rules[index].instance();
            let row = &mut batch.unvisited[at * stride..(at + 1) * stride];
            instance.stops().for_each(|stop| bits::insert(row, stop));
            bits::remove(row, start);
            let (state, cost) = if instance.is_tour() {
                (State::on_tour(instance, start), 0)
            } else {
                State::new(instance, start).after(instance, start)
            };
            batch.state.push(state);
            batch.cost[at] = cost;
            batch.path[at].push(start as u32);
        }
        batch.refresh();
        batch
    }

    /// How many trajectories there are.
    pub fn len(&self) -> usize {
        self.state.len()
    }

    /// Whether there is no trajectory.
    pub fn is_empty(&self) -> bool {
        self.state.is_empty()
    }

    /// The rules of a trajectory's instance.
    pub fn rules(&self, trajectory: usize) -> &'a Rules<'a> {
        &self.rules[self.instance[trajectory]]
    }

    /// The index of each trajectory's instance.
    pub fn instances(&self) -> &[usize] {
        &self.instance
    }

    /// Where each trajectory stands.
    pub fn states(&self) -> &[State] {
        &self.state
    }

    /// Whether a trajectory has nothing left to choose: complete, or stuck. Such a one keeps a mask
    /// with the node it stands at as the only choice, and moves no more.
    pub fn ended(&self, trajectory: usize) -> bool {
        self.ended[trajectory]
    }

    /// Whether all have ended.
    pub fn is_done(&self) -> bool {
        self.ended.iter().all(|&ended| ended)
    }

    /// The legal next nodes of a trajectory; never empty.
    pub fn mask(&self, trajectory: usize) -> Mask<'_> {
        Mask::new(&self.mask[trajectory * self.stride..(trajectory + 1) * self.stride])
    }

    /// All masks, [`Batch::stride`] words per trajectory.
    pub fn masks(&self) -> &[u64] {
        &self.mask
    }

    /// How many words a mask has.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Moves every trajectory that has not ended to its node of `actions`. Panics when that node is not
    /// in the mask: a policy that leaves it is broken.
    pub fn advance(&mut self, actions: &[usize]) {
        assert_eq!(actions.len(), self.len(), "one action per trajectory");
        for (at, &node) in actions.iter().enumerate() {
            if self.ended[at] {
                continue;
            }
            assert!(self.mask(at).contains(node), "node {node} is not a legal move of trajectory {at}");
            let instance = self.rules(at).instance();
            let (state, cost) = if instance.is_tour() {
                self.state[at].along(instance, node)
            } else {
                self.state[at].after(instance, node)
            };
            self.state[at] = state;
            self.cost[at] += cost;
            self.path[at].push(node as u32);
            if instance.is_tour() || node != 0 {
                bits::remove(&mut self.unvisited[at * self.stride..], node);
            }
        }
        self.refresh();
    }

    /// Computes the masks of those that have not ended, and finds out who has now.
    fn refresh(&mut self) {
        let (rules, instance, state) = (self.rules, &self.instance, &self.state);
        self.mask
            .par_chunks_mut(self.stride.max(1))
            .zip(self.unvisited.par_chunks(self.stride.max(1)))
            .zip(&mut self.ended)
            .enumerate()
            .with_min_len(MASKS_PER_THREAD)
            .filter(|(_, (_, ended))| !**ended)
            .for_each(|(at, ((mask, unvisited), ended))| {
                let (rules, state) = (&rules[instance[at]], &state[at]);
                let words = bits::words(rules.instance().nodes());
                rules.fill(state, &unvisited[..words], &mut mask[..words]);
                // In the depot with nothing to serve, on a tour with nothing left, or stuck.
                let choice = Mask::new(mask);
                *ended = choice.is_empty()
                    || (state.node == 0 && choice.contains(0) && !rules.instance().is_tour());
                if *ended {
                    mask.fill(0);
                    bits::insert(mask, state.node);
                }
            });
    }

    /// What each trajectory has come to. One that has not ended counts as incomplete.
    pub fn finish(self) -> Vec<Trajectory> {
        let mut trajectories = Vec::with_capacity(self.len());
        for (at, path) in self.path.iter().enumerate() {
            let instance = self.rules(at).instance();
            let complete = self.ended[at] && self.state[at].remaining == 0;
            trajectories.push(Trajectory::new(instance, self.instance[at], path, self.cost[at], complete));
        }
        trajectories
    }
}
