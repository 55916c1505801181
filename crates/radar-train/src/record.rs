//! What trajectories chose, step by step: the rows from which the decoder learns.

use radar_kernel::random::Stream;
use radar_net::context::Context;
use radar_net::network::{Step, Thoughts};
use radar_net::policy::Pointer;
use radar_rollout::{Batch, Policy};

/// The choices of one trajectory, in their order. Where only one node was possible there is nothing to
/// learn, and no row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ride {
    pub chosen: Vec<usize>,
    current: Vec<usize>,
    home: Vec<usize>,
    /// C numbers per row.
    context: Vec<f32>,
    /// The masks, as many words per row.
    open: Vec<u64>,
    /// What the policy thought, if it did.
    pub thoughts: Thoughts,
}

impl Ride {
    pub fn len(&self) -> usize {
        self.chosen.len()
    }

    /// All rows as one step.
    pub fn step(&self) -> Step<'_> {
        Step { current: &self.current, home: &self.home, context: &self.context, open: &self.open }
    }

    fn clear(&mut self) {
        let Self { chosen, current, home, context, open, thoughts } = self;
        [chosen, current, home].into_iter().for_each(Vec::clear);
        context.clear();
        open.clear();
        thoughts.clear();
    }
}

/// The choices of every trajectory of one instance. The memory is used again for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    rides: Vec<Ride>,
    count: usize,
}

impl Record {
    /// Forgets everything, for so many trajectories.
    pub fn begin(&mut self, count: usize) {
        self.rides.iter_mut().for_each(Ride::clear);
        if self.rides.len() < count {
            self.rides.resize_with(count, Ride::default);
        }
        self.count = count;
    }

    pub fn rides(&self) -> &[Ride] {
        &self.rides[..self.count]
    }

    /// Notes what a policy chose.
    fn note(&mut self, batch: &Batch<'_>, context: &Context, actions: &[usize], policy: &impl Thinking) {
        let thoughts = policy.thoughts();
        for (row, at) in (0..batch.len()).filter(|&at| !batch.ended(at)).enumerate() {
            if batch.mask(at).count() <= 1 || !policy.teaches(at) {
                continue;
            }
            let (state, ride) = (&batch.states()[at], &mut self.rides[at]);
            ride.chosen.push(actions[at]);
            ride.current.push(state.node);
            ride.home.push(if batch.rules(at).instance().is_tour() { state.start } else { 0 });
            let begin = ride.context.len();
            ride.context.resize(begin + context.numbers(), 0.0);
            context.fill(state, &mut ride.context[begin..]);
            ride.open.extend_from_slice(batch.mask(at).words());
            if let Some(thoughts) = thoughts {
                ride.thoughts.take(thoughts, row);
            }
        }
    }
}

/// A policy that may know what it thought when it chose, row by row for all that had not ended.
pub(crate) trait Thinking: Policy {
    fn thoughts(&self) -> Option<&Thoughts>;

    /// Whether what it chose for a trajectory just now is to be learned from.
    fn teaches(&self, _: usize) -> bool {
        true
    }
}

impl Thinking for Pointer<'_> {
    fn thoughts(&self) -> Option<&Thoughts> {
        Some(self.thoughts())
    }
}

/// A policy whose choices are noted.
pub(crate) struct Recording<'a, P> {
    pub policy: P,
    pub context: &'a Context,
    pub record: &'a mut Record,
}

impl<P: Thinking> Policy for Recording<'_, P> {
    fn choose(
        &mut self,
        batch: &Batch<'_>,
        streams: &mut [Stream],
        actions: &mut [usize],
        log_probs: &mut [f32],
    ) {
        self.policy.choose(batch, streams, actions, log_probs);
        self.record.note(batch, self.context, actions, &self.policy);
    }
}

/// Goes where it is told: the nodes of each trajectory in order, the start skipped.
pub(crate) struct Told {
    paths: Vec<Path>,
}

/// Where a trajectory goes.
pub(crate) struct Path {
    nodes: std::vec::IntoIter<usize>,
    /// How many of the next nodes are not an example.
    own: usize,
    is_example: bool,
}

impl Told {
    /// Paths, and how many nodes of each beginning are not an example.
    pub fn new(paths: Vec<(Vec<usize>, usize)>) -> Self {
        let path = |(nodes, own): (Vec<usize>, usize)| {
            let mut nodes = nodes.into_iter();
            nodes.next();
            Path { nodes, own: own.saturating_sub(1), is_example: true }
        };
        Self { paths: paths.into_iter().map(path).collect() }
    }
}

impl Thinking for Told {
    fn thoughts(&self) -> Option<&Thoughts> {
        None
    }

    fn teaches(&self, trajectory: usize) -> bool {
        self.paths[trajectory].is_example
    }
}

impl Policy for Told {
    fn choose(&mut self, batch: &Batch<'_>, _: &mut [Stream], actions: &mut [usize], _: &mut [f32]) {
        for at in (0..batch.len()).filter(|&at| !batch.ended(at)) {
            let path = &mut self.paths[at];
            let told = path.nodes.next().filter(|&node| batch.mask(at).contains(node));
            if told.is_none() {
                // A path that leaves the masks ends where any policy may end: nobody has told the rest.
                path.nodes = Vec::new().into_iter();
            }
            path.is_example = path.own == 0 && told.is_some();
            path.own = path.own.saturating_sub(1);
            actions[at] = told.or_else(|| batch.mask(at).nth(0)).unwrap_or(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use radar_problem::{Problem, Table};
    use radar_rollout::{Rules, run};

    #[test]
    fn what_was_not_told_is_no_example() {
        let instance =
            Problem::atsp(Table::from_values(6, 6, vec![1.0; 36])).validate().instance.expect("sound");
        let context = Context::of(&radar_net::Config::default(), &instance);
        let rules = [Rules::new(&instance)];
        let chosen = |path: &[usize], own: usize| {
            let mut record = Record::default();
            record.begin(1);
            let policy = Told::new(vec![(path.to_vec(), own)]);
            let mut policy = Recording { policy, context: &context, record: &mut record };
            let mut streams = [Stream::new(1, "any", 0)];
            let driven = run(Batch::new(&rules, &[(0, path[0])]), &mut policy, &mut streams, &|| false);
            assert!(driven[0].complete);
            record.rides()[0].chosen.clone()
        };
        // The last choice is forced.
        assert_eq!(chosen(&[2, 4, 1, 5, 3, 0], 1), [4, 1, 5, 3]);
        assert_eq!(chosen(&[2, 4, 1, 5, 3, 0], 3), [5, 3]);
        // There is no way back to where it has been, and nobody said where to go instead.
        assert_eq!(chosen(&[2, 4, 2, 5, 3, 0], 1), [4]);
        assert_eq!(chosen(&[2, 4], 1), [4]);
    }
}
