//! What is taken off a candidate's score for the sake of single arcs. Each term gives, for where a
//! trajectory stands and where it ends, one amount per candidate; how much of it counts is learned.
//!
//! A new term is a file here and a line in the table.

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
    }
}

/// What a term is.
pub(crate) struct Part {
    /// Its weight before training; 0 is as if it were not there.
    pub initial: f32,
    /// The matrix that it looks at, if that is none that every input holds.
    pub wants: Option<Mix>,
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
    /// Takes so much of them off `scores` (R, stride).
    fn take_off(&self, weight: f32, scene: &Scene<'_>, scores: &mut [f32]);

    /// The sum of their products with the slopes of the scores (R, stride).
    fn along(&self, scene: &Scene<'_>, slopes: &[f32]) -> f32;
}

/// Amounts that depend on nothing but where a trajectory stands and where it ends.
struct Fixed<F> {
    isa: Isa,
    nodes: usize,
    /// One amount per node (N), by current node and home.
    row: F,
}

impl<'a, F: Fn(usize, usize) -> &'a [f32] + Send + Sync> Amounts for Fixed<F> {
    fn take_off(&self, weight: f32, scene: &Scene<'_>, scores: &mut [f32]) {
        let places = scene.step.current.iter().zip(scene.step.home);
        for ((&current, &home), row) in places.zip(scores.chunks_exact_mut(scene.stride.max(1))) {
            add_scaled(self.isa, &mut row[..self.nodes], -weight, (self.row)(current, home));
        }
    }

    fn along(&self, scene: &Scene<'_>, slopes: &[f32]) -> f32 {
        let places = scene.step.current.iter().zip(scene.step.home);
        let rows = places.zip(slopes.chunks_exact(scene.stride.max(1)));
        rows.map(|((&current, &home), row)| dot(self.isa, &row[..self.nodes], (self.row)(current, home)))
            .sum()
    }
}

/// The configured terms of one instance, with their learned weights.
pub(crate) struct Terms<'a> {
    list: Vec<(Term, f32, Box<dyn Amounts + 'a>)>,
}

impl<'a> Terms<'a> {
    pub fn new(isa: Isa, weights: &Weights, input: &'a Input) -> Self {
        let of = |&term: &Term| {
            let weight = weights.of(&format!("decoder.terms.{term}"))[0];
            (term, weight, (term.part().amounts)(input, isa))
        };
        Self { list: weights.config().terms.iter().map(of).collect() }
    }

    /// Takes every term off `scores` (R, stride).
    pub fn take_off(&self, scene: &Scene<'_>, scores: &mut [f32]) {
        for (_, weight, amounts) in &self.list {
            amounts.take_off(*weight, scene, scores);
        }
    }

    /// Adds the gradients of the weights, given that of the scores (R, stride).
    pub fn learn(&self, scene: &Scene<'_>, slopes: &[f32], gradient: &mut Weights) {
        for (term, _, amounts) in &self.list {
            if let Some([weight]) = gradient.tensor_mut(&format!("decoder.terms.{term}")) {
                *weight -= amounts.along(scene, slopes);
            }
        }
    }
}
