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
    }
}

/// What a term is.
pub(crate) struct Part {
    /// Its weight before training; 0 is as if it were not there.
    pub initial: f32,
    /// The matrix that it looks at, if that is none that every input holds.
    pub wants: Option<Mix>,
    /// The amounts on an instance.
    pub amounts: fn(&Input) -> Box<dyn Amounts + '_>,
    /// The amount of one candidate in one step, in f64.
    pub naive: fn(&reference::Case, &reference::Step<'_>, usize) -> f64,
}

/// Amounts by candidate.
pub(crate) trait Amounts: Send + Sync {
    /// One amount per node (N).
    fn row(&self, current: usize, home: usize) -> &[f32];
}

/// The configured terms of one instance, with their learned weights.
pub(crate) struct Terms<'a> {
    isa: Isa,
    nodes: usize,
    list: Vec<(Term, f32, Box<dyn Amounts + 'a>)>,
}

impl<'a> Terms<'a> {
    pub fn new(isa: Isa, weights: &Weights, input: &'a Input) -> Self {
        let of = |&term: &Term| {
            let weight = weights.of(&format!("decoder.terms.{term}"))[0];
            (term, weight, (term.part().amounts)(input))
        };
        let list = weights.config().terms.iter().map(of).collect();
        Self { isa, nodes: input.nodes(), list }
    }

    /// Takes every term off `scores` (R, stride).
    pub fn take_off(&self, step: &Step, stride: usize, scores: &mut [f32]) {
        let places = step.current.iter().zip(step.home);
        for ((&current, &home), row) in places.zip(scores.chunks_exact_mut(stride.max(1))) {
            for (_, weight, amounts) in &self.list {
                add_scaled(self.isa, &mut row[..self.nodes], -weight, amounts.row(current, home));
            }
        }
    }

    /// Adds the gradients of the weights, given that of the scores (R, stride).
    pub fn learn(&self, step: &Step, stride: usize, slopes: &[f32], gradient: &mut Weights) {
        for (term, _, amounts) in &self.list {
            let mut sum = 0.0;
            let places = step.current.iter().zip(step.home);
            for ((&current, &home), row) in places.zip(slopes.chunks_exact(stride.max(1))) {
                sum -= dot(self.isa, &row[..self.nodes], amounts.row(current, home));
            }
            if let Some([weight]) = gradient.tensor_mut(&format!("decoder.terms.{term}")) {
                *weight += sum;
            }
        }
    }
}
