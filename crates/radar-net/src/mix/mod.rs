//! The matrices mixed into the attention scores, beside the dot product.
//!
//! A new one is a file here and a line in the table.

use std::collections::BTreeSet;

use radar_kernel::isa::Isa;
use radar_problem::Instance;
use radar_rollout::Stop;

use crate::config::Config;
use crate::family::family;
use crate::input::{Input, transposed};
use crate::reference::Ways;

family! {
    /// A matrix that is mixed into the attention scores, beside the dot product.
    Mix {
        /// The way there.
        Distance = "distance" in distance,
        /// The way back.
        DistanceBack = "distance-back" in distance_back,
        /// The time there.
        Duration = "duration" in duration,
        /// The time back.
        DurationBack = "duration-back" in duration_back,
        /// How surprising the way there is.
        Transport = "transport" in transport,
        /// How surprising the way back is.
        TransportBack = "transport-back" in transport_back,
    }
}

pub(crate) use transport::{naive_prices, of_routes};

/// What a mix input is.
pub(crate) struct Part {
    /// Makes its matrix (N, N), if it is not one that every input holds; none where what is held serves, or when it
    /// was stopped.
    pub own: Option<Own>,
    /// The matrix (N, N) that every input holds and that is it, or stands for it where none was made.
    pub held: fn(&Input) -> &[f32],
    /// The matrix (N, N) in f64.
    pub naive: fn(&Ways<'_>) -> Vec<f64>,
}

type Own = fn(&Making<'_>) -> Option<Vec<f32>>;

/// What a matrix is made from.
#[derive(Clone, Copy)]
pub(crate) struct Making<'a> {
    pub config: &'a Config,
    pub instance: &'a Instance,
    /// The input, which holds all but such matrices.
    pub input: &'a Input,
    /// Those that are made already.
    made: &'a [(Mix, Vec<f32>)],
    pub isa: Isa,
    pub stop: Stop<'a>,
}

impl Making<'_> {
    /// The matrix of another input turned round, which is made here if it is not there.
    fn turned(&self, of: Mix, own: Own) -> Option<Vec<f32>> {
        let nodes = self.input.nodes();
        match self.made.iter().find(|(mix, _)| *mix == of) {
            Some((_, matrix)) => Some(transposed(nodes, matrix)),
            None => own(self).map(|matrix| transposed(nodes, &matrix)),
        }
    }
}

/// The inputs whose matrices a network looks at, mixed or in a term.
fn wanted(config: &Config) -> impl Iterator<Item = Mix> {
    config.mix.iter().copied().chain(of_terms(config))
}

/// Those of its terms.
fn of_terms(config: &Config) -> impl Iterator<Item = Mix> {
    config.terms.iter().filter_map(|term| term.part().wants)
}

/// Those of them that are made for every instance.
pub(crate) fn own_count(config: &Config) -> usize {
    let made: BTreeSet<Mix> = wanted(config).filter(|mix| mix.part().own.is_some()).collect();
    made.len()
}

/// The matrices that are made for an instance.
pub(crate) fn own(
    config: &Config,
    instance: &Instance,
    input: &Input,
    isa: Isa,
    stop: Stop<'_>,
) -> Vec<(Mix, Vec<f32>)> {
    let mut all: Vec<(Mix, Vec<f32>)> = Vec::new();
    // In the order of the table: what is another turned round comes after that.
    for mix in wanted(config).collect::<BTreeSet<Mix>>() {
        let making = Making { config, instance, input, made: &all, isa, stop };
        let matrix = mix.part().own.and_then(|own| own(&making));
        all.extend(matrix.map(|matrix| (mix, matrix)));
    }
    all
}

/// What the terms of a network look at beside distances, in f64.
pub(crate) fn naive(config: &Config, ways: &Ways<'_>) -> Vec<(Mix, Vec<f64>)> {
    of_terms(config).map(|mix| (mix, (mix.part().naive)(ways))).collect()
}
