//! What trajectories chose, step by step: the rows from which the decoder learns.

use radar_kernel::random::Stream;
use radar_net::context::Context;
use radar_net::journey::Journeys;
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
    /// How surprising every node was to the vehicle, as many numbers per row.
    surprises: Vec<f32>,
    /// The masks, as many words per row.
    open: Vec<u64>,
    /// What the policy thought, if it did.
    pub thoughts: Thoughts,
    /// Rows in which several nodes are as good an example as the chosen one, and these nodes, the chosen among them.
    equals: Vec<(usize, Vec<usize>)>,
}

impl Ride {
    pub fn len(&self) -> usize {
        self.chosen.len()
    }

    /// The chosen nodes, where several are equally good drawn anew in proportion to `probability` (row, node). To
    /// learn from these is, in the mean, to learn that any of them shall be chosen, whichever the policy prefers.
    /// Returns by how much the log-probability of any of them is above that of those drawn.
    pub fn chosen_among_equals(
        &self,
        probability: impl Fn(usize, usize) -> f32,
        draw: &mut Stream,
        chosen: &mut Vec<usize>,
    ) -> f64 {
        chosen.clear();
        chosen.extend_from_slice(&self.chosen);
        let mut above = 0.0;
        for (row, nodes) in &self.equals {
            let likely: Vec<f64> = nodes.iter().map(|&node| f64::from(probability(*row, node))).collect();
            let total: f64 = likely.iter().sum();
            if total > 0.0 {
                for at in draw.sample_by(&likely, 1) {
                    chosen[*row] = nodes[at];
                    above += (total / likely[at]).ln();
                }
            }
        }
        above
    }

    /// All rows as one step.
    pub fn step(&self) -> Step<'_> {
        let Self { current, home, context, surprises, open, .. } = self;
        Step { current, home, context, surprises, open }
    }

    fn clear(&mut self) {
        let Self { chosen, current, home, context, surprises, open, thoughts, equals } = self;
        [chosen, current, home].into_iter().for_each(Vec::clear);
        [context, surprises].into_iter().for_each(Vec::clear);
        open.clear();
        thoughts.clear();
        equals.clear();
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
    fn note(
        &mut self,
        batch: &Batch<'_>,
        (context, journeys): (&Context, &mut Journeys<'_>),
        actions: &[usize],
        policy: &impl Thinking,
    ) {
        let (thoughts, each) = (policy.thoughts(), journeys.numbers());
        for (row, at) in (0..batch.len()).filter(|&at| !batch.ended(at)).enumerate() {
            if thoughts.is_none() {
                journeys.see(at, batch.states()[at].node);
            }
            if batch.mask(at).count() <= 1 || !policy.teaches(at) {
                continue;
            }
            let (state, ride) = (&batch.states()[at], &mut self.rides[at]);
            let is_open = |node: &usize| batch.mask(at).contains(*node);
            let equals: Vec<usize> = policy.equals(batch, at).into_iter().filter(is_open).collect();
            if equals.len() > 1 {
                ride.equals.push((ride.chosen.len(), equals));
            }
            ride.chosen.push(actions[at]);
            ride.current.push(state.node);
            ride.home.push(if batch.rules(at).instance().is_tour() { state.start } else { 0 });
            let begin = ride.context.len();
            ride.context.resize(begin + context.numbers(), 0.0);
            context.fill(state, &mut ride.context[begin..]);
            ride.open.extend_from_slice(batch.mask(at).words());
            match thoughts {
                Some((thoughts, surprises)) => {
                    ride.thoughts.take(thoughts, row);
                    ride.surprises.extend_from_slice(&surprises[row * each..(row + 1) * each]);
                }
                None => {
                    let before = ride.surprises.len();
                    ride.surprises.resize(before + each, 0.0);
                    let open = batch.mask(at).words();
                    journeys.fill(at, &ride.context[begin..], open, &mut ride.surprises[before..]);
                }
            }
        }
    }
}

/// A policy that may know what it thought when it chose, and how surprising every node was to each vehicle, row by row for all that had not
/// ended.
pub(crate) trait Thinking: Policy {
    fn thoughts(&self) -> Option<(&Thoughts, &[f32])>;

    /// Whether what it chose for a trajectory just now is to be learned from.
    fn teaches(&self, _: usize) -> bool {
        true
    }

    /// The nodes that would have been as good an example as what it chose for a trajectory just now.
    fn equals(&self, _: &Batch<'_>, _: usize) -> Vec<usize> {
        Vec::new()
    }
}

impl Thinking for Pointer<'_> {
    fn thoughts(&self) -> Option<(&Thoughts, &[f32])> {
        Some((self.thoughts(), self.surprises()))
    }
}

/// A policy whose choices are noted.
pub(crate) struct Recording<'a, P> {
    pub policy: P,
    pub context: &'a Context,
    pub journeys: Journeys<'a>,
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
        self.record.note(batch, (self.context, &mut self.journeys), actions, &self.policy);
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
    /// Where it was told to go just now.
    told: Option<usize>,
}

impl Told {
    /// Paths, and how many nodes of each beginning are not an example.
    pub fn new(paths: Vec<(Vec<usize>, usize)>) -> Self {
        let path = |(nodes, own): (Vec<usize>, usize)| {
            let mut nodes = nodes.into_iter();
            nodes.next();
            Path { nodes, own: own.saturating_sub(1), is_example: true, told: None }
        };
        Self { paths: paths.into_iter().map(path).collect() }
    }
}

impl Thinking for Told {
    fn thoughts(&self) -> Option<(&Thoughts, &[f32])> {
        None
    }

    fn teaches(&self, trajectory: usize) -> bool {
        self.paths[trajectory].is_example
    }

    /// Routes may come in any order: from the depot, the first stop of each that is left is as good.
    fn equals(&self, batch: &Batch<'_>, trajectory: usize) -> Vec<usize> {
        if batch.states()[trajectory].node != 0 || batch.rules(trajectory).instance().is_tour() {
            return Vec::new();
        }
        let path = &self.paths[trajectory];
        let later = path.nodes.as_slice().windows(2).filter(|pair| pair[0] == 0).map(|pair| pair[1]);
        path.told.into_iter().chain(later).collect()
    }
}

impl Policy for Told {
    fn choose(&mut self, batch: &Batch<'_>, _: &mut [Stream], actions: &mut [usize], _: &mut [f32]) {
        for at in (0..batch.len()).filter(|&at| !batch.ended(at)) {
            let path = &mut self.paths[at];
            path.told = path.nodes.next().filter(|&node| batch.mask(at).contains(node));
            if path.told.is_none() {
                // A path that leaves the masks ends where any policy may end: nobody has told the rest.
                path.nodes = Vec::new().into_iter();
            }
            path.is_example = path.own == 0 && path.told.is_some();
            path.own = path.own.saturating_sub(1);
            actions[at] = path.told.or_else(|| batch.mask(at).nth(0)).unwrap_or(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use radar_net::Input;
    use radar_problem::{Problem, Table};
    use radar_rollout::{Rules, run};

    #[test]
    fn what_was_not_told_is_no_example() {
        let instance =
            Problem::atsp(Table::from_values(6, 6, vec![1.0; 36])).validate().instance.expect("sound");
        let context = Context::of(&radar_net::Config::default(), &instance);
        let input = Input::raw(vec![0.0; 36], Vec::new());
        let rules = [Rules::new(&instance)];
        let chosen = |path: &[usize], own: usize| {
            let mut record = Record::default();
            record.begin(1);
            let policy = Told::new(vec![(path.to_vec(), own)]);
            let mut policy =
                Recording { policy, context: &context, journeys: Journeys::new(&input), record: &mut record };
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

    #[test]
    fn routes_may_come_in_any_order() {
        let mut problem = Problem::vrp(Table::from_values(7, 7, vec![1.0; 49]));
        problem.capacity = Some(2.0);
        problem.demand = Some(vec![0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
        let instance = problem.validate().instance.expect("sound");
        let config = radar_net::Config::preset("vrp").expect("ours");
        let context = Context::of(&config, &instance);
        let input = Input::raw(vec![0.0; 49], Vec::new());
        let rules = [Rules::new(&instance)];
        let mut record = Record::default();
        record.begin(1);
        let policy = Told::new(vec![(vec![2, 4, 0, 1, 5, 0, 3, 6, 0], 1)]);
        let mut policy =
            Recording { policy, context: &context, journeys: Journeys::new(&input), record: &mut record };
        let mut streams = [Stream::new(1, "any", 0)];
        run(Batch::new(&rules, &[(0, 2)]), &mut policy, &mut streams, &|| false);
        let ride = &record.rides()[0];
        // After the first route either of the others may come, after the second only the last.
        let row = ride.chosen.iter().position(|&node| node == 1).expect("the second route begins");
        assert_eq!(ride.equals, [(row, vec![1, 3])]);
        let (mut chosen, mut count, mut draw) = (Vec::new(), 0, Stream::new(1, "any", 1));
        for _ in 0..1000 {
            let probability = |_, node| if node == 1 { 0.1 } else { 0.3 };
            let above = ride.chosen_among_equals(probability, &mut draw, &mut chosen);
            let wanted = if chosen[row] == 3 { 0.4_f64 / 0.3 } else { 0.4 / 0.1 };
            assert!((above - wanted.ln()).abs() < 1e-6, "{above}");
            count += usize::from(chosen[row] == 3);
            let others = (0..chosen.len()).filter(|&at| at != row);
            assert!(others.into_iter().all(|at| chosen[at] == ride.chosen[at]));
        }
        assert!((700..800).contains(&count), "{count}");
    }
}
