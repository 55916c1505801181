//! What is taken off a candidate's score for the sake of single arcs. Each term gives, for where a
//! trajectory stands and what is left of it, one amount per candidate; how much of it counts is learned, and where
//! a route has a context, learned as a linear function of that: the way home counts where routes are closed, and
//! the more the fuller the vehicle is.
//!
//! A new term is a file here and a line in the table.

use std::f32::consts::LN_2;

use radar_kernel::isa::Isa;
use radar_kernel::simd::{add_scaled, dot};

use crate::config::Mix;
use crate::family::family;
use crate::input::Input;
use crate::network::Step;
use crate::reference;
use crate::weights::Weights;

family! {
    /// A learned multiple of what an arc costs, taken off a candidate's score.
    Term {
        /// From where the vehicle is to the candidate.
        Edge = "edge" in edge,
        /// From the candidate back home: a tour's first node, the depot.
        Back = "back" in back,
        /// From the candidate to the nearest other node.
        Ahead = "ahead" in ahead,
        /// How surprising the arc to the candidate is, given where all others would rather go.
        Transport = "transport" in transport,
        /// The same, among the nodes from which the candidate can still be reached.
        Remaining = "remaining" in remaining,
        /// One for the depot, nothing for a stop.
        Home = "home" in home,
        /// How surprising it would be to go home from the candidate.
        Homeward = "homeward" in homeward,
        /// The same, the more the less room would be left.
        Exit = "exit" in exit,
        /// How surprising it would be to go on from the candidate at all, among the nodes that are still open.
        Onward = "onward" in onward,
        /// How much more surprising the arc to the candidate is than that to another, to a vehicle with so much room,
        /// among the nodes from which the candidate can still be reached.
        Room = "room" in room,
    }
}

/// What a term is.
pub(crate) struct Part {
    /// Its weight before training; 0 is as if it were not there.
    pub initial: f32,
    /// The matrix that it looks at, if that is none that every input holds.
    pub wants: Option<Mix>,
    /// Whether it looks at what vehicles would do.
    pub rides: bool,
    /// How many matrices (N, N) its amounts hold.
    pub matrices: u64,
    /// The amounts on an instance.
    pub amounts: fn(&Input, Isa) -> Box<dyn Amounts + '_>,
    /// The amount of one candidate in one step, in f64.
    pub naive: fn(&reference::Case, &reference::Step<'_>, usize) -> f64,
}

/// The rows of a step.
pub(crate) struct Scene<'a> {
    pub step: &'a Step<'a>,
    /// 1 where a node may come next, 0 elsewhere (R, stride).
    pub open: &'a [f32],
    pub stride: usize,
}

/// Amounts by candidate.
pub(crate) trait Amounts: Send + Sync {
    /// Takes so much of them off each row (R) of `scores` (R, stride).
    fn take_off(&self, weights: &[f32], scene: &Scene<'_>, scores: &mut [f32]);

    /// The sums of their products with the slopes of the scores (R, stride), row by row (R).
    fn along(&self, scene: &Scene<'_>, slopes: &[f32]) -> Vec<f32>;
}

/// Amounts that depend on nothing but where a trajectory stands and where it ends.
struct Fixed<F> {
    isa: Isa,
    nodes: usize,
    /// One amount per node (N), by current node and home.
    row: F,
}

impl<'a, F: Fn(usize, usize) -> &'a [f32] + Send + Sync> Amounts for Fixed<F> {
    fn take_off(&self, weights: &[f32], scene: &Scene<'_>, scores: &mut [f32]) {
        let places = scene.step.current.iter().zip(scene.step.home).zip(weights);
        for (((&current, &home), weight), row) in places.zip(scores.chunks_exact_mut(scene.stride.max(1))) {
            add_scaled(self.isa, &mut row[..self.nodes], -weight, (self.row)(current, home));
        }
    }

    fn along(&self, scene: &Scene<'_>, slopes: &[f32]) -> Vec<f32> {
        let places = scene.step.current.iter().zip(scene.step.home);
        let rows = places.zip(slopes.chunks_exact(scene.stride.max(1)));
        rows.map(|((&current, &home), row)| dot(self.isa, &row[..self.nodes], (self.row)(current, home)))
            .collect()
    }
}

/// Amounts that are computed anew for every step.
struct Computed<F> {
    isa: Isa,
    nodes: usize,
    /// The amounts of all rows (R, stride).
    of: F,
}

impl<F: Fn(&Scene<'_>) -> Vec<f32> + Send + Sync> Amounts for Computed<F> {
    fn take_off(&self, weights: &[f32], scene: &Scene<'_>, scores: &mut [f32]) {
        let (amounts, stride) = ((self.of)(scene), scene.stride.max(1));
        let rows = scores.chunks_exact_mut(stride).zip(amounts.chunks_exact(stride));
        rows.zip(weights).for_each(|((scores, amounts), weight)| {
            add_scaled(self.isa, &mut scores[..self.nodes], -weight, &amounts[..self.nodes]);
        });
    }

    fn along(&self, scene: &Scene<'_>, slopes: &[f32]) -> Vec<f32> {
        let (amounts, stride) = ((self.of)(scene), scene.stride.max(1));
        let rows = slopes.chunks_exact(stride).zip(amounts.chunks_exact(stride));
        rows.map(|(slopes, amounts)| dot(self.isa, &slopes[..self.nodes], &amounts[..self.nodes])).collect()
    }
}

/// The surprises of arcs in bits, and how much of each arc the plan uses, nothing from a node to itself: (N, N) each.
///
/// Amounts below the least normal number are nothing: [`straight_log`] cannot tell them from it, and some processors
/// take a hundred times as long to multiply them.
fn plan_behind(nodes: usize, surprises: &[f32]) -> (Vec<f32>, Vec<f32>) {
    let bits: Vec<f32> = surprises.iter().map(|one| one.exp_m1() / LN_2).collect();
    let normal = |used: f32| if used < f32::MIN_POSITIVE { 0.0 } else { used };
    let mut plan: Vec<f32> = bits.iter().map(|bits| normal((-bits).exp2())).collect();
    (0..nodes).for_each(|node| plan[node * nodes + node] = 0.0);
    (bits, plan)
}

/// The configured terms of one instance, with their learned weights.
pub(crate) struct Terms<'a> {
    list: Vec<Weighted<'a>>,
}

struct Weighted<'a> {
    term: Term,
    /// How much of it counts, and what one unit of each number of the context adds to that (C).
    weight: f32,
    by_context: Vec<f32>,
    amounts: Box<dyn Amounts + 'a>,
}

impl<'a> Terms<'a> {
    pub fn new(isa: Isa, weights: &Weights, input: &'a Input) -> Self {
        let of = |&term: &Term| Weighted {
            term,
            weight: weights.of(&weight_name(term))[0],
            by_context: match weights.config().context() {
                0 => Vec::new(),
                _ => weights.of(&context_name(term)).to_vec(),
            },
            amounts: (term.part().amounts)(input, isa),
        };
        Self { list: weights.config().terms.iter().map(of).collect() }
    }

    /// Takes every term off `scores` (R, stride).
    pub fn take_off(&self, scene: &Scene<'_>, scores: &mut [f32]) {
        for one in &self.list {
            one.amounts.take_off(&one.of_rows(scene), scene, scores);
        }
    }

    /// Adds the gradients of the weights, given that of the scores (R, stride).
    pub fn learn(&self, scene: &Scene<'_>, slopes: &[f32], gradient: &mut Weights) {
        for Weighted { term, by_context, amounts, .. } in &self.list {
            let along = amounts.along(scene, slopes);
            if let Some([weight]) = gradient.tensor_mut(&weight_name(*term)) {
                *weight -= along.iter().sum::<f32>();
            }
            if by_context.is_empty() {
                continue;
            }
            if let Some(weights) = gradient.tensor_mut(&context_name(*term)) {
                for (numbers, &along) in scene.step.context.chunks_exact(by_context.len()).zip(&along) {
                    weights.iter_mut().zip(numbers).for_each(|(weight, number)| *weight -= along * number);
                }
            }
        }
    }
}

impl Weighted<'_> {
    /// How much of it counts in each row (R).
    fn of_rows(&self, scene: &Scene<'_>) -> Vec<f32> {
        let numbers = self.by_context.len();
        if numbers == 0 {
            return vec![self.weight; scene.step.current.len()];
        }
        let of_row = |row: &[f32]| {
            row.iter().zip(&self.by_context).fold(self.weight, |sum, (number, weight)| sum + number * weight)
        };
        scene.step.context.chunks_exact(numbers).map(of_row).collect()
    }
}

/// What the weight of a term is called.
pub(crate) fn weight_name(term: Term) -> String {
    format!("decoder.terms.{term}")
}

/// What the weights are called by which the context changes it (C).
pub(crate) fn context_name(term: Term) -> String {
    format!("decoder.terms.{term}.context")
}
