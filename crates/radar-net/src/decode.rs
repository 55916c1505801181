//! Plans from a network: every start of every sketch, the best of them, and how sure the policy was.

pub use radar_kernel::isa::Isa;
pub use radar_rollout::{Starts, Trajectory};

use radar_kernel::random::Stream;
use radar_problem::{Instance, Routes};
use radar_rollout::{Batch, Rules, Stop, run};
use rayon::prelude::*;

use crate::context::Context;
use crate::error::NetError;
use crate::input::{Draw, Input};
use crate::network::{Network, Tables};
use crate::policy::{Confidence, Decode, Pointer, first_stops};

/// How plans are decoded.
#[derive(Clone, Copy, Debug)]
pub struct Decoding {
    /// How nodes are chosen.
    pub decode: Decode,
    /// From which first nodes; where not all, of routes from the likeliest.
    pub starts: Starts,
    /// How many sketches of the matrix; each is another view of the same instance.
    pub augment: usize,
    /// How many distinct plans are kept, the best first.
    pub keep: usize,
    /// The clip of the scores, if not that of training.
    pub clip: Option<f32>,
    /// Where randomness comes from.
    pub seed: u64,
    /// Whether to count how sure the policy was of every arc.
    pub confidence: bool,
}

impl Default for Decoding {
    fn default() -> Self {
        Self {
            decode: Decode::Greedy,
            starts: Starts::All,
            augment: 1,
            keep: 1,
            clip: None,
            seed: 0,
            confidence: false,
        }
    }
}

/// What came of one instance.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// Distinct complete plans with their scaled costs, the best first; ties in the order of starts.
    pub plans: Vec<(Routes, i64)>,
    /// How many trajectories were built.
    pub trajectories: usize,
    /// How many of them were complete.
    pub complete: usize,
    /// How sure the policy was of every arc, if it was asked for.
    pub confidence: Option<Confidence>,
}

/// What decoding consists of, in this order for every sketch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Scaling the matrix, singular vectors, what is known of the nodes.
    Input,
    /// The blocks.
    Encoder,
    /// Keys, values and queries of the decoder.
    Tables,
    /// Building plans step by step.
    Rollout,
}

impl Stage {
    /// Every stage in its order.
    pub const ALL: [Self; 4] = [Self::Input, Self::Encoder, Self::Tables, Self::Rollout];

    /// What it is called.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Encoder => "encoder",
            Self::Tables => "tables",
            Self::Rollout => "rollout",
        }
    }
}

/// The number of a sketch, and a trajectory that was built from it.
pub type Sketched = (u64, Trajectory);

/// Trajectories that go through the products of a step together at most, and bytes that their journeys may take.
const BLOCK: usize = 64;
const BYTES: u64 = 1 << 26;

/// How many trajectories go through the products of a step together, if the journey of each takes so many bytes.
pub(crate) fn block(journey: u64) -> usize {
    (BYTES.checked_div(journey).unwrap_or(BYTES) as usize).clamp(8, BLOCK)
}

impl Network {
    /// Decodes one instance. Blocks of starts run in parallel; the result depends on the options alone,
    /// unless `stop` ends it early: what is unfinished then is incomplete.
    pub fn decode(
        &self,
        instance: &Instance,
        decoding: &Decoding,
        stop: Stop<'_>,
    ) -> Result<Decoded, NetError> {
        self.decode_in_stages(instance, decoding, stop, &mut |_| {})
    }

    /// The same, and says so whenever a stage has ended: the caller may have a clock.
    pub fn decode_in_stages(
        &self,
        instance: &Instance,
        decoding: &Decoding,
        stop: Stop<'_>,
        ended: &mut dyn FnMut(Stage),
    ) -> Result<Decoded, NetError> {
        let mut plans: Vec<(Routes, i64)> = Vec::new();
        let (mut trajectories, mut complete) = (0, 0);
        let confidence = self.each_sketch(instance, decoding, stop, ended, &mut |_, all| {
            trajectories += all.len();
            complete += all.iter().filter(|one| one.complete).count();
            plans = best(std::mem::take(&mut plans), all, decoding.keep);
        })?;
        Ok(Decoded { plans, trajectories, complete, confidence })
    }

    /// Every trajectory with the number of its sketch, in the order of sketches and starts, and how sure the policy
    /// was if that is asked for.
    pub fn trajectories(
        &self,
        instance: &Instance,
        decoding: &Decoding,
        stop: Stop<'_>,
    ) -> Result<(Vec<Sketched>, Option<Confidence>), NetError> {
        let mut every = Vec::new();
        let mut take = |sketch, all: Vec<Trajectory>| every.extend(all.into_iter().map(|one| (sketch, one)));
        let confidence = self.each_sketch(instance, decoding, stop, &mut |_| {}, &mut take)?;
        Ok((every, confidence))
    }

    /// Hands over the trajectories of each sketch.
    fn each_sketch(
        &self,
        instance: &Instance,
        decoding: &Decoding,
        stop: Stop<'_>,
        ended: &mut dyn FnMut(Stage),
        take: &mut dyn FnMut(u64, Vec<Trajectory>),
    ) -> Result<Option<Confidence>, NetError> {
        let config = self.weights().config();
        let rules = [Rules::new(instance)];
        let context = Context::of(config, instance);
        let mut confidence = decoding.confidence.then(|| Confidence::new(instance.nodes()));
        let draw = |sketch: u64| Draw { seed: decoding.seed, index: sketch };
        let mut input = Input::of_until(config, instance, draw(0), self.isa(), stop)?;
        for sketch in 0..decoding.augment.max(1) as u64 {
            if stop() {
                break;
            }
            if sketch > 0 {
                input.redraw(config, instance, draw(sketch), self.isa())?;
            }
            ended(Stage::Input);
            let Some(encoding) = self.encode_until(&input, stop) else { break };
            ended(Stage::Encoder);
            let tables = self.tables(&input, encoding);
            ended(Stage::Tables);
            let block = block(tables.journeys().bytes_each());
            let starts = starts(decoding.starts, &tables, &context, &rules[0]);
            let scene = Scene { tables: &tables, context: &context, rules: &rules, decoding, sketch };
            let blocks: Vec<(Vec<Trajectory>, Option<Confidence>)> = starts
                .par_chunks(block)
                .enumerate()
                .map(|(at, starts)| scene.roll_out(at * block, starts, stop))
                .collect::<Result<_, NetError>>()?;
            let mut all: Vec<Trajectory> = Vec::new();
            for (of_block, seen) in blocks {
                all.extend(of_block);
                if let (Some(sum), Some(seen)) = (&mut confidence, &seen) {
                    sum.add(seen);
                }
            }
            take(sketch, all);
            ended(Stage::Rollout);
        }
        Ok(confidence)
    }
}

/// The starts that are asked for, in the order of their numbers: of a tour any are as good as others, of routes the
/// likeliest are better.
fn starts(asked: Starts, tables: &Tables<'_>, context: &Context, rules: &Rules<'_>) -> Vec<usize> {
    let offered = rules.starts();
    match asked {
        Starts::AtMost(count) if !rules.instance().is_tour() && count < offered.len() => {
            // A clip or a temperature would leave their order as it is.
            let likely = first_stops(tables, context, rules.instance(), &offered);
            let mut order: Vec<usize> = (0..offered.len()).collect();
            order.sort_by(|&one, &other| likely[other].total_cmp(&likely[one]));
            let mut chosen: Vec<usize> = order[..count].iter().map(|&at| offered[at]).collect();
            chosen.sort_unstable();
            chosen
        }
        _ => asked.of(&offered),
    }
}

/// What the blocks of one sketch share.
struct Scene<'a> {
    tables: &'a Tables<'a>,
    context: &'a Context,
    rules: &'a [Rules<'a>],
    decoding: &'a Decoding,
    sketch: u64,
}

impl Scene<'_> {
    fn roll_out(
        &self,
        first: usize,
        starts: &[usize],
        stop: Stop<'_>,
    ) -> Result<(Vec<Trajectory>, Option<Confidence>), NetError> {
        let decoding = self.decoding;
        let mut policy = Pointer::new(self.tables, self.context, decoding.decode, decoding.clip);
        if decoding.confidence {
            policy = policy.watching();
        }
        let index = |at: usize| self.sketch << 32 | (first + at) as u64;
        let mut streams: Vec<Stream> =
            (0..starts.len()).map(|at| Stream::new(decoding.seed, "decode", index(at))).collect();
        let starts: Vec<(usize, usize)> = starts.iter().map(|&start| (0, start)).collect();
        let trajectories = run(Batch::new(self.rules, &starts), &mut policy, &mut streams, stop);
        if policy.is_spoilt() {
            return Err(NetError::new(
                "not-finite",
                "the network's numbers overflow on this instance",
                "take other weights: these were damaged, or their training diverged",
            ));
        }
        Ok((trajectories, policy.into_confidence()))
    }
}

/// The best distinct plans of those kept so far and of new trajectories; among equals, the earlier.
fn best(kept: Vec<(Routes, i64)>, mut new: Vec<Trajectory>, keep: usize) -> Vec<(Routes, i64)> {
    new.retain(|one| one.complete);
    new.sort_by_key(|one| one.cost);
    let (mut kept, mut new) = (kept.into_iter().peekable(), new.into_iter().peekable());
    let mut plans: Vec<(Routes, i64)> = Vec::new();
    while plans.len() < keep {
        let is_kept = match (kept.peek(), new.peek()) {
            (Some(kept), Some(new)) => kept.1 <= new.cost,
            (kept, _) => kept.is_some(),
        };
        if is_kept {
            plans.extend(kept.next());
            continue;
        }
        let Some(one) = new.next() else { break };
        let cost = one.cost;
        let Some(mut routes) = one.into_plan() else { continue };
        // The order of routes means nothing.
        routes.0.sort_unstable();
        if plans.iter().rev().take_while(|plan| plan.1 == cost).all(|plan| plan.0 != routes) {
            plans.push((routes, cost));
        }
    }
    plans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;
    use crate::network::Use;
    use crate::weights::Weights;
    use radar_problem::{Problem, Table};

    #[test]
    fn stages_follow_each_other_and_plans_of_all_sketches_are_distinct() {
        let config = Config { width: 16, heads: 2, layers: 1, hidden: 16, ..Config::default() };
        let network = Network::new(Weights::random(&config, 1), Isa::Portable, Use::Inference);
        let mut stream = Stream::new(1, "test", 0);
        let table = Table::from_values(6, 6, (0..36).map(|_| stream.unit()).collect());
        let instance = Problem::atsp(table).validate().instance.expect("sound");
        let decode = Decode::Sample { temperature: 1.0 };
        let decoding = Decoding { decode, augment: 3, keep: 7, ..Decoding::default() };
        let mut stages = Vec::new();
        let decoded = network
            .decode_in_stages(&instance, &decoding, &|| false, &mut |stage| stages.push(stage))
            .expect("it fits");
        assert_eq!(stages, Stage::ALL.repeat(3));
        assert_eq!((decoded.trajectories, decoded.complete, decoded.plans.len()), (18, 18, 7));
        assert!(decoded.plans.is_sorted_by_key(|plan| plan.1));
        for (at, plan) in decoded.plans.iter().enumerate() {
            assert!(!decoded.plans[..at].contains(plan));
        }
        let (every, _) = network.trajectories(&instance, &decoding, &|| false).expect("it fits");
        assert_eq!((every.len(), every.iter().map(|one| one.1.cost).min()), (18, Some(decoded.plans[0].1)));
        assert!(every.is_sorted_by_key(|(sketch, one)| (*sketch, one.start)));
        assert!(every.iter().all(|(_, one)| one.log_prob < 0.0));
        // The best of all sketches is the best of any.
        let one =
            network.decode(&instance, &Decoding { augment: 1, ..decoding }, &|| false).expect("it fits");
        assert!(decoded.plans[0].1 <= one.plans[0].1);
    }
}
